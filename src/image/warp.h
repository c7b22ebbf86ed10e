// Samples a piece of a picture as a window of another size, moved, turned and scaled by an affine map.
//
// In:     a grey picture, not empty and not copied, and the map from the window to the picture, in finite
//         numbers. Nothing is checked.
// Out:    the window's pixels, in memory of the caller. Outside the picture, its edge pixels are repeated.
// Exact:  the same bytes on every machine: only single IEEE operations in a fixed order make them.
// Memory: nothing is allocated.
// Thread: any.
// Cost:   a tap for each pixel of the picture under the window, or for each pixel of the window if these are
//         more.
//
// A pixel of the window is the mean of a grid of bilinear taps. Taps are at most 1 + 1/64 pixels of the
// picture apart, up to 256 taps a side. A large reduction therefore averages areas and never picks pixels.
#pragma once

#include <cstdint>

#include <winnow/box.h>
#include <winnow/image.h>

namespace winnow {

// A map from the window to the picture, both in pixels with a pixel's middle at .5.
struct Affine {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
  Point at(double x, double y) const { return {x0 + xx * x + xy * y, y0 + yx * x + yy * y}; }
  bool operator==(const Affine&) const = default;
};
// The map that applies `inner` first and `outer` second.
Affine compose(const Affine& outer, const Affine& inner);
// The map from the upright window onto the box.
Affine place_box(const RealBox& box, Size window);

void sample_affine(GrayView picture, const Affine& place, ImageView<std::uint8_t> window);

// The value at a point between pixels. `x` and `y` count in pixels from the middle of the first pixel.
double bilinear(GrayView picture, double x, double y);
// The number of taps on a line of `length` pixels, so that taps are at most 1 + 1/64 pixels apart. At least
// 1 and at most 256.
int taps_along(double length);
// Rounds to the nearest whole number from 0 to 255. Halves round up.
std::uint8_t to_byte(double value);

// Cosine and sine, the same on every machine. The C library's results differ between machines in the last
// bit.
struct Rotation {
  double cos = 1, sin = 0;
};
// `radians` must be from -pi to pi.
Rotation rotation_by(double radians);

}  // namespace winnow
