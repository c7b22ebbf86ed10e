// Carries one face from a frame to a neighbouring frame by the flow of its points.
//
// In:     a face's box, points and look; the flow of its points to the other frame and back; the other frame;
//         a rule that says when the face is there.
// Out:    whether the face is there, and if so its box, points and likeness there.
// Exact:  doubles in a fixed order; same face for the same input.
// Memory: the caller owns face and scratch.
// Thread: any, with a scratch each.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <winnow/flow_options.h>

#include "track/follow/face_look.h"
#include "track/follow/point_place.h"

namespace winnow {

struct CarryRule {
  double least_held;  // fraction of the points that flow must carry there and back
  double least_same;  // least likeness to the face's look
};

struct CarryScratch {
  std::vector<double> values;
};

// Returns the likeness, or nothing if the face is not there; the face then stays as it was. `carried` has a
// result for each point. Points that flow does not carry there and back move with the face.
std::optional<double> carry_face(RealBox& box, std::span<PointPlace> points, const FaceLook& look,
                                 std::span<const FlowPoint> carried, GrayView to, const CarryRule& rule,
                                 CarryScratch& scratch);

}  // namespace winnow
