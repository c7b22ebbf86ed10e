// Carries one face from a frame to a neighbouring frame by the flow of its points.
//
// In:     a face's box, points and look; where flow carried its points, with the way back; the frame that it
//         was carried to; what is asked of a face that is there.
// Out:    whether the face is there, and if so its box, points and likeness there.
// Exact:  doubles in a fixed order; same face for the same steps.
// Memory: the caller owns face and scratch.
// Thread: any, with a scratch each.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <winnow/flow_options.h>

#include "track/follow/claims.h"
#include "track/follow/face_look.h"
#include "track/follow/motion.h"

namespace winnow {

struct FacePlace {
  double x = 0, y = 0;
};

struct CarryRule {
  double least_held;  // fraction of the points that must hold
  double least_same;  // likeness to the face's look
};

struct CarryScratch {
  MotionScratch motion;
  std::vector<PointStep> steps;
};

// Gives the likeness; none if the face is not there, which then stays as it was. `carried` has a place for
// each point. Points that do not hold move with the face.
std::optional<double> carry_face(FaceBox& box, std::span<FacePlace> points, const FaceLook& look,
                                 std::span<const FlowPoint> carried, GrayView to, const CarryRule& rule,
                                 CarryScratch& scratch);

}  // namespace winnow
