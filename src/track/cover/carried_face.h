// Carries one face from a frame to a neighbouring frame, before or behind it, by the flow of its points.
//
// In:     a face, where flow carried its points with the way back, and the frame that it was carried to.
// Out:    whether the face is there, and if so its box and points there.
// Exact:  doubles in a fixed order; same face for the same steps.
// Memory: the caller owns the scratch.
// Thread: any, with a scratch each.
#pragma once

#include <span>
#include <vector>

#include <winnow/flow_options.h>
#include <winnow/image.h>

#include "track/follow/face_carry.h"

namespace winnow {

// A face that looks less like itself is not there.
inline constexpr double kCoverLikeness = 0.3;

struct CarriedFace {
  FaceBox box;
  FaceLook look;  // where a search found it
  std::vector<FacePlace> points;
  double likeness = 1;  // with its look, where it was carried last
};

// The face stays as it was if it is not there. `carried` has a place for each point.
bool carry_face(CarriedFace& face, std::span<const FlowPoint> carried, GrayView to, CarryScratch& scratch);

}  // namespace winnow
