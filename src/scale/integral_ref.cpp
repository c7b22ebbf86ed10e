// Makes integral planes in plain loops, as scale/integral.h declares; its opening comment holds here.
#include "scale/integral.h"

#include <vector>

namespace winnow {
namespace {

// A value of the plane is the value above it plus the sum of the row's pixels so far.
template <class Value>
void sums(GrayView picture, PlaneView plane, Value value) {
  for (int x = 0; x <= picture.width; ++x) plane.row(0)[x] = 0;
  for (int y = 0; y < picture.height; ++y) {
    std::uint32_t row = 0;
    plane.row(y + 1)[0] = 0;
    for (int x = 0; x < picture.width; ++x) {
      row += value(static_cast<std::uint32_t>(picture.row(y)[x]));
      plane.row(y + 1)[x + 1] = plane.row(y)[x + 1] + row;
    }
  }
}

// Each triangle's sum begins with the sum of the triangle one row higher. The sums of the two diagonals that
// end in the triangle's lowest pixel are added. That pixel is subtracted, since it lies on both diagonals.
// `up_left` and `up_right` hold the sums of the diagonals that end in each pixel of the newest row.
void tilted_sums(GrayView picture, PlaneView plane) {
  const int width = picture.width;
  std::vector<std::uint32_t> up_left(static_cast<std::size_t>(width) + 2), up_right(up_left),
      last_left(up_left),
      last_right(up_left);  // index i + 1 is pixel i; one more entry at each side lies outside the picture
  for (int x = 0; x <= width; ++x) plane.row(0)[x] = 0;
  for (int y = 0; y < picture.height; ++y) {
    const auto pixel = [&](int x) -> std::uint32_t { return x >= 0 && x < width ? picture.row(y)[x] : 0; };
    for (int x = -1; x <= width; ++x) {
      up_left[x + 1] = pixel(x) + (x >= 0 ? last_left[x] : 0);
      up_right[x + 1] = pixel(x) + (x < width ? last_right[x + 2] : 0);
    }
    for (int x = 0; x <= width; ++x) {
      plane.row(y + 1)[x] = plane.row(y)[x] + up_left[x] + up_right[x] - pixel(x - 1);
    }
    last_left.swap(up_left);
    last_right.swap(up_right);
  }
}

}  // namespace

void integral_ref(GrayView picture, const IntegralPlanes& planes) {
  if (planes.sum.data) sums(picture, planes.sum, [](std::uint32_t p) { return p; });
  if (planes.square.data) sums(picture, planes.square, [](std::uint32_t p) { return p * p; });
  if (planes.tilted.data) tilted_sums(picture, planes.tilted);
}

}  // namespace winnow
