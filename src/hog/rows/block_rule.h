// Normalises the votes of a block, and rounds them to whole numbers.
//
// In:     the sums of a block, in the order of its values.
// Out:    values from 0 to 32,767, in units of 2^-15.
// Exact:  single IEEE operations in float, in this order: L2-Hys with OpenCV's constants.
// Memory: nothing is allocated; `sums` are overwritten.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/device/host_device.h"
#include "hog/hog_form.h"

namespace winnow {

// `step`: the distance from one sum of the block to the next, and from one value to the next.
WINNOW_HOST_DEVICE inline void normalise_block(float* sums, int count, float length_offset, float clip,
                                               std::int16_t* values, std::ptrdiff_t step = 1) {
  float squares = 0;
  for (int i = 0; i < count; ++i) squares = squares + sums[i * step] * sums[i * step];
  const float first = 1.f / (std::sqrt(squares) + length_offset);
  squares = 0;
  for (int i = 0; i < count; ++i) {
    const float value = sums[i * step] * first;
    sums[i * step] = value < clip ? value : clip;
    squares = squares + sums[i * step] * sums[i * step];
  }
  const float second = 1.f / (std::sqrt(squares) + 1e-3f);
  for (int i = 0; i < count; ++i) {
    const float whole = std::rint(sums[i * step] * second * static_cast<float>(1 << kHogValueBits));
    values[i * step] = static_cast<std::int16_t>(whole < 32767.f ? whole : 32767.f);
  }
}

}  // namespace winnow
