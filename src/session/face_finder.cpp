// Implements `FaceFinder` with a `MarkedSearch`.
#include <winnow/face_finder.h>

#include <utility>

#include "session/marked_search.h"

namespace winnow {

struct FaceFinder::State {
  MarkedSearch search;
};

FaceFinder::FaceFinder(DetectorModel model, Landmarks landmarks, const MachineOptions& machine)
    : state_(new State{MarkedSearch(std::move(model), landmarks, machine)}) {}

FaceFinder::~FaceFinder() = default;
FaceFinder::FaceFinder(FaceFinder&&) noexcept = default;
FaceFinder& FaceFinder::operator=(FaceFinder&&) noexcept = default;

const DetectorModel& FaceFinder::model() const { return state_->search.detector().model(); }
const Landmarks& FaceFinder::landmarks() const { return state_->search.landmarks(); }
BackendKind FaceFinder::backend() const { return state_->search.detector().backend(); }
std::string FaceFinder::note() const { return state_->search.note(); }
int FaceFinder::threads() const { return state_->search.detector().threads(); }

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
  state_->search.find(pictures, options, min_confidence, found, shapes);
}

}  // namespace winnow
