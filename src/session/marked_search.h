// Finds objects and marks points in them: what `FaceFinder` and `Follower` share.
//
// Some pipelines fit points in the same submission as the search. They carry points of videos there, too, and
// fit the faces that flow carried. `MarkedSearch` does afterwards what the pipeline leaves out. The answer is
// the same.
//
// In:     pictures and options as `FaceFinder` takes them; for videos, frames, each with the faces of the
//         video's previous frame.
// Out:    objects and shapes as `FaceFinder` gives them; for videos, where each point went, and the shapes of
//         faces in the boxes to which flow carried them.
// Exact:  same answers for every backend, thread count, device count and batch.
// Memory: owns its sessions and buffers. The last frame of each video is kept until `forget`.
// Thread: one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/face_search.h>
#include <winnow/landmarker.h>

#include "pipeline/follow_pipeline.h"
#include "pipeline/pipeline.h"
#include "track/flow/flow_runner.h"

namespace winnow {

// The next frame of a video.
struct FollowedFrame {
  int video = 0;      // 0 or more; a call has each video at most once
  PictureView frame;  // not empty
  bool searches = false;
  // Boxes of faces in the video's previous frame, which must have had the same size, and the results.
  CarriedBoxes carried = {};
};

// A face to fit in the newest frame of its video, in the box to which flow carried the face.
struct CarriedFit {
  int video;  // faces of one video come one after the other
  GrayView frame;
  RealBox box;
  const PictureShapes* made;  // of the frame's faces, if `follow` made them
  std::size_t number;         // index of the face in `made`
  Shape* shape;               // where the shape goes
};

class MarkedSearch {
 public:
  // Errors are those of `Detector`, `Landmarker` and `check_kinds`.
  MarkedSearch(DetectorModel model, const Landmarks& landmarks, const MachineOptions& machine);

  const Detector& detector() const { return detector_; }
  const Landmarks& landmarks() const { return landmarks_; }
  std::string note() const { return detector_.note().empty() ? landmarker_.note() : detector_.note(); }

  // Does what `FaceFinder::find` does.
  void find(std::span<const PictureView> pictures, const DetectOptions& options,
            std::optional<double> min_confidence, std::vector<Detections>& found,
            std::vector<std::vector<Shape>>& shapes);
  // Carries points to each frame. `found` and `shapes` have an element for each frame that is searched.
  void follow(std::span<const FollowedFrame> frames, const DetectOptions& options,
              std::optional<double> min_confidence, const FlowRules& rules, std::vector<Detections>& found,
              std::vector<std::vector<Shape>>& shapes);
  // Writes the shapes of faces in frames that `follow` took last. Fits those that the pipeline did not fit.
  void fit(std::span<const CarriedFit> faces);
  void forget(int video);

 private:
  void carry(const FollowedFrame& frame, const FlowRules& rules);
  // Fits the shapes that the pipeline left out, and drops objects that are unlikely to be faces.
  void mark(std::span<const PictureView> pictures, const FaceSearch& search, std::vector<Detections>& found,
            std::vector<std::vector<Shape>>& shapes);

  MachineOptions machine_;
  Landmarks landmarks_;  // made by `Landmarks::for_face_boxes`
  Landmarker landmarker_;
  ShapeMarks marks_;
  Detector detector_;
  std::map<int, std::unique_ptr<FlowRunner>>
      runners_;  // for videos that the detector's pipeline does not carry
  std::vector<PictureShapes> made_;
  std::vector<FollowJob> jobs_;
  std::vector<PictureView> searched_;
  // Indices of the pictures in whose objects the pipeline fitted no points.
  std::vector<std::size_t> left_;
  std::vector<GrayView> views_;
  std::vector<std::vector<Box>> boxes_;
  std::vector<std::vector<Shape>> marked_;
  std::vector<std::vector<ShapeBox>> carried_boxes_;
  std::vector<const CarriedFit*> carried_;  // the faces of `carried_boxes_`, in the same order
  std::vector<std::vector<Shape>> carried_shapes_;
};

}  // namespace winnow
