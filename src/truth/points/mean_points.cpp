#include "truth/points/mean_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace winnow {
namespace {

// The rotation and scale that turns `b` best to `a`, not divided by the size: sum of a * conjugate(b).
Point turn_to(std::span<const Point> a, std::span<const Point> b) {
  Point sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum.x += a[i].x * b[i].x + a[i].y * b[i].y;
    sum.y += a[i].y * b[i].x - a[i].x * b[i].y;
  }
  return sum;
}

}  // namespace

std::vector<Point> normal_shape(std::span<const Point> points) {
  const double count = static_cast<double>(points.size());
  Point middle;
  for (const Point& p : points) middle = {middle.x + p.x / count, middle.y + p.y / count};
  double squares = 0;
  for (const Point& p : points)
    squares += (p.x - middle.x) * (p.x - middle.x) + (p.y - middle.y) * (p.y - middle.y);
  const double size = std::sqrt(squares / count);
  if (!(size > 1e-9 && std::isfinite(size))) return {};
  std::vector<Point> shape;
  for (const Point& p : points) shape.push_back({(p.x - middle.x) / size, (p.y - middle.y) / size});
  return shape;
}

std::vector<Point> mean_of_faces(std::span<const std::vector<Point>> faces) {
  constexpr int kPasses = 4;  // the first pass turns no face
  std::vector<Point> mean;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<Point> sum;
    for (const std::vector<Point>& face : faces) {
      const std::vector<Point> shape = normal_shape(face);
      if (shape.empty()) continue;
      Point turn{1, 0};
      if (!mean.empty()) {
        turn = turn_to(mean, shape);
        const double length = std::hypot(turn.x, turn.y);
        if (!(length > 0)) continue;
        turn = {turn.x / length, turn.y / length};
      }
      sum.resize(shape.size());
      for (std::size_t i = 0; i < shape.size(); ++i) {
        sum[i].x += turn.x * shape[i].x - turn.y * shape[i].y;
        sum[i].y += turn.x * shape[i].y + turn.y * shape[i].x;
      }
    }
    mean = sum.empty() ? sum : normal_shape(sum);
    if (mean.empty()) break;
  }
  return mean;
}

double shape_distance(std::span<const Point> a, std::span<const Point> b) {
  const Point turn = turn_to(a, b);
  const double count = static_cast<double>(a.size());
  return std::sqrt(std::max(0.0, 2 - 2 * std::hypot(turn.x, turn.y) / count));
}

}  // namespace winnow
