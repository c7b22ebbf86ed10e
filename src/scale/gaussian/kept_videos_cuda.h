// Keeps the last frame of each of several videos on a device, with its Gaussian pyramid.
//
// In:     frames of one size and their pyramids, several at once, and for each frame the number of its
//         video's place.
// Out:    the pyramids of all places, valid in stream order.
// Exact:  the bytes that were kept.
// Memory: the kept videos own their memory, which `plan` allocates. Keeping a frame allocates nothing and
//         does not wait, so a graph can hold it. Views live until the next `plan` that needs more places.
// Thread: one thread at a time. The device that was current in `plan` must be current.
// Cost:   one launch. A frame of 1280 x 720 moves 2.4 MB: one microsecond of an H100's memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "base/device/cuda_memory.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"

namespace winnow {

class DeviceKeptVideos {
 public:
  DeviceKeptVideos(Size picture, int levels) : picture_(picture), levels_(levels) {}

  // Makes room for this many places. Frames that are kept stay. Waits for the stream if memory must grow.
  void plan(int places, cudaStream_t stream);
  int places() const { return places_; }

  // Keeps frame i of `from` at place `places[i]`, for the first `count` frames. The list lies in device
  // memory; null: frame i is kept at place i.
  void enqueue(const GaussianPyramidView& from, const std::int32_t* places, int count,
               cudaStream_t stream) const;
  // Frame i of the view is what was kept at place i.
  GaussianPyramidView view() const { return pyramid_.view(frames_.data()); }
  Size picture() const { return picture_; }
  int levels() const { return levels_; }
  std::uint64_t version() const { return version_; }  // changes whenever `view` does

 private:
  Size picture_;
  int levels_, places_ = 0;
  DeviceBuffer<std::uint8_t> frames_;
  DeviceGaussianPyramid pyramid_;
  std::uint64_t version_ = 0;
};

}  // namespace winnow
