#include "change_step_cuda.h"

#include <cuda_runtime.h>

namespace winnow::sample {
namespace {

constexpr int kThreads = 128;
constexpr std::size_t kMostObjects = 2048;

// Each block of threads takes one object. There are as many blocks as there may be objects.
__global__ void __launch_bounds__(kThreads)
    change_kernel(ObjectsView objects, GaussianLevelView before, GaussianLevelView now, std::int64_t* sums) {
  const std::int32_t found = objects.found[0];
  if (blockIdx.x == 0 && threadIdx.x == 0) sums[0] = found;
  if (static_cast<std::int32_t>(blockIdx.x) >= found) return;
  const Box box = objects.objects[blockIdx.x].box;
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int left = box.x / 2, top = box.y / 2, width = box.width / 2, height = box.height / 2;
  for (int i = static_cast<int>(threadIdx.x); i < width * height; i += kThreads) {
    const int x = left + i % width, y = top + i / width;
    const int change = int{now.row(0, y)[x]} - int{before.row(0, y)[x]};
    atomicAdd(&sum, static_cast<unsigned long long>(change < 0 ? -change : change));
  }
  __syncthreads();
  if (threadIdx.x == 0) sums[1 + blockIdx.x] = static_cast<std::int64_t>(sum);
}

}  // namespace

ChangeStep::ChangeStep(const DeviceSearch& search, const DeviceKeptVideos& kept)
    : search_(search), kept_(kept), sums_(1 + kMostObjects) {
  pyramid_.plan(kept.picture(), kept.levels(), 1);
}

void ChangeStep::enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const {
  const std::uint8_t* const frame = batch.view(0).frames;
  pyramid_.enqueue(frame, 1, stream);
  const GaussianPyramidView now = pyramid_.view(frame);
  const ObjectsView objects = search_.objects(count);
  change_kernel<<<static_cast<unsigned>(objects.stride), kThreads, 0, stream>>>(
      objects, kept_.view().levels[1], now.levels[1], sums_.data());
  check_launch("launching the kernel of changes");
  kept_.enqueue(now, nullptr, 1, stream);
}

std::vector<std::int64_t> ChangeStep::read() const {
  std::vector<std::int64_t> sums(1 + kMostObjects);
  check_cuda(cudaMemcpy(sums.data(), sums_.data(), sums.size() * sizeof(sums[0]), cudaMemcpyDeviceToHost),
             "reading changes");
  if (sums[0] < 0) return {-1};
  return {sums.begin() + 1, sums.begin() + 1 + static_cast<std::ptrdiff_t>(sums[0])};
}

}  // namespace winnow::sample
