#include "track/follow/motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace winnow {
namespace {

constexpr double kNear = 0.5;  // pixels; points nearer to the middle say little about the scale

// The lower median. Changes the order of the values.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double distance(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace

Motion motion_of(std::span<const PointStep> steps, MotionScratch& scratch) {
  std::vector<double>& values = scratch.values;
  const auto median = [&](auto value_of) {
    values.clear();
    for (const PointStep& step : steps) values.push_back(value_of(step));
    return median_of(values);
  };
  Motion motion;
  motion.from_x = median([](const PointStep& step) { return step.x; });
  motion.from_y = median([](const PointStep& step) { return step.y; });
  motion.to_x = motion.from_x + median([](const PointStep& step) { return step.to_x - step.x; });
  motion.to_y = motion.from_y + median([](const PointStep& step) { return step.to_y - step.y; });
  values.clear();
  for (const PointStep& step : steps) {
    const double before = distance(step.x - motion.from_x, step.y - motion.from_y);
    if (before < kNear) continue;
    values.push_back(distance(step.to_x - motion.to_x, step.to_y - motion.to_y) / before);
  }
  if (!values.empty()) motion.scale = std::clamp(median_of(values), 0.5, 2.0);
  return motion;
}

}  // namespace winnow
