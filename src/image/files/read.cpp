// Recognises the format of a picture by its first bytes, and decodes it, as winnow/image.h declares; its
// opening comment holds here.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/file.h"
#include "image/files/byte_reader.h"
#include "image/files/decode.h"

namespace winnow {
namespace {

using std::string_view_literals::operator""sv;

bool starts(std::span<const std::byte> bytes, std::string_view with, std::size_t at = 0) {
  return bytes.size() >= at + with.size() && std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
}

// The name of a format that Winnow recognises but does not read, or null.
const char* unsupported_format(std::span<const std::byte> bytes) {
  if (starts(bytes, "GIF87a"sv) || starts(bytes, "GIF89a"sv)) return "a GIF";
  if (starts(bytes, "RIFF"sv) && starts(bytes, "WEBP"sv, 8)) return "a WebP";
  if (starts(bytes, "BM"sv)) return "a BMP";
  if (starts(bytes, "II*\0"sv) || starts(bytes, "MM\0*"sv)) return "a TIFF";
  if (starts(bytes, "P7\n"sv)) return "a PAM";
  if (starts(bytes, "ftyp"sv, 4)) {
    constexpr std::array kHeic{"heic"sv, "heix"sv, "hevc"sv, "heim"sv, "heis"sv, "mif1"sv, "msf1"sv};
    constexpr std::array kAvif{"avif"sv, "avis"sv};
    const auto brand = [&](std::string_view name) { return starts(bytes, name, 8); };
    if (std::any_of(kHeic.begin(), kHeic.end(), brand)) return "a HEIC";
    if (std::any_of(kAvif.begin(), kAvif.end(), brand)) return "an AVIF";
  }
  return nullptr;
}

Picture decode_known(std::span<const std::byte> bytes, const ReadOptions& options) {
  if (starts(bytes, "\xff\xd8\xff"sv)) return decode_jpeg(bytes, options);
  if (starts(bytes, "\x89PNG\r\n\x1a\n"sv)) return decode_png(bytes, options);
  if (bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] >= std::byte{'1'} &&
      bytes[1] <= std::byte{'6'}) {
    ByteReader reader(bytes);
    return decode_pnm(reader, options);
  }
  if (const char* name = unsupported_format(bytes)) {
    throw Error(ErrorCode::kUnsupported,
                std::string("is ") + name + " file, and Winnow reads JPEG, PNG and PNM pictures only");
  }
  throw Error(ErrorCode::kFormat, "not a picture Winnow can read (JPEG, PNG or PNM)");
}

}  // namespace

std::string byte_place(std::int64_t position) { return "byte " + std::to_string(position); }

void check_picture_size(std::int64_t width, std::int64_t height, const ReadOptions& options) {
  if (width <= 0 || height <= 0) throw Error(ErrorCode::kFormat, "the picture has no pixels");
  // A side of at most 2^30 keeps every sum of two coordinates inside an int, whatever the allowed number of
  // pixels.
  constexpr std::int64_t kMaxSide = std::int64_t{1} << 30;
  if (width > kMaxSide || height > kMaxSide || width > options.max_pixels / height) {
    throw Error(ErrorCode::kLimit, "the picture is " + std::to_string(width) + "x" + std::to_string(height) +
                                       ", more than the " + std::to_string(options.max_pixels) +
                                       " pixels allowed");
  }
}

Picture decode_picture(std::span<const std::byte> bytes, const ReadOptions& options) {
  try {
    return decode_known(bytes, options);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kLimit, "there is not enough memory for the picture");
  }
}

Picture read_picture(const std::string& path, const ReadOptions& options) {
  const std::vector<std::byte> bytes = read_file(path, kMaxPictureBytes);
  try {
    return decode_picture(bytes, options);
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

}  // namespace winnow
