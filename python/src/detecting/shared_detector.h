// A detector that several Python threads may share.
//
// In:     pictures as Python gives them.
// Out:    the answers of `Detector`.
// Memory: pictures are kept alive until they have been searched.
// Thread: any; one thread searches at a time, and the others wait. Functions are called under Python's lock,
//         which is free during a search.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "arrays/picture_argument.h"

namespace winnow::python {

class SharedDetector {
 public:
  SharedDetector(DetectorModel model, const MachineOptions& machine) : detector_(std::move(model), machine) {}

  // `Detections` of one picture, or a list of them if several were given.
  nb::object search(nb::handle pictures, Channels channels, const DetectOptions& options) {
    const PictureRules rules = rules_of(channels, options);
    if (PyList_Check(pictures.ptr()) || PyTuple_Check(pictures.ptr()))
      return nb::cast(detect_all(pictures, rules, options));
    PictureArgument argument(pictures, rules, true);
    if (argument.many().is_valid()) return nb::cast(detect_all(argument.many(), rules, options));
    return nb::cast(detect(argument, options));
  }

  void enqueue(nb::handle picture, Channels channels, const DetectOptions& options) {
    auto argument = std::make_unique<PictureArgument>(picture, rules_of(channels, options));
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    if (argument->on_device())
      detector_.enqueue(argument->device(), options);
    else
      detector_.enqueue(argument->host(), options);
    pending_.push_back(std::move(argument));
  }

  Detections collect() {
    std::unique_ptr<PictureArgument> oldest;  // destroyed under Python's lock
    Detections result;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(busy_);
      if (!pending_.empty()) {
        oldest = std::move(pending_.front());
        pending_.pop_front();
      }
      detector_.collect(result);
    }
    return result;
  }

  int pending() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return detector_.pending();
  }

  const Detector& detector() const { return detector_; }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return detector_.backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return detector_.note();
  }
  template <class Work>
  auto with_detector(Work work) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return work(detector_);
  }

 private:
  // As for `winnow detect`, files are read in colour if the model reads colours.
  PictureRules rules_of(Channels channels, const DetectOptions& options) const {
    return {channels, !options.gray && detector_.model().reads_color()};
  }

  Detections detect(PictureArgument& argument, const DetectOptions& options) {
    Detections result;
    const nb::gil_scoped_release free;
    if (!argument.on_device()) {
      const PictureView& view = argument.host();
      const std::lock_guard lock(busy_);
      detector_.detect(view, options, result);
    } else {
      const DevicePicture there = argument.device();
      const std::lock_guard lock(busy_);
      detector_.detect({&there, 1}, options, results_);
      std::swap(result, results_[0]);
    }
    return result;
  }

  // Pictures are taken and searched in parts. Ctrl-C then waits only for one part, and only the pictures of
  // one part are in memory.
  std::vector<Detections> detect_all(nb::handle pictures, const PictureRules& rules,
                                     const DetectOptions& options) {
    // A part is large enough to keep every thread busy, and a device's batches full.
    constexpr std::int64_t enough_pixels = 1 << 24, most_pixels = 1 << 27;
    const auto enough_pictures = static_cast<std::size_t>(
        with_detector([](const Detector& detector) { return detector.pictures_at_once(); }));
    std::vector<Detections> results;
    std::deque<PictureArgument> part;
    std::int64_t pixels = 0;
    bool on_device = false, on_host = false;
    const auto search = [&] {
      if (part.empty()) return;
      search_part(part, options, results);
      part.clear();
      pixels = 0;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
    for (const nb::handle picture : pictures) {
      PictureArgument& argument = for_picture(results.size() + part.size(), [&]() -> PictureArgument& {
        return part.emplace_back(picture, rules);
      });
      (argument.on_device() ? on_device : on_host) = true;
      if (on_device && on_host)
        throw Error(ErrorCode::kUsage, "the pictures of a call lie all in host memory, or all on devices");
      if (argument.in_file()) {
        const nb::gil_scoped_release free;
        argument.host();
      }
      const Size size = argument.size();
      pixels += static_cast<std::int64_t>(size.width) * size.height;
      if (pixels >= most_pixels || (pixels >= enough_pixels && part.size() >= enough_pictures)) search();
    }
    search();
    return results;
  }

  void search_part(std::deque<PictureArgument>& part, const DetectOptions& options,
                   std::vector<Detections>& results) {
    const nb::gil_scoped_release free;
    std::vector<DevicePicture> there;
    std::vector<PictureView> here;
    for (PictureArgument& argument : part) {
      if (argument.on_device())
        there.push_back(argument.device());
      else
        here.push_back(argument.host());
    }
    const std::lock_guard lock(busy_);
    if (there.empty())
      detector_.detect(std::span<const PictureView>(here), options, results_);
    else
      detector_.detect(std::span<const DevicePicture>(there), options, results_);
    for (Detections& result : results_) results.push_back(std::exchange(result, {}));
  }

  Detector detector_;
  std::mutex busy_;
  std::vector<Detections> results_;  // kept, so that its memory is used again
  std::deque<std::unique_ptr<PictureArgument>> pending_;
};

}  // namespace winnow::python
