#include "train/samples/picture_planes.h"

#include <algorithm>
#include <cmath>

namespace winnow {
namespace {

// kMostEnlarged: a place may be enlarged at most this many times to fill the window. A sample that is
// enlarged more shows mainly the artefacts of enlargement. kMostOfPicture: the longer side of a place may be
// at most this many times the longer side of its picture.
constexpr double kMostEnlarged = 2, kMostOfPicture = 4;

}  // namespace

const char* what_is_wrong(const Affine& place, Size picture, Size window) {
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  for (const int corner : {0, 1, 2, 3}) {
    const Point p = place.at(corner % 2 * window.width, corner / 2 * window.height);
    // Larger coordinates would lose fractions of a pixel, or overflow an index.
    if (!(std::abs(p.x) < 1e9 && std::abs(p.y) < 1e9)) return "is no place in a picture";
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  if (right <= 0 || bottom <= 0 || left >= picture.width || top >= picture.height)
    return "lies outside its picture";
  // In a far larger place, each pixel of the window would be the mean of many pixels, most of them beyond the
  // picture's edge.
  if (std::max(right - left, bottom - top) > kMostOfPicture * std::max(picture.width, picture.height))
    return "is far larger than its picture";
  const double across = std::sqrt(place.xx * place.xx + place.yx * place.yx) * kMostEnlarged;
  const double down = std::sqrt(place.xy * place.xy + place.yy * place.yy) * kMostEnlarged;
  return across < 1 || down < 1 ? "is smaller than half the window" : nullptr;
}

}  // namespace winnow
