// Gives one sample of the exact bilinear resize: two taps per direction, rounded once at the end.
//
// In:     the place of a sample, the sizes of source and target, and the four pixels at the taps.
// Out:    the taps' offsets with weights in 1/256, and the sample.
// Exact:  taps in double arithmetic in OpenCV's order; samples in integers.
// Memory: nothing is allocated.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/device/host_device.h"

namespace winnow {

// Sample = source[offset] * (256 - weight) + source[offset + 1] * weight. If `weight` is 0, the pixel at
// `offset` + 1 does not matter, and may lie outside of the source.
struct ResizeTap {
  std::int32_t offset;
  std::int32_t weight;  // 0..256
};

// Samples before the first pixel's centre and after the last pixel's centre repeat the edge pixel.
WINNOW_HOST_DEVICE inline ResizeTap resize_tap(int target, int source_size, int target_size) {
  const double inverse = static_cast<double>(target_size) / source_size;
  const double scale = 1.0 / inverse;
  const double at = scale * (target + 0.5) - 0.5;
  const int offset = static_cast<int>(std::floor(at));
  if (offset < 0 || source_size <= 1) return {0, 0};
  if (offset >= source_size - 1) return {source_size - 1, 0};
  return {offset, static_cast<std::int32_t>(std::lrint((at - offset) * 256.0))};
}

// Resizes along a row. The result is 8.8 fixed point, at most 255 * 256.
WINNOW_HOST_DEVICE inline std::uint32_t resize_across(std::uint32_t left, std::uint32_t right,
                                                      std::int32_t weight) {
  return left * static_cast<std::uint32_t>(256 - weight) + right * static_cast<std::uint32_t>(weight);
}

// Resizes between two rows of 8.8 values. Halves round up.
WINNOW_HOST_DEVICE inline std::uint8_t resize_down(std::uint32_t top, std::uint32_t bottom,
                                                   std::int32_t weight) {
  return static_cast<std::uint8_t>((top * static_cast<std::uint32_t>(256 - weight) +
                                    bottom * static_cast<std::uint32_t>(weight) + 32768) >>
                                   16);
}

}  // namespace winnow
