// The plain vote of a pixel: the length of its gradient goes to one of nine orientations, as in papers that
// leave out interpolation.
//
// In:     differences of grey neighbours, from -255 to 255.
// Out:    a bin of 20 degrees, and the gradient's length for pixels from 0 to 1.
// Exact:  integers decide the bin. IEEE operations give the length, which is a whole multiple of 2^-32. So 64
//         bits hold sums of lengths exactly.
// Memory: nothing is allocated.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/device/host_device.h"

namespace bench {

inline constexpr int kBins = 9;
// Votes in whole numbers have this many units for each grey value of a gradient's length.
inline constexpr int kVoteUnits = 16;

// Bin k holds the angles from 20 k degrees to below 20 (k + 1). The gradient's sign does not matter.
WINNOW_HOST_DEVICE inline int hard_bin(std::int32_t dx, std::int32_t dy) {
  // The cosine and sine of 20, 40, 60 and 80 degrees, times 2^15.
  constexpr std::int32_t kCosine[4] = {30792, 25102, 16384, 5690}, kSine[4] = {11207, 21063, 28378, 32270};
  if (dy < 0 || (dy == 0 && dx < 0)) dx = -dx, dy = -dy;
  int bin = 0;
  for (int k = 0; k < 4; ++k) {
    bin += dy * kCosine[k] >= dx * kSine[k] ? 1 : 0;           // at least 20, 40, 60, 80 degrees
    bin += dy * -kCosine[3 - k] >= dx * kSine[3 - k] ? 1 : 0;  // at least 100, 120, 140, 160 degrees
  }
  return bin;
}

WINNOW_HOST_DEVICE inline float hard_length(std::int32_t dx, std::int32_t dy) {
  return std::sqrt(static_cast<float>(dx * dx + dy * dy)) / 255.f;
}

// The gradient's length in whole units, kVoteUnits for each grey value.
WINNOW_HOST_DEVICE inline std::uint32_t whole_length(std::int32_t dx, std::int32_t dy) {
  return static_cast<std::uint32_t>(
      std::rint(std::sqrt(static_cast<float>(dx * dx + dy * dy)) * static_cast<float>(kVoteUnits)));
}

// A length in units of 2^-32.
inline std::int64_t exact_length(float length) {
  return static_cast<std::int64_t>(static_cast<double>(length) * 4294967296.0);
}

// Mirrors a place outside of a row about the row's outermost pixels.
WINNOW_HOST_DEVICE inline int mirrored_place(int at, int size) {
  if (size == 1) return 0;
  if (at < 0) return -at;
  return at < size ? at : 2 * size - 2 - at;
}

}  // namespace bench
