// Carries the points of a box from where the camera's motion brings them, after their own flow was torn.
//
// In:     a box whose flow is torn, its points, and the runner that carried them.
// Out:    the flow of the points, if it holds now. Else the flow stays as it was.
// Exact:  single IEEE operations in a fixed order; flow as flow_runner.h says. Same bits on every backend.
// Memory: takes memory for `kCameraColumns` x `kCameraRows` points for the call.
// Thread: one thread at a time.
//
// Coarse levels of flow see more of the surroundings than of a small object. If the camera shakes while other
// things move behind the object, the points are led astray there. The median flow of a grid over the frame
// says how far the camera moved. From there the finest levels are enough, and they see the object alone.
//
// A frame in which flow holds costs nothing. The others carry the grid, and the points a second time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "track/flow/flow_rule.h"
#include "track/flow/flow_runner.h"

namespace winnow {

inline constexpr int kCameraColumns = 20, kCameraRows = 15;  // of the grid over the frame

// The points of the grid that lie outside of the box and more than `margin` pixels from it.
void camera_points(Size frame, const RealBox& box, double margin, std::vector<FlowPlace>& points);

// How far the camera moved, in whole pixels: the median step of the points that came back. None if few did.
std::optional<FlowPlace> camera_shift(std::span<const FlowPlace> points, std::span<const FlowResult> flow,
                                      int enlarged);

// A box that flow follows, by the rules of the flow that was torn.
struct FollowedBox {
  RealBox box;
  Size frame;
  FlowRules rules;
  int enlarged = 1;  // as for `moved_box`
};

void carry_with_camera(const FollowedBox& followed, FlowRunner& runner, std::span<const FlowPlace> points,
                       std::span<FlowResult> flow);

}  // namespace winnow
