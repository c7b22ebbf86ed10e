// Gives the decoders of TIFF, HEIC and AVIF, which the rooms `tiff` and `heif` make.
//
// In:     the bytes of a file, which may be hostile, not copied.
// Out:    the first picture, upright. kUnsupported if this build has no such decoder, or if it cannot be
//         loaded. Other errors as image/files/decode.h says; they name no byte.
// Exact:  grey follows `gray_rule.h`; a grey file gives its own samples.
// Memory: the picture belongs to the caller. The libraries are loaded once and never unloaded.
// Thread: any.
//
// Only the room `tiff` includes libtiff, and only the room `heif` libheif. A shared libwinnow keeps each in a
// library of its own, and opens it with the first such picture. Both bring codecs that few programs need. A
// static libwinnow contains the rooms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <winnow/export.h>
#include <winnow/image.h>

namespace winnow {

// Takes a decoder's rows. libwinnow implements it, so that a decoder's library needs none of the code for
// pictures.
class PictureSink {
 public:
  virtual ~PictureSink() = default;
  // The number of pixels that a picture may have.
  virtual std::int64_t max_pixels() const = 0;
  // Comes first. Throws `Error` if the size is refused; else the picture is allocated.
  virtual void start(std::int64_t width, std::int64_t height) = 0;
  // A whole row, in any order. All rows of a picture are of one kind.
  virtual void gray_row(int y, const std::uint8_t* samples) = 0;
  virtual void color_row(int y, const Rgb* colors) = 0;
};

// What a decoder says of a file beside the pixels.
struct FileFacts {
  int orientation = 1;      // of the rows, as EXIF numbers it
  std::int64_t others = 0;  // pictures that are not read
};

struct PictureDecoder {
  std::uint64_t stamp;  // first in every version, so that each build can read the stamp of any other build
  FileFacts (*decode)(std::span<const std::byte> bytes, PictureSink& sink);
};
extern "C" WINNOW_API const PictureDecoder* winnow_tiff_decoder();
extern "C" WINNOW_API const PictureDecoder* winnow_heif_decoder();

}  // namespace winnow
