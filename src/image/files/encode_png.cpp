// Encodes PNG with libpng, as image/files/encode.h declares; its opening comment holds here.
#include <winnow/error.h>

#include "image/files/encode.h"
#include "image/files/png_guard.h"

namespace winnow {
namespace {

struct Handle {
  png_structp png = nullptr;
  png_infop info = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { png_destroy_write_struct(&png, info != nullptr ? &info : nullptr); }
};

// The bytes so far. `full` notes that memory ran out, since an exception must not pass through libpng.
struct Sink {
  std::vector<std::byte> bytes;
  bool full = false;
};

void put(png_structp png, png_bytep data, std::size_t size) {
  auto* sink = static_cast<Sink*>(png_get_io_ptr(png));
  try {
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    sink->bytes.insert(sink->bytes.end(), begin, begin + size);
  } catch (...) {
    sink->full = true;
  }
  if (sink->full) png_error(png, "there is not enough memory for the file");
}

template <class Pixel>
std::vector<std::byte> encode(ImageView<const Pixel> image) {
  PngGuard guard;
  Sink sink;
  Handle handle;
  handle.png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &guard, PngGuard::on_error, PngGuard::on_warning);
  if (handle.png == nullptr) throw Error(ErrorCode::kLimit, "PNG: libpng cannot be started");
  const bool done = guard.run([&] {
    handle.info = png_create_info_struct(handle.png);
    png_set_write_fn(handle.png, &sink, put, [](png_structp) {});
    png_set_user_limits(handle.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(handle.png, handle.info, static_cast<png_uint_32>(image.width),
                 static_cast<png_uint_32>(image.height), 8,
                 sizeof(Pixel) == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(handle.png, handle.info);
    for (int y = 0; y < image.height; ++y) {
      png_write_row(handle.png, reinterpret_cast<png_const_bytep>(image.row(y)));
    }
    png_write_end(handle.png, handle.info);
  });
  if (!done) throw Error(ErrorCode::kLimit, guard.message());
  return std::move(sink.bytes);
}

}  // namespace

std::vector<std::byte> encode_png(GrayView image) { return encode<std::uint8_t>(image); }
std::vector<std::byte> encode_png(RgbView image) { return encode<Rgb>(image); }

}  // namespace winnow
