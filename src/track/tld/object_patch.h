// Shrinks what lies in a box to 15 x 15 pixels, takes slow light out of them, and compares two such patches.
//
// In:     a grey picture, and a box, which may reach beyond the picture: its edge pixels then go on.
// Out:    a patch; a likeness from 0 to 1, whatever brightness and contrast are; the variance of grey levels.
// Exact:  pixels are weighted in whole numbers, after one rounding of each coordinate. Means are rounded to
//         whole grey levels. A likeness takes a product, a root and a quotient of doubles.
// Memory: plain data.
// Thread: any.
// Cost:   one pixel of a patch reads up to 64 x 64 places, at most 1.5 pixels from one to the next in boxes
//         of up to 1,440 pixels.
//
// A patch holds details: how much brighter each pixel is than the pixels about it. By its grey levels an
// object is unlike itself in another light, and like any smooth surface with the same slope of light.
#pragma once

#include <array>
#include <cstdint>

#include <winnow/box.h>
#include <winnow/image.h>

namespace winnow {

inline constexpr int kPatchSide = 15, kPatchPixels = kPatchSide * kPatchSide;

using PatchPixels = std::array<std::uint8_t, kPatchPixels>;

struct ObjectPatch {
  PatchPixels pixels{};  // 128 for a pixel that is as bright as those about it
  std::int64_t sum = 0;
  std::int64_t spread = 0;  // the number of pixels times the sum of squares, less the square of the sum
};

// The grey levels in a box.
PatchPixels shrunk_at(GrayView picture, const RealBox& box);
double variance_of(const PatchPixels& grey);

// The details of grey levels.
ObjectPatch patch_of(const PatchPixels& grey);
inline ObjectPatch patch_at(GrayView picture, const RealBox& box) {
  return patch_of(shrunk_at(picture, box));
}

// (c + 1) / 2, where c is the normalised cross correlation; 0.5 if a patch has no details.
double likeness_of(const ObjectPatch& a, const ObjectPatch& b);

}  // namespace winnow
