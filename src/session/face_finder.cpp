// Finds and marks for `FaceFinder`: together where the pipeline can, else one after the other.
#include <winnow/face_finder.h>

#include <utility>

#include <winnow/face_search.h>

#include "model/landmarks/landmark_model.h"
#include "pipeline/pipeline.h"
#include "session/written_shape.h"
#include "shape/shape_box.h"

namespace winnow {

struct FaceFinder::State {
  Landmarks landmarks;
  Landmarker landmarker;
  ShapeMarks marks;
  Detector detector;
  std::vector<PictureShapes> made;
  // Pictures whose objects the pipeline did not mark.
  std::vector<std::size_t> left;
  std::vector<GrayView> views;
  std::vector<std::vector<Box>> boxes;
  std::vector<std::vector<Shape>> marked;
};

FaceFinder::FaceFinder(DetectorModel model, Landmarks landmarks, const MachineOptions& machine) {
  Landmarks placed = landmarks.for_face_boxes();
  const ShapeMarks marks{std::make_shared<const ShapeProgram>(placed.model()), placed.model().place};
  Landmarker landmarker(placed, machine);
  state_.reset(new State{std::move(placed),
                         std::move(landmarker),
                         marks,
                         Detector(std::move(model), machine, &marks),
                         {},
                         {},
                         {},
                         {},
                         {}});
}

FaceFinder::~FaceFinder() = default;
FaceFinder::FaceFinder(FaceFinder&&) noexcept = default;
FaceFinder& FaceFinder::operator=(FaceFinder&&) noexcept = default;

const DetectorModel& FaceFinder::model() const { return state_->detector.model(); }
const Landmarks& FaceFinder::landmarks() const { return state_->landmarks; }
BackendKind FaceFinder::backend() const { return state_->detector.backend(); }
int FaceFinder::threads() const { return state_->detector.threads(); }

FoundFaces FaceFinder::find(const PictureView& picture, const DetectOptions& options,
                            std::optional<double> min_confidence) {
  std::vector<Detections> found;
  std::vector<std::vector<Shape>> shapes;
  find(std::span(&picture, 1), options, found, shapes, min_confidence);
  return {std::move(found.front()), std::move(shapes.front())};
}

void FaceFinder::find(std::span<const PictureView> pictures, const DetectOptions& options,
                      std::vector<Detections>& found, std::vector<std::vector<Shape>>& shapes,
                      std::optional<double> min_confidence) {
  State& s = *state_;
  const FaceSearch search = face_search(model(), s.landmarks, options, min_confidence);
  s.made.resize(pictures.size());
  for (PictureShapes& each : s.made) each.made = false;
  s.detector.detect_marked(pictures, search.options, found, s.made);
  const LandmarkModel& points = s.landmarks.model();
  shapes.resize(pictures.size());
  s.left.clear();
  s.views.clear();
  s.boxes.clear();
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::vector<Detection>& objects = found[i].objects;
    if (!s.made[i].made) {
      s.left.push_back(i);
      s.views.push_back(pictures[i].gray);
      std::vector<Box>& boxes = s.boxes.emplace_back();
      for (const Detection& object : objects) boxes.push_back(object.box);
      continue;
    }
    shapes[i].resize(objects.size());
    for (std::size_t o = 0; o < objects.size(); ++o)
      write_shape(points, placed_box(objects[o].box, points.place), s.made[i].shapes, o, shapes[i][o]);
  }
  if (!s.left.empty()) s.landmarker.fit(s.views, s.boxes, s.marked);
  for (std::size_t i = 0; i < s.left.size(); ++i) std::swap(shapes[s.left[i]], s.marked[i]);
  for (std::size_t i = 0; i < pictures.size(); ++i) drop_unlikely(search, found[i].objects, shapes[i]);
}

}  // namespace winnow
