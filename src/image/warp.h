// A part of a picture as a window of another size, moved, turned and scaled by an affine map. In: a grey
// picture and where the window lies in it. Out: the window's pixels. exact: the same bytes on every machine,
// since only single IEEE operations in a fixed order make them. A pixel of the window is the mean of a grid
// of bilinear taps, not more than a pixel of the picture apart: reducing by much averages areas instead of
// picking pixels. What lies outside the picture has the colour of its edge. Cost: a tap for each pixel of the
// picture under the window, or each pixel of the window where it is the larger one.
#pragma once

#include <cstdint>

#include <winnow/box.h>
#include <winnow/image.h>

namespace winnow {

// From the window to the picture, both in pixels with a pixel's middle at .5.
struct Affine {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
  Point at(double x, double y) const { return {x0 + xx * x + xy * y, y0 + yx * x + yy * y}; }
  bool operator==(const Affine&) const = default;
};
// First `inner`, then `outer`.
Affine compose(const Affine& outer, const Affine& inner);
// The window as this upright part of the picture.
Affine place_box(const RealBox& box, Size window);

void sample_affine(GrayView picture, const Affine& place, ImageView<std::uint8_t> window);

// The value between pixels; `x` and `y` count from the middle of the first pixel.
double bilinear(GrayView picture, double x, double y);
// How many taps along a line of `length` pixels keep them a pixel apart.
int taps_along(double length);
// 0 to 255, rounded.
std::uint8_t to_byte(double value);

// Not the C library's: those differ in the last bit from machine to machine. For angles within a turn of 180
// degrees either way.
struct Turn {
  double cos = 1, sin = 0;
};
Turn turn_by(double radians);

}  // namespace winnow
