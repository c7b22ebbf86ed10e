// Cuts the jobs of a call into batches. Each idle device takes the next batch.
//
// In:     jobs, and the most frames that a batch of each job may have.
// Out:    batches. Every picture is in exactly one batch. Pictures keep the order of the job.
// Exact:  the number of frames of a batch is a power of two. Each size of pictures therefore has few graphs,
//         whatever numbers of pictures the calls have. The last frames of a batch may have no picture, if
//         that saves a batch.
// Memory: jobs, pictures and results belong to the caller, and must stay until the batches are done. A batch
//         that `next` returns lives until the next `clear` or `add`.
// Thread: any thread may call `next` and `stop`. One thread calls the other functions, while no thread takes
//         batches.
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
  std::size_t first, count;  // this batch's pictures: index of the first in the job, and number
  std::size_t frames;        // a power of two, at least `count`
  std::size_t most;          // frames of the largest batch that this job may have

  std::span<const PictureView> pictures() const { return job->pictures.subspan(first, count); }
  Detections& result(std::size_t i) const { return job->results[first + i]; }
  PictureShapes* shapes(std::size_t i) const { return job->results.shapes(first + i); }
};

class Batches {
 public:
  void clear() {
    list_.clear();
    next_ = 0;
  }
  // `most`: a power of two. `fills`: whether up to a quarter of a batch's frames may have no picture. A
  // device searches an empty frame like a full one. Empty frames therefore pay only for small pictures: a
  // device searches a few small frames in the time of one.
  void add(const SearchJob& job, std::size_t most, bool fills) {
    for (std::size_t first = 0, count; first < job.pictures.size(); first += count) {
      const std::size_t left = job.pictures.size() - first, whole = std::bit_floor(left);
      const std::size_t frames = std::min(most, fills && 2 * left >= 3 * whole ? 2 * whole : whole);
      count = std::min(left, frames);
      list_.push_back({&job, first, count, frames, most});
    }
  }
  bool empty() const { return list_.empty(); }
  // The next batch, or null after the last one.
  const Batch* next() {
    const std::size_t at = next_.fetch_add(1);
    return at < list_.size() ? &list_[at] : nullptr;
  }
  // From now on `next` returns null.
  void stop() { next_ = list_.size(); }

 private:
  std::vector<Batch> list_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace winnow
