// Keeps the newest frame of a video and the frame before on a device, each with its Gaussian pyramid.
//
// In:     a video's grey frames in host memory, in order.
// Out:    the pyramids of the last two frames of one size, in stream order. The newest frame in pinned
//         memory.
// Exact:  the bytes of `KeptFrames`.
// Memory: owns frames and pyramids, and uses their memory again. A frame may be freed when `take` returns. If
//         memory for a frame is short, no frame is kept. The work of others on the frame before must have
//         ended before `take`, and on both frames before `deepen`: their memory is written anew.
// Thread: one thread at a time. The device of the memory must be current.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/image.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"

namespace winnow {

class DeviceKeptFrames {
 public:
  // Keeps `frame` with `levels` levels, or fewer if a level of 1 x 1 comes before.
  void take(GrayView frame, int levels);
  // Gives the kept frames as many levels as `take` would. Levels beyond these stay.
  void deepen(int levels);
  void forget() { kept_ = 0; }
  int kept() const { return kept_; }  // the number of kept frames of the newest one's size, at most 2

  // These tell about the newest frame, which must be there.
  Size size() const { return frames_[now_].size; }
  int levels() const { return frames_[now_].levels; }
  GaussianPyramidView now() const { return view_of(frames_[now_]); }
  const std::uint8_t* pixels() const {
    return frames_[now_].staged.data();
  }  // on the host, rows as a level's
  // The frame before must be there.
  GaussianPyramidView before() const { return view_of(frames_[1 - now_]); }

  cudaStream_t stream() const { return stream_.get(); }
  // Waits for all work on the stream.
  void wait();

 private:
  struct Frame {
    Size size;
    int levels = 0;        // of the pyramid of this frame
    bool copying = false;  // a copy from `staged` may still run
    PinnedBuffer<std::uint8_t> staged;
    DeviceBuffer<std::uint8_t> pixels;
    DeviceGaussianPyramid pyramid;
    Size planned_size;
  };
  static GaussianPyramidView view_of(const Frame& frame) { return frame.pyramid.view(frame.pixels.data()); }
  void make_levels(Frame& frame, int levels);

  CudaStream stream_ = make_stream();
  Frame frames_[2];
  int now_ = 0, kept_ = 0;
};

}  // namespace winnow
