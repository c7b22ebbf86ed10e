// Gives one pixel of a picture with half the sides: 5 x 5 taps around every second pixel, rounded once at the
// end.
//
// In:     the sides of the source, and the pixels at the taps. A tap outside of the picture takes the pixel
//         at the coordinates that `mirrored` (image/border.h) gives.
// Out:    sides of the half, the source pixel under a tap, the sum of five taps, and the rounded pixel.
//         Pixel (x, y) of the half lies at (2x, 2y) of the source.
// Exact:  integers. The weights 1 4 6 4 1 of both directions make 256 together, so the sum of all 25 products
//         is at most 65,280.
// Memory: nothing is allocated.
#pragma once

#include <cstdint>

#include <winnow/box.h>

#include "base/device/host_device.h"
#include "image/border.h"

namespace winnow {

constexpr int kHalveTaps = 5;                 // taps in each direction
constexpr int kHalveRadius = kHalveTaps / 2;  // pixels from the middle tap to the outermost

WINNOW_HOST_DEVICE constexpr int halved(int side) { return side / 2 + side % 2; }
constexpr Size halved(Size size) { return {halved(size.width), halved(size.height)}; }

// The most levels of any picture. A side is below 2^31, so 31 halvings make a side of 1.
constexpr int kMostGaussianLevels = 32;

// The number of levels of a Gaussian pyramid: the wanted number, or fewer if a level of 1 x 1 comes earlier.
// 0 for an empty picture.
constexpr int gaussian_levels(Size picture, int wanted) {
  if (picture.width <= 0 || picture.height <= 0 || wanted <= 0) return 0;
  int levels = 1;
  for (; levels < wanted && picture != Size{1, 1}; ++levels) picture = halved(picture);
  return levels;
}

// Sums five taps with their weights. The taps are pixels, or sums of the other direction. A word may hold two
// values of 16 bits. One call then sums both, since no sum exceeds 16 bits.
WINNOW_HOST_DEVICE constexpr std::uint32_t halve_sum(std::uint32_t first, std::uint32_t second,
                                                     std::uint32_t third, std::uint32_t fourth,
                                                     std::uint32_t fifth) {
  return first + fifth + 4 * (second + fourth) + 6 * third;
}

// A sum halfway between two pixel values rounds up.
constexpr std::uint32_t kHalveRounding = 128;
WINNOW_HOST_DEVICE constexpr std::uint8_t halve_round(std::uint32_t sum) {
  return static_cast<std::uint8_t>((sum + kHalveRounding) >> 8);
}

}  // namespace winnow
