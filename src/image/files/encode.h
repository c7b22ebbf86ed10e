// Encodes pictures as the bytes of a JPEG, PNG or PNM file.
//
// In:     a view that is not empty, with any stride.
// Out:    the whole file. kLimit if the format cannot hold the size, or memory is short.
// Exact:  PNG and PNM keep every pixel. JPEG is lossy.
// Memory: the bytes belong to the caller.
// Thread: any.
#pragma once

#include <cstddef>
#include <vector>

#include <winnow/image.h>

namespace winnow {

inline constexpr int kJpegQuality = 92;
// Colour is stored as YCbCr with halved chroma.
std::vector<std::byte> encode_jpeg(GrayView image, int quality = kJpegQuality);
std::vector<std::byte> encode_jpeg(RgbView image, int quality = kJpegQuality);
std::vector<std::byte> encode_png(GrayView image);
std::vector<std::byte> encode_png(RgbView image);
// P5 for grey, P6 for colour.
std::vector<std::byte> encode_pnm(GrayView image);
std::vector<std::byte> encode_pnm(RgbView image);

}  // namespace winnow
