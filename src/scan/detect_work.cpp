// Finds objects in the frames of a scan (`make_detect_work`, winnow/scan.h).
//
// Out:    objects go into each frame's `found`; `problem` says why a frame was not searched.
// Exact:  a frame's answer is that of `Detector::detect` for it alone, whatever the batch.
// Memory: the work owns model, options and detector; frames and their views are used only inside `answer`.
#include <winnow/scan.h>

#include <utility>

#include <winnow/error.h>

#include "session/region.h"

namespace winnow {
namespace {

class DetectWork final : public ScanWork {
 public:
  DetectWork(DetectorModel model, DetectOptions options, MachineOptions machine)
      : model_(std::move(model)),
        options_(std::move(options)),
        machine_(std::move(machine)),
        detector_(std::in_place, model_, machine_),
        threads_(detector_->threads()) {
    check_options();
  }

  void answer(std::span<ScanEvent* const> frames) override {
    views_.clear();
    searched_.clear();
    for (ScanEvent* frame : frames) {
      const PictureView view = frame->picture.view();
      if (has_region(options_) && view.crop(options_.region).empty()) {
        frame->problem = "the region of interest lies outside the picture";
        continue;
      }
      views_.push_back(view);
      searched_.push_back(frame);
    }
    if (views_.empty()) return;
    results_.resize(views_.size());
    for (std::size_t i = 0; i < results_.size(); ++i) std::swap(results_[i], searched_[i]->found);
    search();
    for (std::size_t i = 0; i < results_.size(); ++i) std::swap(results_[i], searched_[i]->found);
  }

  bool reads_color() const override { return model_.reads_color() && !options_.gray; }
  int threads() const override { return threads_; }

 private:
  // Throws the errors that these options would cause for every picture.
  void check_options() {
    if (has_region(options_)) check_region_sides(options_.region);
    DetectOptions any = options_;
    any.region = {};
    const bool places = !any.locations.empty();
    if (places) any.locations = {{0, 0}};
    const GrayImage least(places ? model_.window().width : 0, places ? model_.window().height : 0);
    detector_->detect(least.view(), any);
  }

  void search() {
    if (!detector_) detector_.emplace(model_, machine_);
    try {
      detector_->detect(views_, options_, results_);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) detector_.reset();  // a failed device stays failed
      // `check_options` found the options valid, so a kUsage error means that they do not fit this picture.
      if (error.code() != ErrorCode::kUsage || views_.size() > 1) throw;
      searched_.front()->problem = error.sentence();
    } catch (...) {
      detector_.reset();
      throw;
    }
  }

  DetectorModel model_;
  DetectOptions options_;
  MachineOptions machine_;
  std::optional<Detector> detector_;  // none after an error, until the next search
  int threads_;
  std::vector<PictureView> views_;
  std::vector<ScanEvent*> searched_;  // the frame that each of `views_` shows
  std::vector<Detections> results_;
};

}  // namespace

std::unique_ptr<ScanWork> make_detect_work(DetectorModel model, DetectOptions options,
                                           MachineOptions machine) {
  return std::make_unique<DetectWork>(std::move(model), std::move(options), std::move(machine));
}

}  // namespace winnow
