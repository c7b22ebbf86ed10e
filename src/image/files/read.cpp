// Recognises the format of a picture by its first bytes, and decodes it, as winnow/image.h declares; its
// opening comment holds here.
#include <new>
#include <string>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/file.h"
#include "image/files/byte_reader.h"
#include "image/files/decode.h"
#include "image/picture_format.h"

namespace winnow {
namespace {

DecodedFile decode_one_of_pnm(std::span<const std::byte> bytes, const ReadOptions& options,
                              std::size_t first) {
  ByteReader reader(bytes);
  reader.skip(first);
  DecodedFile file{decode_pnm(reader, options)};
  file.next = next_pnm(reader);
  return file;
}

DecodedFile decode_known(std::span<const std::byte> bytes, const ReadOptions& options, std::size_t first) {
  const PictureFormat* format = format_of(bytes.subspan(first));
  if (format == nullptr) throw Error(ErrorCode::kFormat, "not a picture that Winnow can read");
  switch (format->kind) {
    case PictureKind::kJpeg:
      return {decode_jpeg(bytes, options)};
    case PictureKind::kPng:
      return {decode_png(bytes, options)};
    case PictureKind::kPnm:
      return decode_one_of_pnm(bytes, options, first);
    case PictureKind::kBmp:
      return {decode_bmp(bytes, options)};
    case PictureKind::kGif:
      return decode_gif(bytes, options);
    case PictureKind::kWebp:
      return decode_webp(bytes, options);
    case PictureKind::kTiff:
      return decode_tiff(bytes, options);
    case PictureKind::kHeic:
    case PictureKind::kAvif:
      return decode_heif(bytes, options);
    default:
      throw Error(ErrorCode::kUnsupported, "is " + std::string(format->article) + " " +
                                               std::string(format->name) + " file, and Winnow reads " +
                                               names_of_formats() + " pictures only");
  }
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

DecodedFile decode_file(std::span<const std::byte> bytes, const ReadOptions& options, std::size_t first) {
  try {
    return decode_known(bytes, options, first);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kLimit, "there is not enough memory for the picture");
  }
}

Picture decode_picture(std::span<const std::byte> bytes, const ReadOptions& options) {
  return decode_file(bytes, options).picture;
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
