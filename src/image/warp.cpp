#include "image/warp.h"

#include <algorithm>
#include <cmath>

namespace winnow {

Affine compose(const Affine& outer, const Affine& inner) {
  const Point origin = outer.at(inner.x0, inner.y0);
  return {outer.xx * inner.xx + outer.xy * inner.yx, outer.xx * inner.xy + outer.xy * inner.yy, origin.x,
          outer.yx * inner.xx + outer.yy * inner.yx, outer.yx * inner.xy + outer.yy * inner.yy, origin.y};
}

Affine place_box(const RealBox& box, Size window) {
  return {box.width / window.width, 0, box.x, 0, box.height / window.height, box.y};
}

double bilinear(GrayView picture, double x, double y) {
  x = std::clamp(x, 0.0, static_cast<double>(picture.width - 1));
  y = std::clamp(y, 0.0, static_cast<double>(picture.height - 1));
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const int right = std::min(left + 1, picture.width - 1), below = std::min(top + 1, picture.height - 1);
  const double fx = x - left, fy = y - top;
  const std::uint8_t* first = picture.row(top);
  const std::uint8_t* second = picture.row(below);
  const double above = first[left] + (first[right] - first[left]) * fx;
  const double under = second[left] + (second[right] - second[left]) * fx;
  return above + (under - above) * fy;
}

int taps_along(double length) {
  // Up to 1 + 1/64 pixels take one tap. Without the slack of 1/64, a window of the picture's own size would
  // be blurred if rounding makes its step a little longer than 1. More than 256 taps cost much and change
  // nothing visible.
  return static_cast<int>(std::clamp(std::ceil(length - 1.0 / 64), 1.0, 256.0));
}

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::floor(std::clamp(value, 0.0, 255.0) + 0.5));
}

void sample_affine(GrayView picture, const Affine& place, ImageView<std::uint8_t> window) {
  // The length of a step is the number of columns plus the number of rows that the step crosses. A slanted
  // step of one pixel's length crosses more than one pixel, so taps a pixel apart would miss pixels.
  const int across = taps_along(std::abs(place.xx) + std::abs(place.yx));
  const int down = taps_along(std::abs(place.xy) + std::abs(place.yy));
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      double sum = 0;
      for (int j = 0; j < down; ++j) {
        const double v = y + (j + 0.5) / down;
        for (int i = 0; i < across; ++i) {
          const Point at = place.at(x + (i + 0.5) / across, v);
          sum += bilinear(picture, at.x - 0.5, at.y - 0.5);
        }
      }
      window.row(y)[x] = to_byte(sum / (across * down));
    }
  }
}

Rotation rotation_by(double radians) {
  Rotation rotation{0, 0};
  double power = 1;  // radians^n / n!
  for (int n = 0; n < 32; ++n) {
    double& sum = n % 2 == 0 ? rotation.cos : rotation.sin;
    sum += n % 4 < 2 ? power : -power;
    power = power * radians / (n + 1);
  }
  return rotation;
}

}  // namespace winnow
