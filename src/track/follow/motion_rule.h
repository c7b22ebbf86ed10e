// Finds how a box moved, from its points in two frames: a translation and a scale.
//
// In:     steps of points, and a way to find medians.
// Out:    the motion that most points agree on. Fewer than half of the points may be wrong.
// Exact:  single IEEE operations on doubles in a fixed order. A median is one of its values. So host and
//         device find the same motion.
// Memory: nothing is allocated.
// Thread: any. On a device all threads of a block call `motion_of` together.
#pragma once

#include <cmath>

#include <winnow/box.h>
#include <winnow/flow_options.h>

#include "base/device/host_device.h"
#include "base/real_box.h"
#include "track/follow/point_place.h"

namespace winnow {

// The places of a point in a frame and in the next frame.
struct PointStep {
  PointPlace from, to;
  bool holds = true;  // false: flow did not carry the point there and back
};

// Moves a place p to `to` + `scale` * (p - `from`).
struct Motion {
  PointPlace from, to;
  double scale = 1;
  int held = 0;  // how many points hold; without one, the other fields mean nothing

  WINNOW_HOST_DEVICE PointPlace operator()(const PointPlace& at) const {
    return {to.x + (at.x - from.x) * scale, to.y + (at.y - from.y) * scale};
  }
};

// Whether flow carried a point of a box there and back: to within 2 % of the box's side, or within a pixel.
WINNOW_HOST_DEVICE inline bool holds(bool found, float back_distance, const RealBox& box) {
  constexpr double kMostBack = 0.02;
  const double by_side = kMostBack * side_of(box), most = by_side > 1 ? by_side : 1;
  return found && static_cast<double>(back_distance) <= most;
}

// The step of a point of `box`, from where flow carried it.
WINNOW_HOST_DEVICE inline PointStep point_step(const PointPlace& from, const FlowPoint& carried,
                                               const RealBox& box) {
  return {from, {carried.x, carried.y}, holds(carried.found, carried.back_distance, box)};
}

// The place of the lower median in a sorted list.
WINNOW_HOST_DEVICE constexpr int median_place(int count) { return (count - 1) / 2; }

struct Median {
  double value = 0;
  int count = 0;  // how many points have a value
};

// The translation is the median step of the points that hold. The scale is the median growth of the points'
// distances from their median place; 1 if all points lie at one place. The scale is held within 1/2 and 2.
// `step_of(i)`: the step of point i. `median_of(value_of)`: a `Median` over all points i for which
// `value_of(i, value)` returns true.
template <class StepOf, class MedianOf>
WINNOW_HOST_DEVICE inline Motion motion_of(const StepOf& step_of, MedianOf& median_of) {
  constexpr double kNear = 0.5;  // pixels; points nearer to the middle say little about the scale
  constexpr double kMostGrowth = 2;
  const auto length = [](double x, double y) { return std::sqrt(x * x + y * y); };
  Motion motion;
  const Median x = median_of([&](int i, double& value) {
    const PointStep step = step_of(i);
    value = step.from.x;
    return step.holds;
  });
  motion.held = x.count;
  if (x.count == 0) return motion;
  motion.from.x = x.value;
  motion.from.y = median_of([&](int i, double& value) {
                    const PointStep step = step_of(i);
                    value = step.from.y;
                    return step.holds;
                  }).value;
  motion.to.x = motion.from.x + median_of([&](int i, double& value) {
                                  const PointStep step = step_of(i);
                                  value = step.to.x - step.from.x;
                                  return step.holds;
                                }).value;
  motion.to.y = motion.from.y + median_of([&](int i, double& value) {
                                  const PointStep step = step_of(i);
                                  value = step.to.y - step.from.y;
                                  return step.holds;
                                }).value;
  const Median growth = median_of([&](int i, double& value) {
    const PointStep step = step_of(i);
    const double before = length(step.from.x - motion.from.x, step.from.y - motion.from.y);
    if (!step.holds || before < kNear) return false;
    value = length(step.to.x - motion.to.x, step.to.y - motion.to.y) / before;
    return true;
  });
  if (growth.count == 0) return motion;
  motion.scale = growth.value > kMostGrowth       ? kMostGrowth
                 : growth.value < 1 / kMostGrowth ? 1 / kMostGrowth
                                                  : growth.value;
  return motion;
}

// The box's middle is moved like a point, although boxes count from the corner of the first pixel. The
// difference is half a pixel times the change of scale.
WINNOW_HOST_DEVICE inline RealBox moved(const RealBox& box, const Motion& motion) {
  const double width = box.width * motion.scale, height = box.height * motion.scale;
  const PointPlace middle = motion({middle_x(box), middle_y(box)});
  return {middle.x - width / 2, middle.y - height / 2, width, height};
}

}  // namespace winnow
