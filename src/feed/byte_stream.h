// Bytes from standard input or a named pipe, read so that a wait for them can be given up.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

namespace winnow {

class ByteStream {
 public:
  // "-" is standard input. Reading ends, as if the bytes had ended, soon after a stop was requested.
  ByteStream(const std::string& path, std::stop_token stop);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  std::size_t read(std::byte* buffer, std::size_t size);  // 0 at the end; a kIo error if it cannot

 private:
  std::string name_;
  std::stop_token stop_;
  int descriptor_ = -1;
};

}  // namespace winnow
