#include "hog/hog_math_cuda.cuh"

#include <cmath>
#include <span>
#include <vector>

#include "base/device/cuda_memory.h"
#include "hog/hog_kernels_cuda.h"
#include "hog/rows/gradient_rule.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    compare_kernel(const float* sides, std::int64_t count, unsigned long long* different) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  unsigned long long found = 0;
  const float dx = sides[i];
  for (std::int64_t j = 0; j <= i; ++j) {
    const float dy = sides[j], large = fmaxf(dx, dy) + kNoGradient, small = fminf(dx, dy);
    const float squares = dx * dx + dy * dy, swapped = dy * dy + dx * dx;
    if (IeeeMath::divide(small, large) != HogQuickMath::divide(small, large) ||
        IeeeMath::root(squares) != HogQuickMath::root(squares) ||
        IeeeMath::root(swapped) != HogQuickMath::root(swapped))
      ++found;
  }
  if (found > 0) atomicAdd(different, found);
}

}  // namespace

std::int64_t count_different_votes(bool gamma) {
  std::vector<float> sides;  // the absolute differences of all pairs of pixel values
  const auto pixel = [&](int value) {
    return gamma ? std::sqrt(static_cast<float>(value)) : static_cast<float>(value);
  };
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < (gamma ? a + 1 : 1); ++b) sides.push_back(pixel(a) - pixel(b));
  DeviceBuffer<float> on_device;
  upload(std::span<const float>(sides), on_device);
  DeviceBuffer<unsigned long long> different(1);
  check_cuda(cudaMemset(different.data(), 0, sizeof(unsigned long long)), "clearing a count");
  const auto count = static_cast<std::int64_t>(sides.size());
  compare_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads>>>(
      on_device.data(), count, different.data());
  check_launch("comparing votes");
  unsigned long long found = 0;
  check_cuda(cudaMemcpy(&found, different.data(), sizeof(found), cudaMemcpyDeviceToHost), "comparing votes");
  return static_cast<std::int64_t>(found);
}

}  // namespace winnow
