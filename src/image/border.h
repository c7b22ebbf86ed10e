// Copies a picture into a larger one, with a border that mirrors the picture.
//
// In:     a picture (any stride) that is not empty, the border's width, and the place of the copy. The copy's
//         sides are the picture's plus twice the width, which may exceed the picture's sides.
// Out:    the copy. A pixel at a distance beyond an edge equals the pixel at that distance inside the edge.
//         The edge's own pixel occurs once: OpenCV's BORDER_REFLECT_101. A border wider than the picture is
//         mirrored again.
// Exact:  copies of the picture's pixels.
// Memory: the caller owns both. Nothing is allocated.
// Thread: any.
#pragma once

#include <winnow/image.h>

#include "base/device/host_device.h"

namespace winnow {

// Maps a coordinate beyond the edges to the coordinate from 0 to `size` - 1 that it mirrors, about the edge
// pixels and as often as needed.
WINNOW_HOST_DEVICE constexpr int mirrored(int at, int size) {
  if (at >= 0 && at < size) return at;
  if (size == 1) return 0;
  const int period = 2 * (size - 1);
  at %= period;
  if (at < 0) at += period;
  return at < size ? at : period - at;
}

// The width of the border in pixels: the fraction `border` of the picture's longer side, halves rounded to
// even. 0 for an empty picture.
int border_margin(Size picture, double border);
inline Size bordered_size(Size picture, int margin) {
  return {picture.width + 2 * margin, picture.height + 2 * margin};
}

void add_border(GrayView picture, int margin, ImageView<std::uint8_t> copy);
void add_border(RgbView picture, int margin, ImageView<Rgb> copy);

}  // namespace winnow
