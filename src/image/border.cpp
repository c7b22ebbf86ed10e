#include "image/border.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace winnow {
namespace {

template <class Pixel>
void add(ImageView<const Pixel> picture, int margin, ImageView<Pixel> copy) {
  const auto row_bytes = [](int pixels) { return static_cast<std::size_t>(pixels) * sizeof(Pixel); };
  for (int y = 0; y < picture.height; ++y) {
    const Pixel* from = picture.row(y);
    Pixel* to = copy.row(y + margin);
    std::memcpy(static_cast<void*>(to + margin), from, row_bytes(picture.width));
    Pixel* const first = to + margin;
    Pixel* const last = first + picture.width - 1;
    const int once = std::min(margin, picture.width - 1);  // pixels of the border that are mirrored once
    for (int i = 1; i <= once; ++i) {
      first[-i] = from[i];
      last[i] = from[picture.width - 1 - i];
    }
    for (int i = once + 1; i <= margin; ++i) {
      first[-i] = from[mirrored(-i, picture.width)];
      last[i] = from[mirrored(picture.width - 1 + i, picture.width)];
    }
  }
  for (int i = 0; i < margin; ++i) {
    const int below = margin + picture.height + i;
    std::memcpy(static_cast<void*>(copy.row(i)), copy.row(margin + mirrored(i - margin, picture.height)),
                row_bytes(copy.width));
    std::memcpy(static_cast<void*>(copy.row(below)),
                copy.row(margin + mirrored(picture.height + i, picture.height)), row_bytes(copy.width));
  }
}

}  // namespace

int border_margin(Size picture, double border) {
  if (picture.width <= 0 || picture.height <= 0) return 0;
  return static_cast<int>(std::lrint(border * std::max(picture.width, picture.height)));
}

void add_border(GrayView picture, int margin, ImageView<std::uint8_t> copy) {
  add<std::uint8_t>(picture, margin, copy);
}
void add_border(RgbView picture, int margin, ImageView<Rgb> copy) { add<Rgb>(picture, margin, copy); }

}  // namespace winnow
