// Decides which points of a label and of a shape are compared, and the lengths that divide distances.
//
// In:     the points of a label, and the number of points of a shape.
// Out:    pairs of points; lengths in pixels.
// Exact:  doubles by single IEEE operations in a fixed order.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <winnow/box.h>
#include <winnow/eval_landmarks.h>

namespace winnow {

inline constexpr std::size_t kAllPoints = 68;

// The pairs of points that are compared. `count` is 0 if the numbers of points do not fit together.
struct ComparedPoints {
  std::size_t count = 0;
  bool five_of_label = false, five_of_shape = false;
  std::size_t label(std::size_t i) const { return five_of_label ? kFiveOf68[i] : i; }
  std::size_t shape(std::size_t i) const { return five_of_shape ? kFiveOf68[i] : i; }
};

inline ComparedPoints compared_points(std::size_t label, std::size_t shape) {
  if (label == shape) return {label, false, false};
  if (label == kAllPoints && shape == kFiveOf68.size()) return {shape, true, false};
  if (label == kFiveOf68.size() && shape == kAllPoints) return {label, false, true};
  return {};
}

inline double distance_of(const Point& a, const Point& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

// The mean of the points `first` to `last`.
inline Point mean_of(std::span<const Point> points, std::size_t first, std::size_t last) {
  Point sum;
  for (std::size_t i = first; i <= last; ++i) sum.x += points[i].x, sum.y += points[i].y;
  const double count = static_cast<double>(last - first + 1);
  return {sum.x / count, sum.y / count};
}

// The box around the points; there must be a point.
inline RealBox box_around(std::span<const Point> points) {
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (const Point& p : points) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  return {left, top, right - left, bottom - top};
}

// The lengths of a label by norm; NaN if the label lacks the norm, or if the length is 0.
struct FaceLengths {
  double pupils, eye_corners, side;
};

inline FaceLengths lengths_of(std::span<const Point> points) {
  const auto length = [](double value) {
    return value > 0 ? value : std::numeric_limits<double>::quiet_NaN();
  };
  const RealBox box = box_around(points);
  const double side = length(std::sqrt(box.width * box.height)), none = length(0);
  if (points.size() == kAllPoints) {
    return {length(distance_of(mean_of(points, 36, 41), mean_of(points, 42, 47))),
            length(distance_of(points[36], points[45])), side};
  }
  if (points.size() == kFiveOf68.size()) {
    return {length(distance_of(mean_of(points, 0, 1), mean_of(points, 2, 3))),
            length(distance_of(points[0], points[3])), side};
  }
  return {none, none, side};
}

}  // namespace winnow
