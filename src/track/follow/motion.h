// Finds how a face moved, from its points in two frames: a translation and a scale.
//
// In:     steps of points, at least one.
// Out:    the motion that most points agree on. Up to half of the points may be wrong.
// Exact:  doubles in a fixed order; same motion for the same steps.
// Memory: the caller owns the scratch, which grows to the most steps.
// Thread: any, with a scratch each.
#pragma once

#include <span>
#include <vector>

namespace winnow {

// The places of a point in a frame and in the next frame.
struct PointStep {
  double x = 0, y = 0, to_x = 0, to_y = 0;
};

// Moves a place p to `to` + `scale` * (p - `from`).
struct Motion {
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0, scale = 1;

  double x(double at) const { return to_x + (at - from_x) * scale; }
  double y(double at) const { return to_y + (at - from_y) * scale; }
};

struct MotionScratch {
  std::vector<double> values;
};

// The translation is the median step of the points. The scale is the median growth of the points' distances
// from their median place; 1 if all points lie at one place. The scale is held within 1/2 and 2.
Motion motion_of(std::span<const PointStep> steps, MotionScratch& scratch);

}  // namespace winnow
