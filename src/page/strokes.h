// Gives strokes that show edges, and the colours that drawings of HOG models use.
//
// In:     the ends of a stroke, and a point; two colours.
// Out:    the distance of the point from the stroke; a mixture of the colours.
// Memory: values only.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <winnow/image.h>

namespace winnow {

inline constexpr Rgb kPaper{250, 250, 248}, kInk{40, 40, 40}, kPale{120, 120, 120};
inline constexpr Rgb kNight{22, 24, 30}, kFor{255, 224, 150}, kAgainst{140, 200, 255};

struct Stroke {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // in pixels from the middle of a cell

  double distance(double x, double y) const {
    const double dx = x1 - x0, dy = y1 - y0, squares = dx * dx + dy * dy;
    const double along = std::clamp(((x - x0) * dx + (y - y0) * dy) / std::max(squares, 1e-12), 0.0, 1.0);
    return std::hypot(x - x0 - along * dx, y - y0 - along * dy);
  }
};

inline std::uint8_t mixed(std::uint8_t from, std::uint8_t to, double fraction) {
  return static_cast<std::uint8_t>(std::lround(from + (to - from) * fraction));
}
inline Rgb mixed(Rgb from, Rgb to, double fraction) {
  return {mixed(from.r, to.r, fraction), mixed(from.g, to.g, fraction), mixed(from.b, to.b, fraction)};
}

}  // namespace winnow
