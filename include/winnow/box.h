// Gives sizes, points and boxes in pixels.
//
// In:     nothing; the caller fills plain values.
// Out:    values in pixels. x runs to the right and y runs down. A box includes its left and top edges, but
//         not its right and bottom edges.
// Exact:  coordinates are integers; those of `Point` and `RealBox` are doubles.
#pragma once

#include <compare>

namespace winnow {

struct Size {
  int width = 0;
  int height = 0;
  auto operator<=>(const Size&) const = default;
};

// A pixel by its column and row; it may lie outside of a picture.
struct PixelPoint {
  int x = 0;
  int y = 0;
  auto operator<=>(const PixelPoint&) const = default;
};

struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  auto operator<=>(const Box&) const = default;
};

// A point in real coordinates. The middle of the first pixel is (0.5, 0.5), so a RealBox of whole numbers
// covers whole pixels.
struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct RealBox {
  double x = 0, y = 0, width = 0, height = 0;
  bool operator==(const RealBox&) const = default;
};

// The intersection of `box` and a picture of this size. Width or height is 0 if they do not intersect.
constexpr Box clip(const Box& box, Size size) {
  const long long right = static_cast<long long>(box.x) + box.width,
                  bottom = static_cast<long long>(box.y) + box.height;
  const int x0 = box.x < 0 ? 0 : box.x, y0 = box.y < 0 ? 0 : box.y;
  const int x1 = right < size.width ? static_cast<int>(right) : size.width;
  const int y1 = bottom < size.height ? static_cast<int>(bottom) : size.height;
  return {x0, y0, x1 < x0 ? 0 : x1 - x0, y1 < y0 ? 0 : y1 - y0};
}

}  // namespace winnow
