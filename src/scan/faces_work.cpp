// Finds faces in the frames of a scan and marks their points (`make_faces_work`, winnow/scan.h).
//
// Out:    objects go into each frame's `found`, their shapes into its `answer`.
// Exact:  a frame's answer is that of `Detector::detect` and `Landmarker::fit` for it alone, whatever the
//         batch.
// Memory: the work owns both models and both sessions; frames and their views are used only inside `answer`.
#include <winnow/scan.h>

#include <optional>
#include <utility>

#include <winnow/error.h>

namespace winnow {
namespace {

class FacesWork final : public ScanWork {
 public:
  FacesWork(DetectorModel model, Landmarks landmarks, DetectOptions options, MachineOptions machine)
      : landmarks_(landmarks.for_face_boxes()),
        machine_(machine),
        search_(make_detect_work(std::move(model), std::move(options), std::move(machine))),
        landmarker_(std::in_place, landmarks_, machine_) {}

  void answer(std::span<ScanEvent* const> frames) override {
    search_->answer(frames);
    pictures_.clear();
    boxes_.clear();
    marked_.clear();
    for (ScanEvent* frame : frames) {
      if (!frame->problem.empty()) continue;
      std::vector<Box>& boxes = boxes_.emplace_back();
      for (const Detection& object : frame->found.objects) boxes.push_back(object.box);
      pictures_.push_back(frame->picture.view().gray);
      marked_.push_back(frame);
    }
    if (!landmarker_) landmarker_.emplace(landmarks_, machine_);
    try {
      landmarker_->fit(pictures_, boxes_, shapes_);
    } catch (...) {
      landmarker_.reset();  // a failed device stays failed
      throw;
    }
    for (std::size_t i = 0; i < marked_.size(); ++i) marked_[i]->answer = std::move(shapes_[i]);
  }

  bool reads_color() const override { return search_->reads_color(); }
  int threads() const override { return search_->threads(); }

 private:
  Landmarks landmarks_;
  MachineOptions machine_;
  std::unique_ptr<ScanWork> search_;
  std::optional<Landmarker> landmarker_;  // none after an error, until the next frames
  std::vector<GrayView> pictures_;
  std::vector<std::vector<Box>> boxes_;
  std::vector<ScanEvent*> marked_;  // the frame that each of `pictures_` shows
  std::vector<std::vector<Shape>> shapes_;
};

}  // namespace

std::unique_ptr<ScanWork> make_faces_work(DetectorModel model, Landmarks landmarks, DetectOptions options,
                                          MachineOptions machine) {
  return std::make_unique<FacesWork>(std::move(model), std::move(landmarks), std::move(options),
                                     std::move(machine));
}

}  // namespace winnow
