// The batches of a call, taken by whichever device is idle.
// In: jobs, and how many frames of each a batch may have at most. Out: every picture in one batch, in order.
// A batch has a power of two of frames, so that a size has few graphs whatever the calls are; the last frames
// may have no picture, where that spares a batch.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/pipeline.h"

namespace winnow {

struct Batch {
  const SearchJob* job;
  std::size_t first, count;  // pictures
  std::size_t frames;
  std::size_t most;  // frames of any batch of this job

  std::span<const PictureView> pictures() const { return job->pictures.subspan(first, count); }
  std::span<Detections> results() const { return job->results.subspan(first, count); }
};

class Batches {
 public:
  void clear() {
    list_.clear();
    next_ = 0;
  }
  // `most`: a power of two. `fills`: frames may have no picture; they cost a device what others cost, so only
  // where one takes it less time than a batch.
  void add(const SearchJob& job, std::size_t most, bool fills) {
    for (std::size_t first = 0, count; first < job.pictures.size(); first += count) {
      const std::size_t left = job.pictures.size() - first, whole = std::bit_floor(left);
      const std::size_t frames = std::min(most, fills && 2 * left >= 3 * whole ? 2 * whole : whole);
      count = std::min(left, frames);
      list_.push_back({&job, first, count, frames, most});
    }
  }
  bool empty() const { return list_.empty(); }
  const Batch* next() {
    const std::size_t at = next_.fetch_add(1);
    return at < list_.size() ? &list_[at] : nullptr;
  }
  void stop() { next_ = list_.size(); }

 private:
  std::vector<Batch> list_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace winnow
