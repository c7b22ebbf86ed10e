// Encodes JPEG with libjpeg, as image/files/encode.h declares; its opening comment holds here.
#include <cstdlib>

#include "image/files/encode.h"
#include "image/files/jpeg_guard.h"

namespace winnow {
namespace {

struct Handle {
  jpeg_compress_struct info{};
  unsigned char* bytes = nullptr;  // allocated with malloc by libjpeg's memory destination
  unsigned long size = 0;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }
};

template <class Pixel>
std::vector<std::byte> encode(ImageView<const Pixel> image, int quality) {
  if (image.width > JPEG_MAX_DIMENSION || image.height > JPEG_MAX_DIMENSION) {
    throw Error(ErrorCode::kLimit,
                "a JPEG holds at most " + std::to_string(JPEG_MAX_DIMENSION) + " pixels a side");
  }
  JpegGuard guard;
  Handle handle;
  jpeg_compress_struct& info = handle.info;
  info.err = guard.manager();
  const bool done = guard.run([&] {
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &handle.bytes, &handle.size);
    info.image_width = static_cast<JDIMENSION>(image.width);
    info.image_height = static_cast<JDIMENSION>(image.height);
    info.input_components = sizeof(Pixel);
    info.in_color_space = sizeof(Pixel) == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    for (int y = 0; y < image.height; ++y) {
      // libjpeg asks for a pointer to mutable rows, but only reads them.
      auto* row = const_cast<JSAMPLE*>(reinterpret_cast<const JSAMPLE*>(image.row(y)));
      jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
  });
  if (!done) throw guard.error();
  const auto* begin = reinterpret_cast<const std::byte*>(handle.bytes);
  return {begin, begin + handle.size};
}

}  // namespace

std::vector<std::byte> encode_jpeg(GrayView image, int quality) {
  return encode<std::uint8_t>(image, quality);
}
std::vector<std::byte> encode_jpeg(RgbView image, int quality) { return encode<Rgb>(image, quality); }

Picture encode_again(const PictureView& picture, int quality) {
  if (quality < 1 || quality > 100) throw Error(ErrorCode::kUsage, "a JPEG's quality must be from 1 to 100");
  const bool color = picture.color.data != nullptr;
  if (picture.empty() || (!color && picture.gray.data == nullptr))
    throw Error(ErrorCode::kUsage, "an empty picture cannot be encoded");
  ReadOptions options;
  options.color = color;
  return decode_picture(color ? encode_jpeg(picture.color, quality) : encode_jpeg(picture.gray, quality),
                        options);
}

}  // namespace winnow
