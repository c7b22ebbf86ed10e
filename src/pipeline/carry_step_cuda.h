// Carries points of several videos to the frames of a batch, and keeps these frames for the next batch.
//
// In:     kept videos (`kept_videos_cuda.h`); a batch's grey frames, one of each video; for each frame its
//         video's place, and points in the frame before it.
// Out:    for each frame the results of its points, once the stream is done.
// Exact:  the bits of `flow_ref`.
// Memory: the step owns its memory, which `plan` allocates. `enqueue` allocates nothing and does not wait.
//         The kept videos must outlive the step's batches.
// Thread: one thread at a time. The device on which the object was made must be current.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/device/cuda_memory.h"
#include "scale/frames/frame_batch_cuda.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "scale/gaussian/kept_videos_cuda.h"
#include "track/flow/flow_rule.h"

namespace winnow {

class CarryStep final : public FrameStep {
 public:
  // `wish`: the number of the batch's `FrameWish`. Points are carried to its frames, which must be grey and
  // without a table.
  explicit CarryStep(std::size_t wish = 0) : wish_(wish) {}

  // Makes room for `frames` frames with up to `points` points each. All earlier batches must have ended.
  void plan(const DeviceKeptVideos& kept, const FlowRules& rules, int frames, std::size_t points);
  // Sets the place of the video and the points for frame `frame` of the next batch. Without points the frame
  // is only kept.
  void set(int frame, int place, std::span<const FlowPlace> points);
  void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const override;
  std::uint64_t version() const override { return version_; }

  std::span<const FlowResult> results(int frame) const;
  // For later steps of the batch: the wish whose frames points are carried to, and where results lie. Those of
  // frame i begin at `flown() + i * pitch()`. Host and device can both access them.
  std::size_t wish() const { return wish_; }
  const FlowResult* flown() const { return results_.data(); }
  int pitch() const { return pitch_; }

 private:
  // Byte offsets in one buffer, so that one copy brings all to the device: the frames' places, their numbers
  // of points, and their points.
  struct Layout {
    std::size_t places, counts, points, bytes;
  };
  Layout layout() const;

  std::size_t wish_;
  const DeviceKeptVideos* kept_ = nullptr;
  FlowRules rules_;
  Size picture_;
  int frames_ = 0, pitch_ = 0, levels_ = 0;
  std::uint64_t version_ = 0, kept_version_ = 0;
  DeviceGaussianPyramid pyramid_;
  PinnedBuffer<std::uint8_t> told_;
  DeviceBuffer<std::uint8_t> known_;
  PinnedBuffer<FlowResult> results_;  // host and device can both access it
};

}  // namespace winnow
