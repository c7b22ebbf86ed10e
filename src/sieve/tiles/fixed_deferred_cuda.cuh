// Judges the windows that tiles deferred, one block per window. Only for cascades with a running sum and
// without tilted features.
//
// In:     `DeferredWindow`s in device memory, and their number.
// Out:    survivors; a rejected window adds one to the counter of the stage that rejects it.
// Exact:  all sums are integers.
// Memory: all memory is the job's. Shared memory holds one window's plane.
//
// A block makes the integral plane of its window anew. Then every warp judges 32 items (weak classifiers) at
// a time.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "base/device/warp_cuda.cuh"
#include "sieve/tiles/fixed_job_cuda.cuh"
#include "sieve/tiles/fixed_judge_cuda.cuh"
#include "sieve/tiles/tile_planes_cuda.cuh"

namespace winnow {

constexpr int kDeferredThreads = 256, kDeferredWarps = kDeferredThreads / 32;

// Makes the window's integral plane, in the layout of a tile whose first window is the deferred window.
inline __device__ void make_window_plane(const FixedGrid& job, const Block& block,
                                         const DeferredWindow& deferred) {
  const LevelImage image = job.pyramid.images[deferred.level];
  const std::uint8_t* pixels = job.pyramid.pixels(deferred.frame, image) +
                               static_cast<std::int64_t>(deferred.y) * image.pitch + deferred.x;
  const int lane = static_cast<int>(threadIdx.x) % 32, width = job.window.width, height = job.window.height;
  const int stride = block.shape.stride;
  auto* plane = reinterpret_cast<std::uint32_t*>(memory);
  for (int x = static_cast<int>(threadIdx.x); x <= width; x += kDeferredThreads)
    plane[block.column_word(x)] = 0;
  for (int y = static_cast<int>(threadIdx.x) / 32; y < height; y += kDeferredWarps) {
    std::uint32_t* row = plane + (y + 1) * stride;
    if (lane == 0) row[block.column_word(0)] = 0;
    int before = 0;
    for (int first = 0; first < width; first += 32) {
      const int x = first + lane;
      const int sum =
          before + inclusive_sum(x < width ? pixels[static_cast<std::int64_t>(y) * image.pitch + x] : 0);
      if (x < width) row[block.column_word(x + 1)] = static_cast<std::uint32_t>(sum);
      before = __shfl_sync(~0u, sum, 31);
    }
  }
  __syncthreads();
  for (int x = 1 + static_cast<int>(threadIdx.x); x <= width; x += kDeferredThreads) {
    std::uint32_t sum = 0;
    for (int y = 1; y <= height; ++y) sum = plane[y * stride + block.column_word(x)] += sum;
  }
  __syncthreads();
}

// `total`: the sum of 32 items of a window. `needs`: the least sum before these items with which the window
// passes all of them.
struct ItemsSum {
  std::int32_t total, needs;
};

// The least sum that meets `limit` once `more` is added. The largest integer means "never", because no
// window's sum is that large.
inline __device__ std::int32_t needed_before(std::int32_t limit, std::int32_t more) {
  constexpr std::int64_t kLeast = kNoLimit, kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(min(max(std::int64_t{limit} - more, kLeast), kMost));
}

template <class Rules>
__global__ void __launch_bounds__(kDeferredThreads) deferred_kernel(const __grid_constant__ FixedGrid job) {
  __shared__ ItemsSum sums[2][kDeferredWarps];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const auto count =
      static_cast<unsigned>(min(*job.deferred_count, static_cast<DeviceCount>(job.deferred_room)));
  int buffer = 0;
  for (unsigned i = blockIdx.x; i < count; i += gridDim.x) {
    const DeferredWindow deferred = job.deferred[i];
    DeviceCount* counts = job.counts + static_cast<std::int64_t>(deferred.frame) * job.counts_per_frame;
    const Block block(job, job.levels[deferred.level].layout, TileExtent{});
    make_window_plane(job, block, deferred);
    int sum = deferred.sum;
    bool lives = true;
    for (int first = deferred.next; lives && first < job.item_count;
         first += 32 * kDeferredWarps, buffer ^= 1) {
      const int number = min(first + 32 * warp + lane, job.item_count - 1);
      const bool there = first + 32 * warp + lane < job.item_count;
      const FixedItem item = job.items[block.layout][number];
      const int leaf = lane_leaf<Rules>(job, block, item, number, block.base, deferred.norm);
      __syncwarp();
      const int all = inclusive_sum(there ? leaf : 0);
      const int total = __shfl_sync(~0u, all, 31);
      const int needs = warp_max(there ? needed_before(item.limit, all) : kNoLimit);
      if (lane == 0) sums[buffer][warp] = {total, needs};
      __syncthreads();
      for (int w = 0; w < kDeferredWarps && lives; ++w) {
        const ItemsSum of = sums[buffer][w];
        lives = sum >= of.needs;
        if (!lives && w == warp) {
          const unsigned fails = __ballot_sync(~0u, there && sum + all < item.limit);
          if (lane == 0) {
            const int stage = stage_of_item(job, number + __ffs(static_cast<int>(fails)) - 1);
            atomicAdd(&counts[kReached + 1 + stage], DeviceCount{1});
          }
        }
        sum += of.total;
      }
    }
    if (lives && threadIdx.x == 0)
      keep_survivor(job, deferred.frame, counts, deferred.number, static_cast<double>(sum) / kScoreUnit);
    __syncthreads();  // the next window's plane overwrites this one
  }
}

}  // namespace winnow
