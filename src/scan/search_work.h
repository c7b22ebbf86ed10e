// Searches the frames of a scan in batches. The class `Search` makes a session and searches with it.
//
// In:     a `Search`, which has a model and options; frames.
// Out:    each frame's `found`, and what `Search::finish` adds. `problem` says why a frame was not searched.
// Exact:  a frame's answer is the session's answer for that frame alone, whatever else is in the batch.
// Memory: the work owns the search and its session. Frames and their views are used only inside `answer`.
// Thread: one thread at a time.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/scan.h>

#include "backend/auto_backends.h"
#include "scan/laned_work.h"
#include "session/region.h"

namespace winnow {

// `Search` has `model`, `options`, a type `Session`, and three functions. `make` makes a session. `search`
// gives one result for each view that it takes. `finish(i, frame)` adds to `frame` the rest of the answer for
// view i of the last search.
template <class Search>
class SearchWork final : public LanedWork {
 public:
  explicit SearchWork(Search search)
      : search_(std::move(search)),
        wanted_(search_.machine.backend),
        later_(choose_backend(search_)),
        session_(search_.make()),
        threads_(session_->threads()) {
    check_options();
  }

  void answer(std::span<ScanEvent* const> frames) override {
    views_.clear();
    searched_.clear();
    for (ScanEvent* frame : frames) {
      const PictureView view = frame->picture.view();
      if (has_region(search_.options) && view.crop(search_.options.region).empty()) {
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
    for (std::size_t i = 0; i < results_.size(); ++i) {
      std::swap(results_[i], searched_[i]->found);
      search_.finish(i, *searched_[i]);
    }
  }

  bool reads_color() const override { return search_.model.reads_color() && !search_.options.gray; }
  int threads() const override { return threads_; }

  void rest() override { session_.reset(); }

  // Each lane has a session on one device. With `auto`, the lanes wake devices beside the processor.
  Lanes lanes() const override {
    const bool at_once = wanted_ != BackendKind::kAuto;
    const BackendKind kind = at_once ? wanted_ : later_.later;
    const DeviceStart* start = at_once ? start_of(wanted_) : later_.start;
    if (start == nullptr) return {};
    Lanes lanes{{}, at_once, start->seconds};
    for (int i = 0; i < kLanesPerDevice; ++i) {
      for (const int device : search_.machine.devices) {
        Search search = search_;
        search.machine.backend = kind;
        search.machine.devices = {device};
        lanes.lanes.push_back({[start, device] { start->wake(device); },
                               [search] { return std::make_unique<SearchWork>(search); }});
      }
    }
    return lanes;
  }

 private:
  // More lanes keep a device no busier: docs/design/024-auto.md.
  static constexpr int kLanesPerDevice = 2;

  // With `auto`, lets the search begin on the backend that needs no start.
  static AutoBackends choose_backend(Search& search) {
    const AutoBackends backends = backends_for(search.machine.backend, search.model.kind());
    search.machine.backend = backends.first;
    return backends;
  }

  // Throws the errors that these options would cause for every picture.
  void check_options() {
    if (has_region(search_.options)) check_region_sides(search_.options.region);
    DetectOptions any = search_.options;
    any.region = {};
    const bool places = !any.locations.empty();
    if (places) any.locations = {{0, 0}};
    const Size window = search_.model.window();
    const GrayImage least(places ? window.width : 0, places ? window.height : 0);
    const PictureView view(least.view());
    search_.search(*session_, {&view, 1}, any, results_);
  }

  void search() {
    if (!session_) session_ = search_.make();
    try {
      search_.search(*session_, views_, search_.options, results_);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) session_.reset();  // a device does not recover after an error
      // `check_options` found the options valid, so a kUsage error means that they do not fit this picture.
      if (error.code() != ErrorCode::kUsage || views_.size() > 1) throw;
      searched_.front()->problem = error.sentence();
    } catch (...) {
      session_.reset();
      throw;
    }
  }

  Search search_;
  BackendKind wanted_;                               // as the caller asked
  AutoBackends later_;                               // of `auto`
  std::optional<typename Search::Session> session_;  // none after an error, until the next search
  int threads_;
  std::vector<PictureView> views_;
  std::vector<ScanEvent*> searched_;  // the frame of each view in `views_`
  std::vector<Detections> results_;
};

}  // namespace winnow
