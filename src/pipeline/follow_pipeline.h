// Carries boxes of several videos to their next frames, fits points in them there, and searches some of these
// frames.
//
// A pipeline that can do all of this in one submission gives this interface (`Pipeline::following`).
//
// In:     frames in host memory, one of each video, and boxes in the previous frame of each video.
// Out:    where each point went, and a shape in each box at the place to which flow carried the box; for a
//         frame that is searched its objects and, if the device marked them, their shapes.
// Exact:  points as `flow_ref`, shapes as `ShapeFitter::fit` in the boxes of `motion_of`, objects and their
//         shapes as `Pipeline::search`, whatever other jobs a call has.
// Memory: all memory that a job points to belongs to the caller, and is used only during the call. The
//         pipeline keeps the last frame of each video, until `forget` or a frame of another size.
// Thread: one thread at a time.
#pragma once

#include <span>

#include <winnow/box.h>

#include "pipeline/pipeline.h"
#include "track/flow/flow_rule.h"
#include "track/follow/point_place.h"

namespace winnow {

// Boxes in a video's previous frame, and what becomes of them in the next frame.
struct CarriedBoxes {
  // The points that flow carries: those of one box after those of another. Without points the frame is only
  // kept.
  std::span<const FlowPlace> points;
  FlowResult* flown = nullptr;  // room for one result per point
  // For fits: the boxes, and the same points in doubles. Each box has as many points as the
  // landmarks. Without boxes nothing is fitted.
  std::span<const RealBox> boxes = {};
  std::span<const PointPlace> places = {};
  // A shape for each box. The shape in a box none of whose points hold is undefined. The pipeline leaves
  // `made` false if it does not fit.
  PictureShapes* fits = nullptr;
};

struct FollowJob {
  int video = 0;                           // its number, 0 or more; a call has each video at most once
  PictureView frame;                       // in host memory
  const SearchRequest* request = nullptr;  // null: the frame is not searched
  CarriedBoxes carried;                    // of the video's previous frame, which must have had the same size
  // Where the results go if the frame is searched.
  Detections* found = nullptr;
  PictureShapes* shapes = nullptr;
};

class FollowPipeline {
 public:
  virtual ~FollowPipeline() = default;
  // Errors are those of `Pipeline::search`.
  virtual void follow(std::span<const FollowJob> jobs, const FlowRules& rules) = 0;
  virtual void forget(int video) = 0;
};

}  // namespace winnow
