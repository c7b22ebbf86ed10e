#include "scale/gaussian/gaussian_pyramid_cuda.h"

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "scale/frames/frame.h"
#include "scale/gaussian/halve_cuda.h"

namespace winnow {

void DeviceGaussianPyramid::plan(Size picture, int levels, int frames) {
  const int count = gaussian_levels(picture, levels);
  if (count < 1 || frames < 1)
    throw Error(ErrorCode::kUsage, "a Gaussian pyramid needs a picture, a level and a frame");
  std::int64_t bytes = 0;
  Size size = picture;
  for (int i = 1; i < count; ++i) bytes += frame_bytes(size = halved(size)) * frames;
  halves_.reserve(static_cast<std::size_t>(bytes));
  picture_ = picture;
  levels_ = count;
  frames_ = frames;
}

void DeviceGaussianPyramid::enqueue(const std::uint8_t* frames, int count, cudaStream_t stream) const {
  const std::uint8_t* from = frames;
  std::uint8_t* to = halves_.data();
  Size size = picture_;
  for (int i = 1; i < levels_; ++i) {
    halve_frames(from, size, count, to, stream);
    size = halved(size);
    from = to;
    to += frame_bytes(size) * frames_;
  }
}

GaussianPyramidView DeviceGaussianPyramid::view(const std::uint8_t* frames) const {
  GaussianPyramidView view;
  view.count = levels_;
  const std::uint8_t* first = frames;
  const std::uint8_t* next = halves_.data();
  Size size = picture_;
  for (int i = 0; i < levels_; ++i) {
    view.levels[i] = {first, frame_bytes(size), size.width, size.height,
                      static_cast<std::int32_t>(frame_pitch(size.width))};
    size = halved(size);
    first = next;
    next += frame_bytes(size) * frames_;
  }
  return view;
}

}  // namespace winnow
