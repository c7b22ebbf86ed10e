#include "session/marked_search.h"

#include <utility>

#include "backend/backend.h"
#include "base/real_box.h"
#include "model/landmarks/landmark_model.h"
#include "session/written_shape.h"
#include "shape/shape_box.h"

namespace winnow {
namespace {

Landmarks checked_landmarks(const DetectorModel& model, const Landmarks& landmarks) {
  check_kinds(model, landmarks);
  return landmarks.for_face_boxes();
}

}  // namespace

MarkedSearch::MarkedSearch(DetectorModel model, const Landmarks& landmarks, const MachineOptions& machine)
    : machine_(machine),
      landmarks_(checked_landmarks(model, landmarks)),
      landmarker_(landmarks_, machine),
      marks_{std::make_shared<const ShapeProgram>(landmarks_.model()), landmarks_.model().place},
      detector_(std::move(model), machine, &marks_) {}

void MarkedSearch::find(std::span<const PictureView> pictures, const DetectOptions& options,
                        std::optional<double> min_confidence, std::vector<Detections>& found,
                        std::vector<std::vector<Shape>>& shapes) {
  const FaceSearch search = face_search(detector_.model(), landmarks_, options, min_confidence);
  made_.resize(pictures.size());
  for (PictureShapes& each : made_) each.made = false;
  detector_.detect_marked(pictures, search.options, found, made_);
  mark(pictures, search, found, shapes);
}

void MarkedSearch::mark(std::span<const PictureView> pictures, const FaceSearch& search,
                        std::vector<Detections>& found, std::vector<std::vector<Shape>>& shapes) {
  const LandmarkModel& points = landmarks_.model();
  shapes.resize(pictures.size());
  left_.clear();
  views_.clear();
  boxes_.clear();
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::vector<Detection>& objects = found[i].objects;
    if (!made_[i].made) {
      left_.push_back(i);
      views_.push_back(pictures[i].gray);
      std::vector<Box>& boxes = boxes_.emplace_back();
      for (const Detection& object : objects) boxes.push_back(object.box);
      continue;
    }
    shapes[i].resize(objects.size());
    for (std::size_t o = 0; o < objects.size(); ++o)
      write_shape(points, placed_box(real_box(objects[o].box), points.place), made_[i].shapes, o,
                  shapes[i][o]);
  }
  if (!left_.empty()) landmarker_.fit(views_, boxes_, marked_);
  for (std::size_t i = 0; i < left_.size(); ++i) std::swap(shapes[left_[i]], marked_[i]);
  for (std::size_t i = 0; i < pictures.size(); ++i) drop_unlikely(search, found[i].objects, shapes[i]);
}

void MarkedSearch::follow(std::span<const FollowedFrame> frames, const DetectOptions& options,
                          std::optional<double> min_confidence, const FlowRules& rules,
                          std::vector<Detections>& found, std::vector<std::vector<Shape>>& shapes) {
  searched_.clear();
  for (const FollowedFrame& frame : frames)
    if (frame.searches) searched_.push_back(frame.frame);
  const FaceSearch search = face_search(detector_.model(), landmarks_, options, min_confidence);
  if (!detector_.follows(search.options)) {
    for (const FollowedFrame& frame : frames) detector_.check_frame(frame.frame, search.options);
    for (const FollowedFrame& frame : frames) carry(frame, rules);
    found.clear();
    shapes.clear();
    if (!searched_.empty()) find(searched_, options, min_confidence, found, shapes);
    return;
  }
  found.resize(searched_.size());
  made_.resize(searched_.size());
  for (PictureShapes& each : made_) each.made = false;
  jobs_.clear();
  std::size_t at = 0;
  for (const FollowedFrame& frame : frames) {
    FollowJob& job = jobs_.emplace_back();
    job.video = frame.video;
    job.frame = frame.frame;
    job.carried = frame.carried;
    if (!frame.searches) continue;
    job.found = &found[at];
    job.shapes = &made_[at++];
  }
  detector_.follow(jobs_, search.options, rules);
  mark(searched_, search, found, shapes);
}

void MarkedSearch::carry(const FollowedFrame& frame, const FlowRules& rules) {
  auto& runner = runners_[frame.video];
  if (runner == nullptr) {
    const BackendTable& table = find_backend(detector_.backend());
    runner = make_flow_runner(table, {detector_.threads(), machine_.devices});
  }
  const std::span<const FlowPlace> points = frame.carried.points;
  if (points.empty()) runner->forget();
  runner->keep(frame.frame.gray, rules);
  if (!points.empty()) runner->carry(points, rules, frame.carried.flown);
}

void MarkedSearch::fit(std::span<const CarriedFit> faces) {
  const LandmarkModel& points = landmarks_.model();
  carried_.clear();
  views_.clear();
  for (auto& boxes : carried_boxes_) boxes.clear();
  for (const CarriedFit& face : faces) {
    const ShapeBox box = placed_box(face.box, points.place);
    if (face.made != nullptr && face.made->made) {
      write_shape(points, box, face.made->shapes, face.number, *face.shape);
      continue;
    }
    if (carried_.empty() || carried_.back()->video != face.video) views_.push_back(face.frame);
    if (carried_boxes_.size() < views_.size()) carried_boxes_.emplace_back();
    carried_boxes_[views_.size() - 1].push_back(box);
    carried_.push_back(&face);
  }
  if (carried_.empty()) return;
  landmarker_.fit_placed(views_, std::span(carried_boxes_).first(views_.size()), carried_shapes_);
  std::size_t at = 0;
  for (std::size_t i = 0; i < views_.size(); ++i)
    for (Shape& shape : carried_shapes_[i]) std::swap(*carried_[at++]->shape, shape);
}

void MarkedSearch::forget(int video) {
  runners_.erase(video);
  detector_.forget(video);
}

}  // namespace winnow
