// Makes a step that follows a search on a device, and measures how the picture changes inside each object.
//
// In:     a search that keeps its objects on the device, and a kept video. The search comes before this step.
//         Batches must have one frame, and requests must clip boxes.
// Out:    for each object the sum of |now - before| over its pixels on level 1 of the Gaussian pyramids.
// Exact:  sums of integers.
// Memory: owned. Only `read` waits.
// Thread: one thread at a time. The current device must be the one that was current when the step was made.
#pragma once

#include <cstdint>
#include <vector>

#include "base/device/cuda_memory.h"
#include "pipeline/device_search_cuda.h"
#include "scale/frames/frame_batch_cuda.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "scale/gaussian/kept_videos_cuda.h"

namespace winnow::sample {

class ChangeStep final : public FrameStep {
 public:
  // Compares each frame with the frame before, at place 0 of `kept`, and then keeps the frame there. The
  // first frame is compared with what the memory holds.
  ChangeStep(const DeviceSearch& search, const DeviceKeptVideos& kept);
  void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const override;
  std::uint64_t version() const override { return search_.version() + kept_.version(); }

  // The sums of the last batch, which must have ended; -1 for a crowd (`ObjectsView::kTooMany`).
  std::vector<std::int64_t> read() const;

 private:
  const DeviceSearch& search_;
  const DeviceKeptVideos& kept_;
  DeviceGaussianPyramid pyramid_;    // of the batch's frame
  DeviceBuffer<std::int64_t> sums_;  // the number of objects, then a sum for each
};

}  // namespace winnow::sample
