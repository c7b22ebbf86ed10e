// Searches many pictures at once, one picture a thread.
//
// Threads that share a picture share its rows and wait for one another where their parts meet, so a picture a
// thread is faster where there are enough pictures.
//
// In:     pictures of any sizes.
// Out:    the answers that each picture alone would have.
// Memory: a clone of the pipeline for each thread, made with the first call that needs it.
// Thread: one thread at a time; a call uses `threads` of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <winnow/detector.h>

#include "pipeline/pipeline.h"

namespace winnow {

class SearchPerThread {
 public:
  // `pipeline` is cloned when the clones are first needed, so it must outlive this. If it makes no clones,
  // this searches nothing.
  SearchPerThread(const DetectorModel& model, const char* backend, int threads, const Pipeline& pipeline);
  ~SearchPerThread();

  // Searches the first pictures, as many as `pictures_per_thread` says, and returns their number.
  std::size_t search(std::span<const PictureView> pictures, const DetectOptions& options,
                     std::span<Detections> results);

 private:
  struct Threads;
  DetectorModel model_;
  const char* backend_;
  int count_;
  const Pipeline& pipeline_;
  std::unique_ptr<Threads> threads_;
};

// How many of the first of these pictures keep all threads busy to the end, or nearly. The others are
// searched faster by all threads together; so are all pictures, if some are much larger than others.
std::size_t pictures_per_thread(std::span<const PictureView> pictures, std::size_t threads);

}  // namespace winnow
