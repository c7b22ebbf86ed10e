// Measures the points of a face.
//
// In:     the points that a label marks.
// Out:    distances and lengths in pixels, and boxes around points.
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
#include <winnow/truth.h>

namespace winnow {

// Whether a label has the points of a face, and is not to be ignored.
inline bool marks_face(const Label& label) { return !label.ignore && !label.points.empty(); }

inline constexpr std::size_t kAllPoints = 68;

inline double distance_of(const Point& a, const Point& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

// The mean of the points `first` to `last`, both included.
inline Point mean_of(std::span<const Point> points, std::size_t first, std::size_t last) {
  Point sum;
  for (std::size_t i = first; i <= last; ++i) sum.x += points[i].x, sum.y += points[i].y;
  const double count = static_cast<double>(last - first + 1);
  return {sum.x / count, sum.y / count};
}

// The box around the points; there must be at least one.
inline RealBox box_around(std::span<const Point> points) {
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (const Point& p : points) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  return {left, top, right - left, bottom - top};
}

// Lengths of a face in pixels, by which errors of points are divided. A length is NaN if the points do not
// give it, or if it is 0. 68 points must be those of iBUG 300-W, and 5 points `kFiveOf68` (winnow/truth.h).
// `side` is the square root of the area of the box around the points.
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

// The length in pixels by which a training divides errors: the distance between the pupils. If that is NaN,
// it is `FaceLengths::side`. If that is NaN, too, it is the longer side of the box around the points.
inline double main_length(std::span<const Point> points) {
  const FaceLengths lengths = lengths_of(points);
  if (!std::isnan(lengths.pupils)) return lengths.pupils;
  if (!std::isnan(lengths.side)) return lengths.side;
  const RealBox box = box_around(points);
  return std::max(box.width, box.height);
}

}  // namespace winnow
