// Lists which of the 68 points of the iBUG scheme are joined in a drawing.
//
// Out:    runs of points that follow each other: jaw, brows, nose, eyes and lips.
// Memory: the list lives as long as the program.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <winnow/box.h>

namespace winnow {

// A closed contour goes on from its last point to its first.
struct FaceContour {
  std::size_t first, last;
  bool closed;
};

inline constexpr FaceContour kFaceContours[] = {{0, 16, false},  {17, 21, false}, {22, 26, false},
                                                {27, 30, false}, {31, 35, false}, {36, 41, true},
                                                {42, 47, true},  {48, 59, true},  {60, 67, true}};
inline constexpr std::size_t kFaceContourPoints = 68;
// The mean line of a face is a tenth of the side of the box around it. In another order of points it is
// half of it.
inline constexpr double kMostMeanLine = 0.25;

// The lines of a drawing as pairs of points. A shape of other points has no lines but dots, which are pairs
// of a point with itself. 68 points are of another order if the lines would be long.
inline std::vector<std::pair<std::size_t, std::size_t>> shape_lines(std::span<const Point> points) {
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  if (points.size() == kFaceContourPoints) {
    for (const FaceContour& contour : kFaceContours) {
      for (std::size_t i = contour.first; i < contour.last; ++i) lines.emplace_back(i, i + 1);
      if (contour.closed) lines.emplace_back(contour.last, contour.first);
    }
    double sum = 0, left = points[0].x, right = left, top = points[0].y, bottom = top;
    for (const auto& [from, to] : lines)
      sum += std::hypot(points[from].x - points[to].x, points[from].y - points[to].y);
    for (const Point& p : points) {
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
    const double side = std::max(right - left, bottom - top);
    if (sum <= kMostMeanLine * side * static_cast<double>(lines.size())) return lines;
    lines.clear();
  }
  for (std::size_t i = 0; i < points.size(); ++i) lines.emplace_back(i, i);
  return lines;
}

}  // namespace winnow
