// Finds how a face moved, from its points in two frames: a translation and a scale.
//
// In:     steps of points, and a way to find medians.
// Out:    the motion that most points agree on. Fewer than half of the points may be wrong.
// Exact:  single IEEE operations on doubles in a fixed order. A median is one of its values. So host and
//         device find the same motion.
// Memory: nothing is allocated.
// Thread: any. On a device all threads of a block call `motion_of` together.
#pragma once

#include <cmath>

#include "base/device/host_device.h"
#include "track/follow/face_box.h"

namespace winnow {

// The places of a point in a frame and in the next frame.
struct PointStep {
  double x = 0, y = 0, to_x = 0, to_y = 0;
  bool holds = true;  // false: flow did not carry the point there and back
};

// Moves a place p to `to` + `scale` * (p - `from`).
struct Motion {
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0, scale = 1;
  int held = 0;  // how many points hold; without one, the other fields mean nothing

  WINNOW_HOST_DEVICE double x(double at) const { return to_x + (at - from_x) * scale; }
  WINNOW_HOST_DEVICE double y(double at) const { return to_y + (at - from_y) * scale; }
};

// Whether flow carried a point of a face there and back: to within 2 % of the face's side, or within a pixel.
WINNOW_HOST_DEVICE inline bool holds(bool found, float back_distance, const FaceBox& box) {
  constexpr double kMostBack = 0.02;
  const double by_side = kMostBack * side_of(box), most = by_side > 1 ? by_side : 1;
  return found && static_cast<double>(back_distance) <= most;
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
    value = step.x;
    return step.holds;
  });
  motion.held = x.count;
  if (x.count == 0) return motion;
  motion.from_x = x.value;
  motion.from_y = median_of([&](int i, double& value) {
                    const PointStep step = step_of(i);
                    value = step.y;
                    return step.holds;
                  }).value;
  motion.to_x = motion.from_x + median_of([&](int i, double& value) {
                                  const PointStep step = step_of(i);
                                  value = step.to_x - step.x;
                                  return step.holds;
                                }).value;
  motion.to_y = motion.from_y + median_of([&](int i, double& value) {
                                  const PointStep step = step_of(i);
                                  value = step.to_y - step.y;
                                  return step.holds;
                                }).value;
  const Median growth = median_of([&](int i, double& value) {
    const PointStep step = step_of(i);
    const double before = length(step.x - motion.from_x, step.y - motion.from_y);
    if (!step.holds || before < kNear) return false;
    value = length(step.to_x - motion.to_x, step.to_y - motion.to_y) / before;
    return true;
  });
  if (growth.count == 0) return motion;
  motion.scale = growth.value > kMostGrowth       ? kMostGrowth
                 : growth.value < 1 / kMostGrowth ? 1 / kMostGrowth
                                                  : growth.value;
  return motion;
}

WINNOW_HOST_DEVICE inline FaceBox moved(const FaceBox& box, const Motion& motion) {
  const double width = box.width * motion.scale, height = box.height * motion.scale;
  return {motion.x(box.middle_x()) - width / 2, motion.y(box.middle_y()) - height / 2, width, height};
}

}  // namespace winnow
