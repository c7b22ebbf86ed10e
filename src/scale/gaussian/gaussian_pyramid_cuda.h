// Makes the Gaussian pyramids of a batch of frames on a device, each level from the level before.
//
// In:     frames of one size in device memory, as `halve_cuda.h` takes them and a `FrameBatch` makes them.
// Out:    levels 1 and up of each frame. Level 0 is the frame itself, not a copy. A level of 1 x 1 is the
//         last, even if more are wanted.
// Exact:  the bytes of `GaussianPyramid`.
// Memory: the pyramid owns levels 1 and up. `plan` allocates them, and waits. `enqueue` allocates nothing and
//         does not wait, so a graph can hold its work. The frames belong to the caller. Views live until the
//         next `plan`.
// Thread: one thread at a time. The device that was current in `plan` must be current. Runs that overlap on
//         the device need pyramids of their own.
// Cost:   one launch a level. Four levels of 1280 x 720 read 1.21 MB and write 0.30 MB. An H100's memory
//         moves these bytes in half a microsecond. So a single frame takes the time of three small launches.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/box.h>

#include "base/device/cuda_memory.h"
#include "base/device/host_device.h"
#include "scale/gaussian/halve_rule.h"

namespace winnow {

// One level of all frames.
struct GaussianLevelView {
  const std::uint8_t* first;  // the level's first row in frame 0
  std::int64_t frame_bytes;
  std::int32_t width, height, pitch;  // bytes behind a row's `width` may have any value

  WINNOW_HOST_DEVICE const std::uint8_t* row(std::int64_t frame, int y) const {
    return first + frame * frame_bytes + std::int64_t{y} * pitch;
  }
};

// All levels, as an argument of kernels. A kernel that reads one level takes a `GaussianLevelView`, which is
// smaller.
struct GaussianPyramidView {
  std::int32_t count = 0;  // number of levels
  GaussianLevelView levels[kMostGaussianLevels] = {};
};

class DeviceGaussianPyramid {
 public:
  // `levels` includes level 0. Work on earlier levels must have ended. Throws kUsage for an empty picture,
  // and for fewer than one level or frame.
  void plan(Size picture, int levels, int frames);
  int levels() const { return levels_; }
  // Makes the levels of the first `count` frames, at most as many as planned, which is not checked.
  void enqueue(const std::uint8_t* frames, int count, cudaStream_t stream) const;
  // The levels of the frames of the last `enqueue`, valid in stream order.
  GaussianPyramidView view(const std::uint8_t* frames) const;

 private:
  Size picture_;
  int levels_ = 0, frames_ = 0;
  DeviceBuffer<std::uint8_t> halves_;  // level by level; within a level, frame after frame
};

}  // namespace winnow
