#include "image/files/exif.h"

#include <cstdint>
#include <cstring>

#include <zlib.h>

namespace winnow {
namespace {

// Reads numbers of TIFF data in the data's byte order. The caller has checked the bounds.
struct Tiff {
  std::span<const std::byte> bytes;
  bool little = false;
  std::uint32_t number(std::size_t at, int size) const {
    std::uint32_t value = 0;
    for (int i = 0; i < size; ++i) {
      const int shift = 8 * (little ? i : size - 1 - i);
      value |= std::to_integer<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]) << shift;
    }
    return value;
  }
};

}  // namespace

int exif_orientation(std::span<const std::byte> tiff) {
  if (tiff.size() < 10) return 1;
  const bool little = std::memcmp(tiff.data(), "II*\0", 4) == 0;
  if (!little && std::memcmp(tiff.data(), "MM\0*", 4) != 0) return 1;
  const Tiff fields{tiff, little};
  const std::size_t directory = fields.number(4, 4);
  if (directory > tiff.size() - 2) return 1;
  const std::size_t entries = fields.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t at = directory + 2 + 12 * i;
    if (at + 12 > tiff.size()) return 1;
    constexpr std::uint32_t kOrientation = 0x0112, kShort = 3, kLong = 4;
    if (fields.number(at, 2) != kOrientation) continue;
    const std::uint32_t type = fields.number(at + 2, 2);
    if ((type != kShort && type != kLong) || fields.number(at + 4, 4) != 1) return 1;
    const std::uint32_t value = fields.number(at + 8, type == kShort ? 2 : 4);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

int jpeg_orientation(std::span<const std::byte> jpeg) {
  std::size_t at = 2;  // behind the start marker
  while (at + 4 <= jpeg.size()) {
    if (jpeg[at] != std::byte{0xFF}) {
      ++at;  // stray bytes between segments; the decoder skips them, too
      continue;
    }
    const int marker = std::to_integer<int>(jpeg[at + 1]);
    if (marker == 0xFF) {  // fill byte
      ++at;
      continue;
    }
    if (marker == 0xDA || marker == 0xD9) return 1;  // pixels or the end; no header follows
    if (marker <= 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
      at += 2;
      continue;
    }
    const std::size_t length =
        std::to_integer<std::size_t>(jpeg[at + 2]) * 256 + std::to_integer<std::size_t>(jpeg[at + 3]);
    if (length < 2 || at + 2 + length > jpeg.size()) return 1;
    const auto payload = jpeg.subspan(at + 4, length - 2);
    if (marker == 0xE1 && payload.size() > 6 && std::memcmp(payload.data(), "Exif\0\0", 6) == 0) {
      return exif_orientation(payload.subspan(6));
    }
    at += 2 + length;
  }
  return 1;
}

int png_orientation(std::span<const std::byte> png) {
  const auto number = [&](std::size_t at) { return Tiff{png}.number(at, 4); };
  std::size_t at = 8;  // behind the signature
  while (at + 12 <= png.size()) {
    // A chunk: length, name, data, checksum of name and data.
    const std::size_t length = number(at);
    if (length > png.size() - at - 12) return 1;
    if (std::memcmp(png.data() + at + 4, "eXIf", 4) == 0) {
      const auto* named = reinterpret_cast<const Bytef*>(png.data() + at + 4);
      const bool whole = crc32_z(0, named, length + 4) == number(at + 8 + length);
      return whole ? exif_orientation(png.subspan(at + 8, length)) : 1;
    }
    at += 12 + length;
  }
  return 1;
}

}  // namespace winnow
