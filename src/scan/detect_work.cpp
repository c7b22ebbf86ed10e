// Finds objects in the frames of a scan (`make_detect_work`, winnow/scan.h).
#include <winnow/scan.h>

#include <utility>

#include "scan/search_work.h"

namespace winnow {
namespace {

struct ObjectSearch {
  using Session = Detector;

  DetectorModel model;
  DetectOptions options;
  MachineOptions machine;

  Detector make() const { return Detector(model, machine); }
  void search(Detector& detector, std::span<const PictureView> views, const DetectOptions& how,
              std::vector<Detections>& results) const {
    detector.detect(views, how, results);
  }
  void finish(std::size_t, ScanEvent&) const {}
};

}  // namespace

std::unique_ptr<ScanWork> make_detect_work(DetectorModel model, DetectOptions options,
                                           MachineOptions machine) {
  return std::make_unique<SearchWork<ObjectSearch>>(
      ObjectSearch{std::move(model), std::move(options), std::move(machine)});
}

}  // namespace winnow
