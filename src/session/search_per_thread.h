// Searches many pictures at once, one picture per thread.
//
// Threads that search one picture divide its rows, and wait for one another where their rows meet. One
// picture per thread is therefore faster if there are enough pictures.
//
// In:     pictures of any sizes.
// Out:    results for some pictures from the front of the list, in their order, and the number of these
//         pictures.
// Exact:  the answer for a picture does not depend on the other pictures.
// Memory: owns a clone of the pipeline for each thread, made with the first call that needs it. Pictures and
//         results belong to the caller.
// Thread: one thread at a time; a call uses up to `threads` threads, the calling thread among them.
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
  // `pipeline` is cloned when clones are first needed, so `pipeline` must outlive this object. If `pipeline`
  // makes no clones, `search` searches nothing and returns 0. `backend`: a name that lives as long as the
  // program.
  SearchPerThread(const DetectorModel& model, const char* backend, int threads, const Pipeline& pipeline);
  ~SearchPerThread();

  // Searches the first pictures, as many as `pictures_per_thread` allows, and returns their number. `results`
  // has an element for each picture. If a search throws, the call throws, too, once all threads have stopped.
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

// Returns how many pictures, from the front of the list, to search one per thread. These pictures keep the
// threads busy at least three quarters of the time, judged by the pictures' areas. The other pictures are
// searched faster by all threads together. Returns 0 if some pictures are much larger than others, and for
// fewer than two threads.
std::size_t pictures_per_thread(std::span<const PictureView> pictures, std::size_t threads);

}  // namespace winnow
