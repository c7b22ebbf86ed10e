// Copies a picture into a larger one, with a border that mirrors the picture.
//
// In:     a picture (any stride) that is not empty, the border's width in pixels, and the place of the copy.
//         Each side of the copy is the picture's side plus twice the width.
// Out:    the copy. A pixel n pixels beyond an edge pixel equals the one n pixels inside of that edge pixel.
//         The edge pixel itself is not repeated (OpenCV's BORDER_REFLECT_101). If the border is wider than
//         the picture, the picture is mirrored again and again.
// Exact:  copies of the picture's pixels.
// Memory: the caller owns picture and copy. Nothing is allocated.
// Thread: any.
#pragma once

#include <winnow/image.h>

#include "base/device/host_device.h"

namespace winnow {

// Reflects a coordinate at the edge pixels 0 and `size` - 1, as often as needed, until it lies between them.
WINNOW_HOST_DEVICE constexpr int mirrored(int at, int size) {
  if (at >= 0 && at < size) return at;
  if (size == 1) return 0;
  const int period = 2 * (size - 1);
  at %= period;
  if (at < 0) at += period;
  return at < size ? at : period - at;
}

// The width of the border in pixels: `border` times the picture's longer side. Halves round to even. The
// width is 0 for an empty picture.
int border_margin(Size picture, double border);
inline Size bordered_size(Size picture, int margin) {
  return {picture.width + 2 * margin, picture.height + 2 * margin};
}

void add_border(GrayView picture, int margin, ImageView<std::uint8_t> copy);
void add_border(RgbView picture, int margin, ImageView<Rgb> copy);

}  // namespace winnow
