// Shrinks what lies in a box to 15 x 15 pixels, and compares two such patches.
//
// In:     a grey picture, and a box, which may reach beyond the picture: its edge pixels then go on.
// Out:    a patch; a likeness from 0 to 1, whatever brightness and contrast are.
// Exact:  pixels are weighted in whole numbers, after one rounding of each coordinate. A likeness takes a
//         product, a root and a quotient of doubles.
// Memory: plain data.
// Thread: any.
// Cost:   one pixel of a patch reads up to 64 x 64 places, at most 1.5 pixels from one to the next in boxes
//         of up to 1,440 pixels.
#pragma once

#include <array>
#include <cstdint>

#include <winnow/box.h>
#include <winnow/image.h>

namespace winnow {

inline constexpr int kPatchSide = 15, kPatchPixels = kPatchSide * kPatchSide;

struct ObjectPatch {
  std::array<std::uint8_t, kPatchPixels> pixels{};
  std::int64_t sum = 0;
  std::int64_t spread = 0;  // the number of pixels times the sum of squares, less the square of the sum
};

ObjectPatch patch_at(GrayView picture, const RealBox& box);

// (c + 1) / 2, where c is the normalised cross correlation; 0.5 if a patch has a single grey level.
double likeness_of(const ObjectPatch& a, const ObjectPatch& b);

}  // namespace winnow
