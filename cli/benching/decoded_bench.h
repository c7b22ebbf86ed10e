// Times the search of decoded pictures: `Detector::detect`, again and again.
//
// In:     pictures in memory, which must stay as they are.
// Out:    a `BenchRow`. The first search of all pictures is not timed. kBackend if the backend is not here.
// Exact:  counters and objects are those of every backend; times and backends are those of this machine.
// Memory: `DecodedPictures` owns the pictures. A detector lives during `measure_decoded`.
// Thread: the main thread.
#pragma once

#include <winnow/feed.h>
#include <winnow/image.h>
#include <winnow/pinned.h>

#include <cstddef>
#include <span>
#include <vector>

#include "benching/bench_row.h"

namespace winnow::cli {

// The pictures of inputs, decoded, and in pinned memory if a device shall read them by itself. Throws for an
// input that is no picture, or that cannot be read.
class DecodedPictures {
 public:
  DecodedPictures(const std::vector<Input>& inputs, bool color, bool pinned);
  std::span<const PictureView> views() const { return views_; }

 private:
  void pin();

  std::vector<Picture> pictures_;
  std::vector<std::byte> memory_;
  PinnedMemory pinned_;
  std::vector<PictureView> views_;
};

BenchRow measure_decoded(const BenchModel& model, const BenchJob& job, std::span<const PictureView> pictures);

}  // namespace winnow::cli
