// Tells which windows vary enough, among those that begin at neighbouring pixels of a row, with SIMD.
//
// In:     rows of integral planes, and the size of the windows.
// Out:    a bit for each pixel: 1 if the window that begins there varies enough.
// Exact:  as `spread_of` and `least_spread` (`spread_rule.h`): a spread is below 2^53, so it is a double.
// Memory: plain data.
// Thread: any.
#pragma once

#include <cstdint>

#include <winnow/box.h>

namespace winnow {

inline constexpr int kSpreadLanes = 64;

// The rows above and at the lower end of windows, from the first pixel on at which a window begins.
struct SpreadRows {
  const std::uint32_t *top_sums, *bottom_sums, *top_squares, *bottom_squares;
};

// `wanted`: the number of pixels that are asked for, at most `kSpreadLanes` and `pixels`. At most so many bits
// count. `pixels`: the number of pixels at which windows may begin.
std::uint64_t find_varied_lanes(const SpreadRows& rows, Size window, double least_spread, int wanted,
                                int pixels);

}  // namespace winnow
