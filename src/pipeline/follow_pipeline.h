// Carries points of several videos to their next frames, and searches some of these frames.
//
// A pipeline that can do both in one submission gives this interface (`Pipeline::following`).
//
// In:     frames in host memory, one of each video, and points of the videos' frames before.
// Out:    where each point went; for a frame that is searched its objects and, if the device marked them,
//         their shapes.
// Exact:  points as `flow_ref`, objects and shapes as `Pipeline::search`, whatever the call has beside.
// Memory: what a job names belongs to the caller, and is borrowed for the call. The pipeline keeps the last
//         frame of each video, until `forget` or a frame of another size.
// Thread: one thread at a time.
#pragma once

#include <span>

#include "pipeline/pipeline.h"
#include "track/flow/flow_rule.h"

namespace winnow {

struct FollowJob {
  int video = 0;                           // 0 or more; a call has each video at most once
  PictureView frame;                       // with pixels
  const SearchRequest* request = nullptr;  // null: the frame is not searched
  // Points of the video's frame before, which must have had this size. Without points the frame is only kept.
  std::span<const FlowPlace> points;
  FlowResult* flown = nullptr;  // a place for each point
  // For a frame that is searched.
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
