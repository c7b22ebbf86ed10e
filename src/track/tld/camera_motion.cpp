#include "track/tld/camera_motion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "track/tld/box_motion.h"

namespace winnow {
namespace {

// A point of the grid says how the camera moved if it comes back this near, in pixels. A fifth of the grid
// must.
constexpr double kMostBack = 1;
constexpr std::size_t kLeastPoints = kCameraColumns * kCameraRows / 5;
// Levels of the second try, for an object that is not enlarged.
constexpr int kNearLevels = 2;
// The second try holds if this share of the points comes back. Of a box whose object is gone fewer do.
constexpr double kLeastKept = 0.9;

}  // namespace

void camera_points(Size frame, const RealBox& box, double margin, std::vector<FlowPlace>& points) {
  points.clear();
  for (int j = 0; j < kCameraRows; ++j) {
    for (int i = 0; i < kCameraColumns; ++i) {
      const double x = (i + 0.5) * frame.width / kCameraColumns, y = (j + 0.5) * frame.height / kCameraRows;
      const bool beside = x < box.x - margin || x > box.x + box.width + margin || y < box.y - margin ||
                          y > box.y + box.height + margin;
      // A box counts from the corner of the first pixel, flow from its middle.
      if (beside) points.push_back({static_cast<float>(x - 0.5), static_cast<float>(y - 0.5)});
    }
  }
}

std::optional<FlowPlace> camera_shift(std::span<const FlowPlace> points, std::span<const FlowResult> flow,
                                      int enlarged) {
  std::vector<double> right, down;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (flow[i].found == 0 || !(static_cast<double>(flow[i].back_distance) <= kMostBack * enlarged)) continue;
    right.push_back(static_cast<double>(flow[i].place.x) - static_cast<double>(points[i].x));
    down.push_back(static_cast<double>(flow[i].place.y) - static_cast<double>(points[i].y));
  }
  if (right.size() < kLeastPoints) return std::nullopt;
  // Flow finds the rest of a pixel.
  return FlowPlace{static_cast<float>(std::round(median_of(right))),
                   static_cast<float>(std::round(median_of(down)))};
}

void carry_with_camera(const FollowedBox& followed, FlowRunner& runner, std::span<const FlowPlace> points,
                       std::span<FlowResult> flow) {
  FlowRules rules = followed.rules;
  std::vector<FlowPlace> grid;
  camera_points(followed.frame, followed.box, std::max(rules.width, rules.height) * 0.5, grid);
  if (grid.size() < kLeastPoints) return;
  std::vector<FlowResult> results(grid.size());
  rules.ncc = false;
  runner.carry(grid, rules, results.data());
  const std::optional<FlowPlace> shift = camera_shift(grid, results, followed.enlarged);
  if (!shift) return;
  rules = followed.rules;
  rules.shift = *shift;
  rules.levels = kNearLevels + std::bit_width(static_cast<unsigned>(followed.enlarged)) - 1;
  results.resize(points.size());
  runner.carry(points, rules, results.data());
  FlowSigns signs;
  const std::optional<RealBox> moved =
      moved_box(followed.box, points, results, followed.frame, followed.enlarged, &signs);
  if (moved && signs.kept >= kLeastKept) std::copy(results.begin(), results.end(), flow.begin());
}

}  // namespace winnow
