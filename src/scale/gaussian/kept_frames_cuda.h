// Keeps the newest frame of a video and the frame before on a device, each with its Gaussian pyramid.
//
// A batch uploads a frame, and its step `KeepFrame` keeps that frame. Later steps of this batch, and the
// steps of the next batch, read both kept frames on the device. Batches that share kept frames must use one
// stream.
//
// In:     frames of one video, one in each batch.
// Out:    the pyramids of the last two frames, valid in stream order.
// Exact:  the bytes of `KeptFrames`.
// Memory: the kept frames own their memory, which `plan` allocates. Taking a frame allocates nothing and does
//         not wait. Views live until the next `plan`. A `KeepFrame` refers to the kept frames, which must
//         outlive it.
// Thread: one thread at a time. The device that was current in `plan` must be current.
// Cost:   the newest frame is copied to the place of the one before, so that both have fixed places and a
//         graph can hold the work. A frame of 1280 x 720 moves 4.3 MB: 2 microseconds of an H100's memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "base/device/cuda_memory.h"
#include "scale/frames/frame_batch_cuda.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"

namespace winnow {

class DeviceKeptFrames {
 public:
  // Forgets all frames. Waits for the device at the beginning and at the end.
  void plan(Size picture, int levels);
  // Takes a frame, laid out in device memory as in a `FrameBatch`.
  void enqueue(const std::uint8_t* frame, cudaStream_t stream) const;

  // The newest frame and the frame before, each as frame 0 of its view. All pixels of a frame that is
  // missing are 0, so the caller must count the frames taken.
  GaussianPyramidView now() const { return now_.view(frame_now_.data()); }
  GaussianPyramidView before() const { return before_.view(frame_before_.data()); }
  std::uint64_t version() const { return version_; }

 private:
  Size picture_;
  DeviceBuffer<std::uint8_t> frame_now_, frame_before_;
  DeviceGaussianPyramid now_, before_;
  std::uint64_t version_ = 0;
};

// The step that gives a batch's frame to the kept frames. The wish must be for grey frames without a table.
class KeepFrame final : public FrameStep {
 public:
  KeepFrame(const DeviceKeptFrames& kept, std::size_t wish) : kept_(kept), wish_(wish) {}
  void enqueue(const FrameBatch& batch, int, cudaStream_t stream) const override {
    kept_.enqueue(batch.view(wish_).frames, stream);
  }
  std::uint64_t version() const override { return kept_.version(); }

 private:
  const DeviceKeptFrames& kept_;
  std::size_t wish_;
};

}  // namespace winnow
