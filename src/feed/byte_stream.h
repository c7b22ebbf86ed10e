// Reads bytes from standard input or a named pipe. A stop request ends the waiting for bytes.
//
// In:     a path and a stop token.
// Out:    bytes, in a buffer of the caller. `Error` (kIo) if the input cannot be opened or read.
// Exact:  bytes are passed on unchanged.
// Memory: owns the open pipe; standard input stays open. Bytes go into the caller's buffer, which is used
//         only during `read`.
// Thread: one thread at a time; any thread may request the stop.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

namespace winnow {

class ByteStream {
 public:
  // "-" is standard input. Opening does not wait for a pipe's writer; reading does. After a stop request, a
  // read soon returns as at the end of the input.
  ByteStream(const std::string& path, std::stop_token stop);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // Waits for at least one byte. Returns the number of bytes read, from 1 to `size`, or 0 at the end.
  std::size_t read(std::byte* buffer, std::size_t size);

 private:
  std::string name_;
  std::stop_token stop_;
  int descriptor_ = -1;
};

}  // namespace winnow
