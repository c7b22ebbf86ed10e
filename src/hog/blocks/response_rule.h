// Computes a HOG block's values, their response to a stage's weights, and the bin of the stage's table.
//
// In:     the sums of a block's 36 values, and a stage.
// Out:    the values, from 0 to 11,200; the bin of the response.
// Exact:  integers, but for five float operations in `response_bin`, which are IEEE.
// Memory: nothing is allocated.
#pragma once

#include <cmath>
#include <cstdint>

#include <winnow/hog_cascade.h>

#include "base/device/host_device.h"

namespace winnow {

// This number is added to the length of a block's vector of values. The response is the sum of the values
// times weights, divided by the increased length. So blocks with faint gradients respond faintly. If all
// gradients of a block are half a unit long, its vector of values is about this long.
inline constexpr float kBlockLengthFloor = 16;

// The number of bits by which the sums of a cell with this many pixels are shifted right. A shifted sum is at
// most 11,200: the sum of 16 pixels with the largest vote, 700. The nine votes of a pixel add up to less than
// twice the largest vote. So the squares of a block's 36 values add up to less than 2^31.
WINNOW_HOST_DEVICE constexpr int value_shift(int cell_pixels) {
  int shift = 0;
  while (16 << shift < cell_pixels) ++shift;
  return shift;
}

// `product`: the sum of the values times the weights. `squares`: the sum of the values' squares.
WINNOW_HOST_DEVICE inline int response_bin(std::int32_t product, std::int32_t squares, float first,
                                           float bins_per_response) {
  const float response =
      static_cast<float>(product) / (std::sqrt(static_cast<float>(squares)) + kBlockLengthFloor);
  const float at = (response - first) * bins_per_response;
  constexpr float kLast = kHogTableBins - 1;
  // In this form, every value of `at`, even NaN, gives a bin of the table.
  return static_cast<int>(at > 0 ? (at < kLast ? at : kLast) : 0.f);
}

}  // namespace winnow
