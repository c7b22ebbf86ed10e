// Decides when two boxes are the same object, and when one group's box swallows another group's box.
//
// In:     boxes, members of groups, and `eps`: how far edges of similar boxes may lie apart, as a fraction of
//         the boxes' size.
// Out:    the decisions, and the mean of a side over a group.
// Exact:  single IEEE operations and integers, the same on every backend.
// Memory: nothing is allocated.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <winnow/box.h>
#include <winnow/plan_rules.h>

#include "base/device/host_device.h"

namespace winnow {

// The largest distance between edges of similar boxes: `eps` times the mean of the smaller width and the
// smaller height.
WINNOW_HOST_DEVICE inline double similar_margin(const Box& a, const Box& b, double eps) {
  return eps * (std::min(a.width, b.width) + std::min(a.height, b.height)) * 0.5;
}

WINNOW_HOST_DEVICE inline bool similar(const Box& a, const Box& b, double eps) {
  const double margin = similar_margin(a, b, eps);
  return std::abs(a.x - b.x) <= margin && std::abs(a.y - b.y) <= margin &&
         std::abs(a.x + a.width - b.x - b.width) <= margin &&
         std::abs(a.y + a.height - b.y - b.height) <= margin;
}

// The mean of x, y, width or height over the boxes of a group: `sum` times the reciprocal of `count`, both as
// floats. Halves round to even.
WINNOW_HOST_DEVICE inline int group_mean(std::int64_t sum, int count) {
  return static_cast<int>(lrintf(static_cast<float>(sum) * (1.f / static_cast<float>(count))));
}

// The same mean as `group_mean`, but computed in doubles.
WINNOW_HOST_DEVICE inline int group_mean_in_double(std::int64_t sum, int count) {
  return static_cast<int>(lrint(static_cast<double>(sum) * (1. / static_cast<double>(count))));
}

WINNOW_HOST_DEVICE inline int group_mean(std::int64_t sum, int count, MeanRule mean) {
  return mean == MeanRule::kDouble ? group_mean_in_double(sum, count) : group_mean(sum, count);
}

// Whether a large group's box swallows a small group's box. The small box must lie inside the large box,
// within a tolerance of `eps`. The large group must have more than 3 members, and more than the small group;
// or the small group must have fewer than 3 members. Two groups of fewer than 3 members may swallow each
// other. Then both are dropped, as in OpenCV.
WINNOW_HOST_DEVICE inline bool swallowed(const Box& small, int small_count, const Box& large, int large_count,
                                         double eps) {
  const int dx = static_cast<int>(lrint(large.width * eps)), dy = static_cast<int>(lrint(large.height * eps));
  return small.x >= large.x - dx && small.y >= large.y - dy &&
         small.x + small.width <= large.x + large.width + dx &&
         small.y + small.height <= large.y + large.height + dy &&
         (large_count > std::max(3, small_count) || small_count < 3);
}

}  // namespace winnow
