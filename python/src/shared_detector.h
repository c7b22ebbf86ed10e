// A detector that several Python threads may share.
//
// In:     pictures as Python gives them.
// Out:    what `Detector` answers.
// Memory: pictures are kept alive until they have been searched.
// Thread: any; threads wait for each other. Called under Python's lock, which is free during a search.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "array.h"

namespace winnow::python {

class SharedDetector {
 public:
  SharedDetector(DetectorModel model, const MachineOptions& machine) : detector_(std::move(model), machine) {}

  Detections detect(nb::handle picture, Channels channels, const DetectOptions& options) {
    PictureArgument argument(picture, channels);
    Detections result;
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    if (!argument.on_device()) {
      detector_.detect(argument.host(), options, result);
    } else {
      const DevicePicture there = argument.device();
      detector_.detect({&there, 1}, options, results_);
      std::swap(result, results_[0]);
    }
    return result;
  }

  // Host pictures are searched in parts, so that Ctrl-C need not wait for all of them.
  std::vector<Detections> detect_all(nb::handle pictures, Channels channels, const DetectOptions& options) {
    std::deque<PictureArgument> arguments;
    std::size_t on_device = 0;
    for (const nb::handle picture : pictures) {
      arguments.emplace_back(picture, channels);
      on_device += arguments.back().on_device() ? 1 : 0;
    }
    if (on_device != 0 && on_device != arguments.size())
      throw Error(ErrorCode::kUsage, "the pictures of a call lie all in host memory, or all on devices");
    std::vector<Detections> results;
    if (on_device != 0) {
      std::vector<DevicePicture> there;
      for (const PictureArgument& argument : arguments) there.push_back(argument.device());
      const nb::gil_scoped_release free;
      const std::lock_guard lock(busy_);
      detector_.detect(std::span<const DevicePicture>(there), options, results);
      return results;
    }
    // A part keeps every thread busy, and a device's batches full.
    const bool device = detector_.backend() == BackendKind::kCuda;
    const std::int64_t most_pixels = device ? 1 << 28 : 1 << 24;
    const std::size_t least_pictures = device ? 2048 : 8 * static_cast<std::size_t>(detector_.threads());
    for (std::size_t first = 0, last = 0; first < arguments.size(); first = last) {
      {
        const nb::gil_scoped_release free;
        const std::lock_guard lock(busy_);
        std::vector<PictureView> views;
        std::int64_t pixels = 0;
        for (; last < arguments.size() && (pixels < most_pixels || last - first < least_pictures); ++last) {
          views.push_back(arguments[last].host());
          pixels += static_cast<std::int64_t>(views.back().gray.width) * views.back().gray.height;
        }
        detector_.detect(std::span<const PictureView>(views), options, results_);
        for (Detections& result : results_) results.push_back(std::exchange(result, {}));
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return results;
  }

  void enqueue(nb::handle picture, Channels channels, const DetectOptions& options) {
    auto argument = std::make_unique<PictureArgument>(picture, channels);
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
  template <class Work>
  auto with_detector(Work work) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return work(detector_);
  }

 private:
  Detector detector_;
  std::mutex busy_;
  std::vector<Detections> results_;  // used again
  std::deque<std::unique_ptr<PictureArgument>> pending_;
};

}  // namespace winnow::python
