// The decoders of image/formats/opened_decoders.h, as image/files/decode.h declares them.
#include "image/formats/opened_decoders.h"

#include <algorithm>
#include <string>
#include <utility>

#include <winnow/error.h>

#include "image/files/decode.h"
#include "image/files/exif.h"
#include "image/formats/picture_rows.h"
#include "image/opened_library.h"

namespace winnow {
namespace {

class Rows final : public PictureSink {
 public:
  explicit Rows(const ReadOptions& options) : options_(options) {}
  std::int64_t max_pixels() const override { return options_.max_pixels; }
  void start(std::int64_t width, std::int64_t height) override {
    check_picture_size(width, height, options_);
    picture_.gray = GrayImage(static_cast<int>(width), static_cast<int>(height));
  }
  void gray_row(int y, const std::uint8_t* samples) override {
    std::copy_n(samples, picture_.gray.width(), picture_.gray.row(y));
  }
  void color_row(int y, const Rgb* colors) override {
    std::transform(colors, colors + picture_.gray.width(), picture_.gray.row(y), gray_of);
    if (!options_.color) return;
    if (picture_.color.empty()) picture_.color = RgbImage(picture_.gray.width(), picture_.gray.height());
    std::copy_n(colors, picture_.color.width(), picture_.color.row(y));
  }
  Picture take() {
    if (options_.color && picture_.color.empty()) picture_.color = to_color(picture_.gray.view());
    return std::move(picture_);
  }

 private:
  const ReadOptions options_;
  Picture picture_;
};

[[maybe_unused]] DecodedFile decode_with(const PictureDecoder& decoder, std::span<const std::byte> bytes,
                                         const ReadOptions& options) {
  Rows rows(options);
  const FileFacts facts = decoder.decode(bytes, rows);
  DecodedFile file{rows.take(), facts.others};
  turn_upright(file.picture, facts.orientation);
  return file;
}

[[noreturn, maybe_unused]] void refuse(const char* kind, const char* library) {
  throw Error(ErrorCode::kUnsupported, std::string(kind) + ", and this build reads none: it was configured " +
                                           "without " + library + "; convert the picture, or build Winnow " +
                                           "where " + library + "'s packages are installed");
}

}  // namespace

#if defined(WINNOW_TIFF_LIBRARY)
DecodedFile decode_tiff(std::span<const std::byte> bytes, const ReadOptions& options) {
  static const PictureDecoder& decoder = open_table<PictureDecoder>(
      {WINNOW_TIFF_LIBRARY, "winnow_tiff_decoder", WINNOW_TIFF_STAMP, "TIFF pictures need"}, "");
  return decode_with(decoder, bytes, options);
}
#elif defined(WINNOW_HAVE_TIFF)
DecodedFile decode_tiff(std::span<const std::byte> bytes, const ReadOptions& options) {
  return decode_with(*winnow_tiff_decoder(), bytes, options);
}
#else
DecodedFile decode_tiff(std::span<const std::byte>, const ReadOptions&) {
  refuse("is a TIFF file", "libtiff");
}
#endif

#if defined(WINNOW_HEIF_LIBRARY)
DecodedFile decode_heif(std::span<const std::byte> bytes, const ReadOptions& options) {
  static const PictureDecoder& decoder = open_table<PictureDecoder>(
      {WINNOW_HEIF_LIBRARY, "winnow_heif_decoder", WINNOW_HEIF_STAMP, "HEIC and AVIF pictures need"}, "");
  return decode_with(decoder, bytes, options);
}
#elif defined(WINNOW_HAVE_HEIF)
DecodedFile decode_heif(std::span<const std::byte> bytes, const ReadOptions& options) {
  return decode_with(*winnow_heif_decoder(), bytes, options);
}
#else
DecodedFile decode_heif(std::span<const std::byte>, const ReadOptions&) {
  refuse("is a HEIC or AVIF file", "libheif");
}
#endif

}  // namespace winnow
