// Carries points of several videos to their next frames, and searches some of these frames.
//
// A pipeline that can do both in one submission gives this interface (`Pipeline::following`).
//
// In:     frames in host memory, one of each video, and points in the previous frame of each video.
// Out:    where each point went; for a frame that is searched its objects and, if the device marked them,
//         their shapes.
// Exact:  points as `flow_ref`, objects and shapes as `Pipeline::search`, whatever other jobs a call has.
// Memory: all memory that a job points to belongs to the caller, and is used only during the call. The
//         pipeline keeps the last frame of each video, until `forget` or a frame of another size.
// Thread: one thread at a time.
#pragma once

#include <span>

#include "pipeline/pipeline.h"
#include "track/flow/flow_rule.h"

namespace winnow {

struct FollowJob {
  int video = 0;                           // its number, 0 or more; a call has each video at most once
  PictureView frame;                       // in host memory
  const SearchRequest* request = nullptr;  // null: the frame is not searched
  // Points in the video's previous frame, which must have had the same size. Without points the frame is only
  // kept.
  std::span<const FlowPlace> points;
  FlowResult* flown = nullptr;  // room for one result per point
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
