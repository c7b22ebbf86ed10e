// Turns a picture upright, as image/files/exif.h declares; its opening comment holds here.
#include <algorithm>

#include "image/files/exif.h"

namespace winnow {
namespace {

template <class Pixel>
void mirror_rows(Image<Pixel>& image) {
  for (int y = 0; y < image.height(); ++y) std::reverse(image.row(y), image.row(y) + image.width());
}

template <class Pixel>
void mirror_columns(Image<Pixel>& image) {
  for (int y = 0; y < image.height() / 2; ++y) {
    std::swap_ranges(image.row(y), image.row(y) + image.width(), image.row(image.height() - 1 - y));
  }
}

// Works in squares of pixels, so that reads and writes both stay in the cache.
template <class Pixel>
Image<Pixel> transposed(const Image<Pixel>& image) {
  constexpr int kSquare = 32;
  Image<Pixel> result(image.height(), image.width());
  for (int y0 = 0; y0 < image.height(); y0 += kSquare) {
    const int y1 = std::min(y0 + kSquare, image.height());
    for (int x0 = 0; x0 < image.width(); x0 += kSquare) {
      const int x1 = std::min(x0 + kSquare, image.width());
      for (int x = x0; x < x1; ++x) {
        Pixel* to = result.row(x);
        for (int y = y0; y < y1; ++y) to[y] = image.row(y)[x];
      }
    }
  }
  return result;
}

template <class Pixel>
void turn(Image<Pixel>& image, int orientation) {
  if (image.empty()) return;
  if (orientation >= 5) image = transposed(image);
  // After the transposition, some orientations need mirroring. Orientation 5 needs only the transposition.
  if (orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7) mirror_rows(image);
  if (orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8) mirror_columns(image);
}

}  // namespace

void turn_upright(Picture& picture, int orientation) {
  turn(picture.gray, orientation);
  turn(picture.color, orientation);
}

}  // namespace winnow
