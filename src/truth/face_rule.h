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
#include <cstdint>
#include <limits>
#include <span>

#include <winnow/box.h>
#include <winnow/point_scheme.h>
#include <winnow/truth.h>

namespace winnow {

// Whether a label has the points of a face, and is not to be ignored.
inline bool marks_face(const Label& label) { return !label.ignore && !label.points.empty(); }

inline double distance_of(const Point& a, const Point& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

// The mean of the points with these numbers.
inline Point mean_of(std::span<const Point> points, std::span<const std::uint16_t> numbers) {
  Point sum;
  for (const std::uint16_t i : numbers) sum.x += points[i].x, sum.y += points[i].y;
  const double count = static_cast<double>(numbers.size());
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

// Lengths of a face in pixels, by which errors of points are divided. A length is NaN if the scheme does not
// tell it, or if it is 0. `side` is the square root of the area of the box around the points.
struct FaceLengths {
  double pupils, eye_corners, side;
};

inline FaceLengths lengths_of(std::span<const Point> points, const PointScheme& scheme) {
  const auto length = [](double value) {
    return value > 0 ? value : std::numeric_limits<double>::quiet_NaN();
  };
  const RealBox box = box_around(points);
  const double side = length(std::sqrt(box.width * box.height)), none = length(0);
  FaceLengths lengths{none, none, side};
  if (scheme.has_eyes())
    lengths.pupils = length(distance_of(mean_of(points, scheme.left_eye), mean_of(points, scheme.right_eye)));
  if (scheme.outer_corners.size() == 2)
    lengths.eye_corners =
        length(distance_of(points[scheme.outer_corners[0]], points[scheme.outer_corners[1]]));
  return lengths;
}

// The length in pixels by which a training divides errors: the distance between the pupils. If that is NaN,
// it is `FaceLengths::side`. If that is NaN, too, it is the longer side of the box around the points.
inline double main_length(std::span<const Point> points, const PointScheme& scheme) {
  const FaceLengths lengths = lengths_of(points, scheme);
  if (!std::isnan(lengths.pupils)) return lengths.pupils;
  if (!std::isnan(lengths.side)) return lengths.side;
  const RealBox box = box_around(points);
  return std::max(box.width, box.height);
}

}  // namespace winnow
