// Finds objects and marks points in them: what `FaceFinder` and `Follower` share.
//
// A pipeline that can marks in the same submission, and carries points of videos in it, too. What it leaves
// out is done afterwards, with the same answer.
//
// In:     pictures and options as `FaceFinder` takes them; for videos, frames with the points of the frames
//         before.
// Out:    objects and shapes as `FaceFinder`; where each point went.
// Exact:  same answers for every backend, thread count, device count and batch.
// Memory: owns its sessions and buffers. Of each video the last frame is kept, until `forget`.
// Thread: one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <winnow/detector.h>
#include <winnow/face_search.h>
#include <winnow/landmarker.h>

#include "pipeline/follow_pipeline.h"
#include "pipeline/pipeline.h"
#include "track/flow/flow_runner.h"

namespace winnow {

// The next frame of a video.
struct VideoFrame {
  int video = 0;      // 0 or more; a call has each video at most once
  PictureView frame;  // with pixels
  bool searches = false;
  // Points of the video's frame before, which must have had this size. A place in `flown` for each.
  std::span<const FlowPlace> points = {};
  FlowResult* flown = nullptr;
};

class MarkedSearch {
 public:
  // Errors are those of `Detector` and `Landmarker`.
  MarkedSearch(DetectorModel model, const Landmarks& landmarks, const MachineOptions& machine);

  const Detector& detector() const { return detector_; }
  const Landmarks& landmarks() const { return landmarks_; }

  // As `FaceFinder::find`.
  void find(std::span<const PictureView> pictures, const DetectOptions& options,
            std::optional<double> min_confidence, std::vector<Detections>& found,
            std::vector<std::vector<Shape>>& shapes);
  // Carries points to each frame. `found` and `shapes` have an element for each frame that is searched.
  void follow(std::span<const VideoFrame> frames, const DetectOptions& options,
              std::optional<double> min_confidence, const FlowRules& rules, std::vector<Detections>& found,
              std::vector<std::vector<Shape>>& shapes);
  void forget(int video);

 private:
  void carry(const VideoFrame& frame, const FlowRules& rules);
  // Completes `shapes`, and drops what is unlikely to be a face.
  void mark(std::span<const PictureView> pictures, const FaceSearch& search, std::vector<Detections>& found,
            std::vector<std::vector<Shape>>& shapes);

  MachineOptions machine_;
  Landmarks landmarks_;  // for boxes of faces
  Landmarker landmarker_;
  ShapeMarks marks_;
  Detector detector_;
  std::map<int, std::unique_ptr<FlowRunner>>
      runners_;  // of videos that the detector's pipeline does not carry
  std::vector<PictureShapes> made_;
  std::vector<FollowJob> jobs_;
  std::vector<PictureView> searched_;
  // Pictures whose objects the pipeline did not mark.
  std::vector<std::size_t> left_;
  std::vector<GrayView> views_;
  std::vector<std::vector<Box>> boxes_;
  std::vector<std::vector<Shape>> marked_;
};

}  // namespace winnow
