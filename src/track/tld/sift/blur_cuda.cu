#include "track/tld/sift/blur_cuda.h"

#include <algorithm>

#include "base/device/cuda_device.h"
#include "image/border.h"
#include "track/tld/sift/blur_rule.h"

namespace winnow {
namespace {

constexpr int kWide = 64, kTall = 16, kThreads = 256;
constexpr int kSourceWide = kWide + 2 * kBlurRadius, kSourceTall = kTall + 2 * kBlurRadius;

// The weights as numbers in the code: a table would be read from memory.
__device__ constexpr std::uint32_t weight(int tap) {
  constexpr std::uint32_t kWeights[kBlurTaps] = {kBlur[0], kBlur[1], kBlur[2], kBlur[3], kBlur[4],
                                                 kBlur[5], kBlur[6], kBlur[7], kBlur[8]};
  return kWeights[tap];
}

// A block makes a tile of kWide x kTall pixels.
__global__ void __launch_bounds__(kThreads)
    blur_kernel(const __grid_constant__ GaussianLevelView level, std::uint8_t* blurred) {
  __shared__ std::uint8_t pixels[kSourceTall][kSourceWide];
  __shared__ std::uint16_t columns[kTall][kSourceWide];
  const int left = static_cast<int>(blockIdx.x) * kWide, thread = static_cast<int>(threadIdx.x);
  const int tiles_down = (level.height + kTall - 1) / kTall;
  for (int tile = static_cast<int>(blockIdx.y); tile < tiles_down; tile += static_cast<int>(gridDim.y)) {
    const int top = tile * kTall;
    for (int i = thread; i < kSourceTall * kSourceWide; i += kThreads) {
      const int row = i / kSourceWide, column = i - row * kSourceWide;
      const int x = left + column - kBlurRadius, y = top + row - kBlurRadius;
      // Places farther outside belong to pixels that are not written.
      const bool is_read = x < level.width + kBlurRadius && y < level.height + kBlurRadius;
      pixels[row][column] = is_read ? level.row(0, mirrored(y, level.height))[mirrored(x, level.width)] : 0;
    }
    __syncthreads();
    for (int i = thread; i < kTall * kSourceWide; i += kThreads) {
      const int row = i / kSourceWide, column = i - row * kSourceWide;
      std::uint32_t sum = 0;
#pragma unroll
      for (int tap = 0; tap < kBlurTaps; ++tap) sum += weight(tap) * pixels[row + tap][column];
      columns[row][column] = static_cast<std::uint16_t>(sum);
    }
    __syncthreads();
    for (int i = thread; i < kTall * kWide; i += kThreads) {
      const int row = i / kWide, column = i - row * kWide;
      if (left + column >= level.width || top + row >= level.height) continue;
      std::uint32_t sum = 0;
#pragma unroll
      for (int tap = 0; tap < kBlurTaps; ++tap) sum += weight(tap) * columns[row][column + tap];
      blurred[static_cast<std::int64_t>(top + row) * level.width + left + column] = blur_round(sum);
    }
    __syncthreads();  // all have read this tile before the next one is written
  }
}

}  // namespace

void blur_level(const GaussianLevelView& level, std::uint8_t* blurred, cudaStream_t stream) {
  constexpr int kMostBlocksDown = 65535;
  const int across = (level.width + kWide - 1) / kWide, down = (level.height + kTall - 1) / kTall;
  blur_kernel<<<dim3(static_cast<unsigned>(across), static_cast<unsigned>(std::min(down, kMostBlocksDown))),
                kThreads, 0, stream>>>(level, blurred);
  check_launch("blurring a level");
}

}  // namespace winnow
