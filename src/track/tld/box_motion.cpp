#include "track/tld/box_motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace winnow {
namespace {

constexpr double kMargin = 5;  // pixels between the box and its outermost points; a quarter of a small side
constexpr double kMostBack = 10;  // flow failed if half of the points come back farther away, in pixels
constexpr double kLeastSide = 4, kMostSides = 4;  // of a box: in pixels, and in sides of the frame
constexpr std::size_t kLeastPoints = 4;

double distance(double x, double y) { return std::sqrt(x * x + y * y); }

// Where a point was and where it is.
struct Step {
  double x, y, to_x, to_y;
};

bool came_back(const FlowResult& point) { return point.found != 0 && std::isfinite(point.back_distance); }

}  // namespace

// The lower one of two middle values alone would draw a growing box to the left.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

bool is_torn(std::span<const FlowResult> flow, int enlarged) {
  std::vector<double> back;
  for (const FlowResult& point : flow)
    if (came_back(point)) back.push_back(static_cast<double>(point.back_distance));
  return back.size() < kLeastPoints || median_of(back) > kMostBack * enlarged;
}

void grid_points(const RealBox& box, std::vector<FlowPlace>& points) {
  points.clear();
  const double across = std::min(kMargin, box.width / 4), down = std::min(kMargin, box.height / 4);
  for (int j = 0; j < kGridSide; ++j) {
    for (int i = 0; i < kGridSide; ++i) {
      // A box counts from the corner of the first pixel, flow from its middle.
      const double x = box.x - 0.5 + across + (box.width - 2 * across) * i / (kGridSide - 1);
      const double y = box.y - 0.5 + down + (box.height - 2 * down) * j / (kGridSide - 1);
      points.push_back({static_cast<float>(x), static_cast<float>(y)});
    }
  }
}

std::optional<RealBox> moved_box(const RealBox& box, std::span<const FlowPlace> points,
                                 std::span<const FlowResult> flow, Size frame, int enlarged,
                                 FlowSigns* signs) {
  if (is_torn(flow, enlarged)) return std::nullopt;
  std::vector<double> back, alike;
  for (const FlowResult& point : flow) {
    if (!came_back(point)) continue;
    back.push_back(static_cast<double>(point.back_distance));
    alike.push_back(static_cast<double>(point.ncc));
  }
  const double most_back = median_of(back), least_alike = median_of(alike);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const FlowResult& point = flow[i];
    if (point.found == 0 || !(static_cast<double>(point.back_distance) <= most_back) ||
        static_cast<double>(point.ncc) < least_alike)
      continue;
    steps.push_back({static_cast<double>(points[i].x), static_cast<double>(points[i].y),
                     static_cast<double>(point.place.x), static_cast<double>(point.place.y)});
  }
  if (steps.size() < 2) return std::nullopt;
  std::vector<double> right, down, growth;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    right.push_back(steps[i].to_x - steps[i].x);
    down.push_back(steps[i].to_y - steps[i].y);
    for (std::size_t j = i + 1; j < steps.size(); ++j) {
      growth.push_back(distance(steps[i].to_x - steps[j].to_x, steps[i].to_y - steps[j].to_y) /
                       distance(steps[i].x - steps[j].x, steps[i].y - steps[j].y));
    }
  }
  const double scale = median_of(growth), width = box.width * scale, height = box.height * scale;
  const RealBox moved{box.x + median_of(right) - (width - box.width) / 2,
                      box.y + median_of(down) - (height - box.height) / 2, width, height};
  const bool fits = moved.width >= kLeastSide && moved.height >= kLeastSide &&
                    moved.width <= kMostSides * frame.width && moved.height <= kMostSides * frame.height &&
                    moved.x < frame.width && moved.y < frame.height && moved.x + moved.width > 0 &&
                    moved.y + moved.height > 0;
  if (!fits) return std::nullopt;
  if (signs != nullptr)
    *signs = {static_cast<double>(back.size()) / static_cast<double>(flow.size()), most_back / enlarged};
  return moved;
}

}  // namespace winnow
