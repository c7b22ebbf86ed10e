// Carries one box from a frame to a neighbouring frame by the flow of its points.
//
// In:     a box with its points and the look of its object; the flow of the points to the other frame and
//         back; the other frame; a rule that says when the object is there.
// Out:    whether the object is there, and if so its box, points and likeness there.
// Exact:  doubles in a fixed order; same box for the same input.
// Memory: the caller owns box, points and scratch.
// Thread: any, with a scratch each.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <winnow/flow_options.h>

#include "track/follow/look.h"
#include "track/follow/point_place.h"

namespace winnow {

struct CarryRule {
  double least_held;  // fraction of the points that flow must carry there and back
  double least_same;  // least likeness to the look
};

struct CarryScratch {
  std::vector<double> values;
};

// Returns the likeness, or nothing if the object is not there; box and points then stay as they were.
// `carried` has a result for each point. Points that flow does not carry there and back move with the box.
std::optional<double> carry_box(RealBox& box, std::span<PointPlace> points, const Look& look,
                                std::span<const FlowPoint> carried, GrayView to, const CarryRule& rule,
                                CarryScratch& scratch);

}  // namespace winnow
