// Many pictures at once, each by a thread of its own: threads that share a picture share its rows, too, where
// their parts meet, and wait for one another. In: pictures of any sizes. Out: as each alone. exact.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <winnow/cascade.h>
#include <winnow/detector.h>

#include "session/finder.h"

namespace winnow {

class SearchersAlone {
 public:
  // `finder`: to make others like it, once they are needed, so it must outlive this; where it makes none,
  // nothing is found here.
  SearchersAlone(const Cascade& cascade, const char* backend, int threads, const Finder& finder);
  ~SearchersAlone();

  // How many of the first pictures were found (`pictures_alone`).
  std::size_t find(std::span<const GrayView> pictures, const DetectOptions& options,
                   std::span<Detections> results);

 private:
  struct Threads;
  Cascade cascade_;
  const char* backend_;
  int count_;
  const Finder& finder_;
  std::unique_ptr<Threads> threads_;
};

// How many of the first of these pictures keep so many threads busy to the end, or nearly. The rest is faster
// by all threads together, and so are all if some are much larger than others.
std::size_t pictures_alone(std::span<const GrayView> pictures, std::size_t threads);

}  // namespace winnow
