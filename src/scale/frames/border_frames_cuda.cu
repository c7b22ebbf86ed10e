#include "base/device/cuda_device.h"
#include "image/border.h"
#include "scale/frames/border_frames_cuda.h"
#include "scale/frames/frame.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;

struct BorderedFrames {
  const std::uint8_t* pictures;
  Size picture, frame;
  int margin;
  std::int64_t picture_pitch, frame_pitch;  // bytes of a row
  std::uint8_t* frames;
};

// A thread makes four pixels of each plane.
template <int kChannels>
__global__ void __launch_bounds__(kThreads) border_kernel(BorderedFrames all, int words) {
  const std::int64_t item = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (item >= std::int64_t{words} * all.frame.height) return;
  const int y = static_cast<int>(item / words), x = 4 * static_cast<int>(item % words);
  const std::uint8_t* from = all.pictures + (std::int64_t{blockIdx.y} * all.picture.height +
                                             mirrored(y - all.margin, all.picture.height)) *
                                                all.picture_pitch;
  std::uint32_t joined[kChannels] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (x + i >= all.frame.width) break;
    const std::uint8_t* pixel = from + kChannels * mirrored(x + i - all.margin, all.picture.width);
#pragma unroll
    for (int c = 0; c < kChannels; ++c) joined[c] |= std::uint32_t{pixel[kChannels - 1 - c]} << (8 * i);
  }
  const std::int64_t plane = all.frame_pitch * all.frame.height;
  std::uint8_t* to = all.frames + std::int64_t{blockIdx.y} * kChannels * plane + y * all.frame_pitch + x;
#pragma unroll
  for (int c = 0; c < kChannels; ++c) *reinterpret_cast<std::uint32_t*>(to + c * plane) = joined[c];
}

}  // namespace

void add_borders(const std::uint8_t* pictures, Size picture, int channels, int margin, int count,
                 std::uint8_t* frames, cudaStream_t stream) {
  const Size frame = bordered_size(picture, margin);
  const int words = (frame.width + 3) / 4;
  const std::int64_t items = std::int64_t{words} * frame.height;
  if (picture.width <= 0 || picture.height <= 0 || count == 0) return;
  const BorderedFrames all{
      pictures, picture, frame, margin, frame_pitch(channels * picture.width), frame_pitch(frame.width),
      frames};
  const dim3 blocks(static_cast<unsigned>((items + kThreads - 1) / kThreads), static_cast<unsigned>(count));
  if (channels == 1)
    border_kernel<1><<<blocks, kThreads, 0, stream>>>(all, words);
  else
    border_kernel<3><<<blocks, kThreads, 0, stream>>>(all, words);
  check_launch("adding borders");
}

}  // namespace winnow
