// The orientation that a camera wrote beside the pixels, and turning a picture by it.
// Orientation is 1 to 8 as EXIF numbers it; 1 is upright. A broken or missing EXIF block means 1: it says
// nothing about the pixels, and no viewer refuses a picture for it. Cost: the finder walks segment headers
// only; `turn_upright` moves every pixel once, and needs a second picture's memory for 5 to 8 (the ones that
// swap width and height).
#pragma once

#include <cstddef>
#include <span>

#include <winnow/image.h>

namespace winnow {

// From a TIFF block ("II*\0..." or "MM\0*...").
int exif_orientation(std::span<const std::byte> tiff);
// From a whole JPEG: its first APP1 segment with an EXIF block.
int jpeg_orientation(std::span<const std::byte> jpeg);
// From a whole PNG: its eXIf chunk, before or behind the pixels. Not asked of libpng, which would make room
// for a chunk of any claimed length before it reads a byte of it.
int png_orientation(std::span<const std::byte> png);

void turn_upright(Picture& picture, int orientation);

}  // namespace winnow
