// Fuzzes the reader of pictures with any bytes, which give a picture or an `Error`.
// The last byte does not belong to the picture. The lowest bit of the last byte asks for colour.
#include <cstddef>
#include <cstdint>

#include <winnow/error.h>
#include <winnow/image.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::int64_t kMaxPixels = 1 << 20;
  const bool color = (data[size - 1] & 1) != 0;
  try {
    const winnow::Picture picture = winnow::decode_picture(
        {reinterpret_cast<const std::byte*>(data), size - 1}, {.color = color, .max_pixels = kMaxPixels});
    const winnow::Size got = picture.gray.size();
    if (picture.gray.empty() || std::int64_t{got.width} * got.height > kMaxPixels) __builtin_trap();
    if (picture.color.size() != (color ? got : winnow::Size{})) __builtin_trap();
  } catch (const winnow::Error& error) {
    if (error.sentence().empty()) __builtin_trap();
  }
  return 0;
}
