// Carries the box of one face from a frame to an earlier or later frame, by the flow of its points.
//
// In:     a box with points and a look, the flow of the points to the other frame and back, and that frame.
// Out:    whether the face is there, and if so its box and points there.
// Exact:  doubles in a fixed order; same box for the same input.
// Memory: the caller owns the scratch.
// Thread: any, with a scratch each.
#pragma once

#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/flow_options.h>
#include <winnow/image.h>

#include "track/follow/box_carry.h"
#include "track/follow/look.h"
#include "track/follow/point_place.h"

namespace winnow {

// A face is not in a frame if its likeness to `CarriedBox::look` is below this.
inline constexpr double kCoverLikeness = 0.3;

struct CarriedBox {
  RealBox box;
  Look look;  // how the face looked when a search found it, or when its path began
  std::vector<PointPlace> points;
  double likeness = 1;  // between `look` and the face at the place to which it was last carried
};

// Returns false if the face is not in `to`; `from` then stays as it was. `carried`: a result for each point.
bool carry_box(CarriedBox& from, std::span<const FlowPoint> carried, GrayView to, CarryScratch& scratch);

}  // namespace winnow
