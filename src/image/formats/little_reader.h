// Reads numbers from the bytes of a picture's file, the lowest byte first, and knows the position for errors.
//
// In:     a span, not copied, that outlives the reader, and the name of the format for errors.
// Out:    numbers and stretches of bytes. kFormat if fewer bytes are left than asked for.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <winnow/error.h>

#include "image/files/decode.h"

namespace winnow {

class LittleReader {
 public:
  LittleReader(std::span<const std::byte> bytes, const char* format) : bytes_(bytes), format_(format) {}

  std::size_t position() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  void go_to(std::size_t position) {
    if (position > bytes_.size()) fail_early();
    at_ = position;
  }
  // `size` bytes from here on.
  std::span<const std::byte> take(std::size_t size) {
    if (size > left()) fail_early();
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }
  std::uint32_t number(int size) {
    std::uint32_t value = 0;
    int shift = 0;
    for (const std::byte byte : take(static_cast<std::size_t>(size))) {
      value |= std::to_integer<std::uint32_t>(byte) << shift;
      shift += 8;
    }
    return value;
  }
  int byte() { return static_cast<int>(number(1)); }

  [[noreturn]] void fail_early() const { fail("the picture ends early"); }
  [[noreturn]] void fail(const char* sentence, ErrorCode code = ErrorCode::kFormat) const {
    throw Error(code, std::string(format_) + ": " + sentence, {}, byte_place(static_cast<std::int64_t>(at_)));
  }

 private:
  std::span<const std::byte> bytes_;
  const char* format_;
  std::size_t at_ = 0;
};

}  // namespace winnow
