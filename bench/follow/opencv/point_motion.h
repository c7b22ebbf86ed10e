// Sums up how points moved: how far, and how much further apart they are now. The rival of a bench moves its
// box by this motion.
//
// In:     places of the same points in two pictures, and whether each point was found in the second.
// Out:    medians over the found points. Without a found point, no motion.
// Exact:  doubles in a fixed order. A median of an even count is the upper one.
// Memory: lists of the points' motions, and of the ratios of all pairs.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bench {

struct PointMotion {
  double right = 0, down = 0;  // the median motion along x and y
  double scale = 1;            // the median ratio of the distances of two points
  std::size_t points = 0;      // count of found points
};

inline double upper_median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// `Point` has members x and y.
template <class Point>
PointMotion point_motion(const std::vector<Point>& from, const std::vector<Point>& to,
                         const std::vector<unsigned char>& found) {
  PointMotion motion;
  std::vector<double> right, down, scale;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (found[i] == 0) continue;
    right.push_back(to[i].x - from[i].x);
    down.push_back(to[i].y - from[i].y);
    for (std::size_t k = 0; k < i; ++k) {
      if (found[k] == 0) continue;
      const double before = std::hypot(from[i].x - from[k].x, from[i].y - from[k].y);
      if (before > 0) scale.push_back(std::hypot(to[i].x - to[k].x, to[i].y - to[k].y) / before);
    }
  }
  motion.points = right.size();
  if (!right.empty()) {
    motion.right = upper_median(right);
    motion.down = upper_median(down);
  }
  if (!scale.empty()) motion.scale = upper_median(scale);
  return motion;
}

}  // namespace bench
