// Says whether points lie so far away that no picture can hold them.
//
// In:     points, which may be NaN.
// Out:    true if a point is no place within a million pixels. The coordinates of nearer points fit 64 bits
//         in any box.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <winnow/box.h>
#include <winnow/truth.h>

namespace winnow {

inline bool is_far(const std::vector<Point>& points) {
  constexpr double kFar = 1 << 20;
  return std::any_of(points.begin(), points.end(), [](const Point& point) {
    return !(std::abs(point.x) < kFar && std::abs(point.y) < kFar);
  });
}

}  // namespace winnow
