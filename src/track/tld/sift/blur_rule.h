// Gives the weights of the blur of pictures for ferns: a Gaussian of sigma 1.5, in parts of 256.
//
// In:     nine taps down a column, then the nine sums beside one another. A tap outside of the picture takes
//         the pixel at the coordinates that `mirrored` (image/border.h) gives.
// Out:    a pixel.
// Exact:  whole numbers. The weights make 256 together, so that a column's sum fits in 16 bits. Rounded once.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstdint>

#include "base/device/host_device.h"

namespace winnow {

constexpr int kBlurRadius = 4, kBlurTaps = 2 * kBlurRadius + 1;
inline constexpr std::uint32_t kBlur[kBlurTaps] = {2, 9, 28, 55, 68, 55, 28, 9, 2};

WINNOW_HOST_DEVICE constexpr std::uint8_t blur_round(std::uint32_t sum) {
  return static_cast<std::uint8_t>((sum + (1u << 15)) >> 16);
}

}  // namespace winnow
