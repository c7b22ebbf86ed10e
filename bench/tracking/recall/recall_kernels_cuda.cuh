// Kernels of a paper on heterogeneous TLD (Gurcan and Temizel 2015): variance by clusters of scan lines, the
// compaction's last step, and indices of ferns in two layouts. Plain forms stand beside them.
//
// In:     integral planes and the blurred picture in device memory, and lists (recall_lists_cuda.h).
// Out:    1 for each window that varies enough; lists of such windows; indices and sums.
// Exact:  whole numbers, and one comparison of doubles as on the host.
// Memory: the caller owns all memory.
// Thread: any.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "track/tld/ferns.h"
#include "track/tld/sift/sift_cuda.h"
#include "track/tld/sift/spread_rule.h"
#include "tracking/recall/recall_lists_cuda.h"

namespace bench {

struct VarianceWork {
  const DeviceCluster* clusters;
  const DevicePair* pairs;
  const std::int32_t* lines;
  const DeviceWindow* windows;
  const winnow::SiftSize* sizes;
  const std::uint32_t *sums, *squares;
  std::int64_t stride;
  std::uint32_t line_values;
  std::uint32_t *partial, *status;  // by place
};

// Algorithm 3: lines of sums come first, then lines of squares, in the same memory. The paper subtracts a sum
// from a sum of squares; this is `spread_of`. One block has one cluster.
static __global__ void __launch_bounds__(1024)
    cluster_kernel(const __grid_constant__ VarianceWork work, std::uint32_t first) {
  extern __shared__ std::uint32_t lines[];
  const DeviceCluster cluster = work.clusters[first + blockIdx.x];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int pass = 0; pass < 2; ++pass) {
    const std::uint32_t* const plane = pass == 0 ? work.sums : work.squares;
    for (std::uint32_t line = warp; line < cluster.lines; line += warps) {
      const std::uint32_t* const from = plane + work.lines[cluster.first_line + line] * work.stride;
      for (std::uint32_t x = lane; x < work.line_values; x += 32)
        lines[line * work.line_values + x] = from[x];
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < cluster.windows; i += blockDim.x) {
      std::uint32_t at = 0, end = cluster.pairs;  // the pair that has window i
      while (end - at > 1) {
        const std::uint32_t middle = (at + end) / 2;
        (work.pairs[cluster.first_pair + middle].first <= i ? at : end) = middle;
      }
      const DevicePair pair = work.pairs[cluster.first_pair + at];
      const std::uint32_t x = (i - pair.first) * pair.step;
      const std::uint32_t* const top = lines + pair.top_slot * work.line_values + x;
      const std::uint32_t* const bottom = lines + pair.bottom_slot * work.line_values + x;
      const std::uint32_t value = bottom[pair.width] - bottom[0] - top[pair.width] + top[0];
      const std::uint32_t place = cluster.first_place + i;
      if (pass == 0) {
        work.partial[place] = value;
      } else {
        const double spread = static_cast<double>(winnow::spread_of(pair.pixels, work.partial[place], value));
        work.status[place] = spread >= work.sizes[pair.size].least_spread ? 1 : 0;
      }
    }
    __syncthreads();  // all have read these lines
  }
}

// A thread for each window, in the order of windows, without shared memory.
static __global__ void __launch_bounds__(256)
    plain_kernel(const __grid_constant__ VarianceWork work, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const DeviceWindow window = work.windows[i];
  const winnow::SiftSize& size = work.sizes[window.size];
  const std::int64_t top = window.y * work.stride + window.x, bottom = top + size.height * work.stride;
  const auto sum_of = [&](const std::uint32_t* plane) {
    return plane[bottom + size.width] - plane[bottom] - plane[top + size.width] + plane[top];
  };
  const auto pixels = static_cast<std::uint32_t>(size.width * size.height);
  const double spread =
      static_cast<double>(winnow::spread_of(pixels, sum_of(work.sums), sum_of(work.squares)));
  work.status[i] = spread >= size.least_spread ? 1 : 0;
}

// Behind a prefix sum: `places` has the number of windows before each that stay. `order`: the window of each
// place.
static __global__ void __launch_bounds__(256)
    scatter_kernel(const std::uint32_t* status, const std::uint32_t* places, const std::uint32_t* order,
                   std::uint32_t count, std::uint32_t* list, std::uint32_t* kept) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (status[i] != 0) list[places[i]] = order[i];
  if (i == count - 1) *kept = places[i] + status[i];
}

struct IndexWork {
  const std::uint32_t* list;
  std::uint32_t count;
  const DeviceWindow* windows;
  const int2* offsets;
  std::uint32_t offset_count;  // of all sizes
  const std::uint8_t* blurred;
  std::int32_t pitch;
  std::uint16_t* indices;
};

// Algorithm 5, with the `| 1` that the paper's last line lacks. All offsets lie in shared memory.
// `kFernFirst`: indices lie as [fern][window], as in the paper; else as [window][fern].
template <bool kFernFirst>
__global__ void __launch_bounds__(256) index_kernel(const __grid_constant__ IndexWork work) {
  extern __shared__ int2 pairs[];
  for (std::uint32_t i = threadIdx.x; i < work.offset_count; i += blockDim.x) pairs[i] = work.offsets[i];
  __syncthreads();
  for (std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < work.count; k += gridDim.x * blockDim.x) {
    const DeviceWindow window = work.windows[work.list[k]];
    const std::uint8_t* const corner = work.blurred + std::int64_t{window.y} * work.pitch + window.x;
    const int2* const own = pairs + window.size * winnow::kFernPairs;
#pragma unroll 1
    for (std::uint32_t fern = 0; fern < winnow::kFerns; ++fern) {
      std::uint32_t bits = 0;
#pragma unroll
      for (std::uint32_t bit = 0; bit < winnow::kFernBits; ++bit) {
        const int2 pair = own[fern * winnow::kFernBits + bit];
        bits = bits << 1 | static_cast<std::uint32_t>(__ldg(corner + pair.x) > __ldg(corner + pair.y));
      }
      const std::uint32_t at = kFernFirst ? fern * work.count + k : k * winnow::kFerns + fern;
      work.indices[at] = static_cast<std::uint16_t>(bits);
    }
  }
}

// The sums on the device, from indices as [fern][window].
static __global__ void __launch_bounds__(256)
    confidence_kernel(const std::uint16_t* indices, std::uint32_t count, const std::uint16_t* values,
                      std::int32_t* sums) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  std::int32_t sum = 0;
#pragma unroll
  for (std::uint32_t fern = 0; fern < winnow::kFerns; ++fern)
    sum += __ldg(values + (fern << winnow::kFernBits | indices[fern * count + k]));
  sums[k] = sum;
}

}  // namespace bench
