// Lists which of the 68 points of the iBUG scheme are joined in a drawing.
//
// Out:    runs of points that follow each other: jaw, brows, nose, eyes and lips.
// Memory: the list lives as long as the program.
// Thread: any.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

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

// The lines of a drawing as pairs of points. A shape of another number of points has no lines but dots, which
// are pairs of a point with itself.
inline std::vector<std::pair<std::size_t, std::size_t>> shape_lines(std::size_t points) {
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  if (points != kFaceContourPoints) {
    for (std::size_t i = 0; i < points; ++i) lines.emplace_back(i, i);
    return lines;
  }
  for (const FaceContour& contour : kFaceContours) {
    for (std::size_t i = contour.first; i < contour.last; ++i) lines.emplace_back(i, i + 1);
    if (contour.closed) lines.emplace_back(contour.last, contour.first);
  }
  return lines;
}

}  // namespace winnow
