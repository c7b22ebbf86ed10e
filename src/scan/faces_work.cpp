// Finds faces in the frames of a scan and marks their points (`make_faces_work`, winnow/scan.h).
#include <winnow/scan.h>

#include <optional>
#include <utility>

#include "scan/search_work.h"

namespace winnow {
namespace {

struct MarkedSearch {
  using Session = FaceFinder;

  DetectorModel model;
  Landmarks landmarks;
  DetectOptions options;
  MachineOptions machine;
  std::optional<double> min_confidence;
  std::vector<std::vector<Shape>> shapes{};  // one list for each view of the last search

  FaceFinder make() const { return FaceFinder(model, landmarks, machine); }
  void search(FaceFinder& finder, std::span<const PictureView> views, const DetectOptions& how,
              std::vector<Detections>& results) {
    shapes.clear();
    finder.find(views, how, results, shapes, min_confidence);
  }
  // A frame with a problem has no shapes.
  void finish(std::size_t i, ScanEvent& frame) {
    frame.answer = i < shapes.size() ? std::move(shapes[i]) : std::vector<Shape>();
  }
};

}  // namespace

std::unique_ptr<ScanWork> make_faces_work(DetectorModel model, Landmarks landmarks, DetectOptions options,
                                          MachineOptions machine, std::optional<double> min_confidence) {
  return std::make_unique<SearchWork<MarkedSearch>>(MarkedSearch{
      std::move(model), std::move(landmarks), std::move(options), std::move(machine), min_confidence});
}

}  // namespace winnow
