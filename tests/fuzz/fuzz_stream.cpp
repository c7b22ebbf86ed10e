// Fuzzes the reader of picture streams with any bytes.
// The first byte is the size of the pieces in which the reader gets the other bytes. Each call must return a
// picture, an `Error` or the end.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <winnow/error.h>
#include <winnow/image.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = std::size_t{data[0]} + 1;
  std::size_t at = 1;
  const auto read = [&](std::byte* to, std::size_t room) {
    const std::size_t count = std::min({piece, room, size - at});
    if (count > 0) std::memcpy(to, data + at, count);
    at += count;
    return count;
  };
  winnow::PictureStream stream(read, {.color = (piece & 1) != 0, .max_pixels = 1 << 18});
  winnow::Picture picture;
  // A picture takes at least 8 bytes, so calls are fewer than bytes. A repeated error ends the stream.
  for (std::size_t calls = 0, errors = 0; errors < 3; ++calls) {
    if (calls > size) __builtin_trap();
    try {
      if (!stream.next(picture)) {
        if (at != size) __builtin_trap();
        break;
      }
      if (picture.gray.empty()) __builtin_trap();
    } catch (const winnow::Error&) {
      ++errors;
    }
  }
  return 0;
}
