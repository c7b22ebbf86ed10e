// Decodes the primary picture of a HEIC or AVIF with libheif, as image/formats/opened_decoders.h declares; its
// opening comment holds here. Transparency is dropped, and samples of 10 and 12 bits keep their high bits.
// libheif turns the picture upright itself.
#include <memory>
#include <string>

#include <libheif/heif.h>

#include <winnow/error.h>

#include "heif/heif_guard.h"
#include "image/formats/opened_decoders.h"

namespace winnow {
namespace {

struct Free {
  void operator()(heif_context* context) const { heif_context_free(context); }
  void operator()(heif_image_handle* handle) const { heif_image_handle_release(handle); }
  void operator()(heif_image* image) const { heif_image_release(image); }
  void operator()(heif_decoding_options* options) const { heif_decoding_options_free(options); }
};
template <class Held>
using Owner = std::unique_ptr<Held, Free>;

ErrorCode code_of(const heif_error& error) {
  switch (error.code) {
    case heif_error_Memory_allocation_error:
      return ErrorCode::kLimit;
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature:
      return ErrorCode::kUnsupported;
    default:
      return ErrorCode::kFormat;
  }
}

void check(const heif_error& error) {
  if (error.code == heif_error_Ok) return;
  std::string said = error.message != nullptr ? error.message : "?";
  for (char& c : said) {
    if (c < ' ' || c > '~') c = '?';
  }
  const ErrorCode code = code_of(error);
  throw Error(code, (code == ErrorCode::kFormat ? "HEIC or AVIF: the file ends early or is damaged: "
                                                : "HEIC or AVIF: this file is not read: ") +
                        said);
}

FileFacts decode(std::span<const std::byte> bytes, PictureSink& sink) {
  guard_heif(bytes, sink.max_pixels());
  const Owner<heif_context> context(heif_context_alloc());
  if (context == nullptr) throw Error(ErrorCode::kLimit, "there is not enough memory for the picture");
  check(heif_context_read_from_memory_without_copy(context.get(), bytes.data(), bytes.size(), nullptr));
  heif_image_handle* found = nullptr;
  check(heif_context_get_primary_image_handle(context.get(), &found));
  const Owner<heif_image_handle> handle(found);
  const int width = heif_image_handle_get_width(handle.get()),
            height = heif_image_handle_get_height(handle.get());
  sink.start(width, height);

  const Owner<heif_decoding_options> options(heif_decoding_options_alloc());
  if (options == nullptr) throw Error(ErrorCode::kLimit, "there is not enough memory for the picture");
  options->convert_hdr_to_8bit = 1;
  heif_image* decoded = nullptr;
  check(heif_decode_image(handle.get(), &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB,
                          options.get()));
  const Owner<heif_image> image(decoded);
  int stride = 0;
  const std::uint8_t* plane = heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
  // The coded pixels may have another size than the file says.
  if (plane == nullptr || heif_image_get_width(image.get(), heif_channel_interleaved) != width ||
      heif_image_get_height(image.get(), heif_channel_interleaved) != height)
    throw Error(ErrorCode::kFormat, "HEIC or AVIF: its pixels have another size than the file says");
  for (int y = 0; y < height; ++y)
    sink.color_row(y, reinterpret_cast<const Rgb*>(plane + std::ptrdiff_t{y} * stride));
  FileFacts facts;
  facts.others = heif_context_get_number_of_top_level_images(context.get()) - 1;
  return facts;
}

}  // namespace

const PictureDecoder* winnow_heif_decoder() {
  static constexpr PictureDecoder kDecoder{WINNOW_HEIF_STAMP, decode};
  return &kDecoder;
}

}  // namespace winnow
