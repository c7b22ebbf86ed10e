// Finds the orientation that a camera wrote beside the pixels, and turns a picture upright accordingly.
//
// In:     the bytes of TIFF data, a JPEG or a PNG; they may be hostile.
// Out:    an orientation from 1 to 8, as EXIF numbers it; 1 is upright. Broken or missing EXIF data gives 1:
//         the pixels are still good, and no viewer refuses a picture for its EXIF data.
// Exact:  turning moves pixels and changes none.
// Memory: the bytes are not kept; the picture belongs to the caller. Orientations 5 to 8 swap width and
//         height, and need the memory of a second picture.
// Thread: any.
// Cost:   finding reads only the headers of segments or chunks, and the EXIF data. Turning moves each pixel
//         at most three times.
#pragma once

#include <cstddef>
#include <span>

#include <winnow/image.h>

namespace winnow {

// The orientation in TIFF data ("II*\0..." or "MM\0*...").
int exif_orientation(std::span<const std::byte> tiff);
// The orientation in a whole JPEG, from the first APP1 segment that has EXIF data.
int jpeg_orientation(std::span<const std::byte> jpeg);
// The orientation in the eXIf chunk of a whole PNG, before or behind the pixels. The function finds the chunk
// without libpng, since libpng allocates a chunk of any claimed length before it reads a byte of the chunk.
int png_orientation(std::span<const std::byte> png);

// Turns the picture in place from this orientation to upright.
void turn_upright(Picture& picture, int orientation);

}  // namespace winnow
