// Finds in a mean shape which points change places when a picture is mirrored.
//
// In:     a normal shape (mean_points.h), upright but for 20 degrees.
// Out:    the pairs under which the reflected shape fits best, if they are clearly best.
// Exact:  doubles in a fixed order.
// Memory: the caller owns the result.
// Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>

namespace winnow {

struct MirrorPairs {
  // For each point the point that it becomes. Empty: no pairs are clearly best.
  std::vector<std::uint16_t> mirrored;
  // How far the reflected shape lies from the shape under the best pairs, as a part of its size. The pairs
  // need not be clear.
  double distance = 0;
  // How many times farther off it is under the second best pairs.
  double lead = 0;
};

// Up to 8 points every pairing is tried. More points are assigned with the least sum of squares, and compared
// with pairings in which two pairs, or a pair and a point, differ.
MirrorPairs find_mirror_pairs(std::span<const Point> shape);

}  // namespace winnow
