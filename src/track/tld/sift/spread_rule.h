// Says how much the pixels of a window spread, from the window's sums and squares in integral planes.
//
// In:     the number of pixels, at most `kMostWindowArea`, and sums modulo 2^32.
// Out:    n times the sum of squares, less the square of the sum: the variance times n^2.
// Exact:  whole numbers; the same on host and device.
// Memory: nothing is allocated.
// Thread: any.
//
// Squares of p - 128 stay below 2^32 for so many pixels. So the same number modulo 2^32 is their sum.
#pragma once

#include <cstdint>

#include "base/device/host_device.h"

namespace winnow {

WINNOW_HOST_DEVICE inline std::uint64_t spread_of(std::uint32_t count, std::uint32_t sum,
                                                  std::uint32_t squares) {
  const std::uint32_t shifted_squares = squares - 256 * sum + (count << 14);
  const std::int64_t shifted = std::int64_t{sum} - (std::int64_t{count} << 7);
  return std::uint64_t{count} * shifted_squares - static_cast<std::uint64_t>(shifted * shifted);
}

// A window varies enough if its spread, as a double, is at least this. `least_variance`: of its pixels.
inline double least_spread(double least_variance, int width, int height) {
  const double pixels = static_cast<double>(width) * height;
  return least_variance * (pixels * pixels);
}

}  // namespace winnow
