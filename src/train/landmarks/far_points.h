// Tells whether a point lies so far away that no picture can hold it.
//
// In:     points, which may be NaN.
// Out:    true if a coordinate of a point is NaN, or 2^20 pixels or more from 0. The coordinates of all other
//         points, relative to any box, fit 64 bits.
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
