#include "base/device/cuda_device.h"
#include "scale/frames/color_planes_cuda.h"
#include "scale/frames/frame.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;

// A thread splits four pixels: it reads three words and writes one word to each plane. `pitch` and
// `color_pitch` are in words.
__global__ void __launch_bounds__(kThreads)
    split_kernel(const std::uint32_t* colors, int color_pitch, std::uint32_t* planes, int pitch, int words,
                 int height) {
  const std::int64_t item = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (item >= std::int64_t{words} * height) return;
  const int y = static_cast<int>(item / words), x = static_cast<int>(item % words);
  const std::uint32_t* from =
      colors + (std::int64_t{blockIdx.y} * height + y) * color_pitch + std::int64_t{3} * x;
  std::uint32_t in[3];  // the bytes r g b r, g b r g and b r g b
#pragma unroll
  for (int i = 0; i < 3; ++i) in[i] = 3 * x + i < color_pitch ? from[i] : 0;
  const std::int64_t plane = std::int64_t{pitch} * height;
  std::uint32_t* to = planes + std::int64_t{blockIdx.y} * 3 * plane + std::int64_t{y} * pitch + x;
  const auto joined = [&](int first) {  // joins every third byte of `in`, from `first` on
    std::uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = first + 3 * i;
      word |= (in[at / 4] >> (8 * (at % 4)) & 0xff) << (8 * i);
    }
    return word;
  };
  to[0] = joined(2);
  to[plane] = joined(1);
  to[2 * plane] = joined(0);
}

}  // namespace

void split_colors(const std::uint8_t* colors, Size picture, int frames, std::uint8_t* planes,
                  cudaStream_t stream) {
  const int words = (picture.width + 3) / 4;
  const std::int64_t items = std::int64_t{words} * picture.height;
  if (items == 0 || frames == 0) return;
  split_kernel<<<dim3(static_cast<unsigned>((items + kThreads - 1) / kThreads),
                      static_cast<unsigned>(frames)),
                 kThreads, 0, stream>>>(
      reinterpret_cast<const std::uint32_t*>(colors), static_cast<int>(frame_pitch(3 * picture.width) / 4),
      reinterpret_cast<std::uint32_t*>(planes), static_cast<int>(frame_pitch(picture.width) / 4), words,
      picture.height);
  check_launch("splitting colours");
}

}  // namespace winnow
