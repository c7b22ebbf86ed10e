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
    Pixel* right = to + margin + picture.width;
    for (int i = 0; i < margin; ++i) {
      to[i] = from[mirrored(i - margin, picture.width)];
      right[i] = from[mirrored(picture.width + i, picture.width)];
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
