// Bytes from standard input or a named pipe, read so that a wait for them can be given up.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace winnow::cli {

class ByteStream {
 public:
  // "-" is standard input. Reading ends, as if the bytes had ended, soon after `stopping` turns true.
  ByteStream(const std::string& path, const std::atomic<bool>& stopping);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  std::size_t read(std::byte* buffer, std::size_t size);  // 0 at the end; a kIo error if it cannot

 private:
  std::string name_;
  const std::atomic<bool>& stopping_;
  int descriptor_ = -1;
};

}  // namespace winnow::cli
