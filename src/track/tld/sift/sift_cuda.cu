#include "track/tld/sift/sift_cuda.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "base/device/cuda_device.h"
#include "track/tld/sift/spread_rule.h"

namespace winnow {
namespace {

// A block of threads sifts a tile: windows of one size whose numbers follow one another. Small tiles keep all
// multiprocessors busy with the 120,000 windows of a halved frame.
constexpr int kThreads = 256, kWarps = kThreads / 32, kTileWindows = 512;
constexpr int kRounds = kTileWindows / kThreads;
constexpr int kScanThreads = 1024;

// A `LikelyWindow` as two loads.
struct Record {
  uint4 first, second;
};
static_assert(sizeof(Record) == sizeof(LikelyWindow) && offsetof(LikelyWindow, window) == 0 &&
              offsetof(LikelyWindow, sum) == 8 && offsetof(LikelyWindow, pattern) == 12);

// The number of lower lanes that say yes, and of all lanes.
struct Vote {
  std::uint32_t before, all;
};
__device__ Vote vote(bool yes) {
  const std::uint32_t votes = __ballot_sync(~0u, yes);
  return {static_cast<std::uint32_t>(__popc(votes & ((1u << (threadIdx.x % 32)) - 1))),
          static_cast<std::uint32_t>(__popc(votes))};
}

// The sum over the warps before this one. `counts` has one number of each warp.
__device__ std::uint32_t sum_before(const std::uint32_t (&counts)[kWarps], std::uint32_t& all) {
  std::uint32_t before = 0;
  all = 0;
#pragma unroll
  for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
    if (warp == threadIdx.x / 32) before = all;
    all += counts[warp];
  }
  return before;
}

__device__ bool is_varied_on_device(const SiftWork& work, const SiftSize& size, std::uint32_t inside) {
  const std::int64_t y = std::int64_t{inside / size.cols} * size.step,
                     x = std::int64_t{inside % size.cols} * size.step;
  const std::int64_t top = y * work.plane_stride + x, bottom = top + size.height * work.plane_stride;
  const auto sum_of = [&](const std::uint32_t* plane) {
    return plane[bottom + size.width] - plane[bottom] - plane[top + size.width] + plane[top];
  };
  const auto count = static_cast<std::uint32_t>(size.width * size.height);
  return static_cast<double>(spread_of(count, sum_of(work.sums), sum_of(work.squares))) >= size.least_spread;
}

// Two phases: all windows of the tile by variance, then those that remain by ferns, so that all lanes have
// work. Lists keep the order of the windows.
__global__ void __launch_bounds__(kThreads) sift_kernel(const __grid_constant__ SiftWork work) {
  __shared__ int2 offsets[kFernPairs];
  __shared__ std::uint16_t varied[kTileWindows];
  __shared__ std::uint32_t counts[kWarps];
  __shared__ Record kept[kTileWindows];
  __shared__ std::uint64_t place;
  const std::uint32_t thread = threadIdx.x, tile = blockIdx.x;
  int number = 0;
  while (number + 1 < work.size_count && work.sizes[number + 1].first_tile <= tile) ++number;
  const SiftSize size = work.sizes[number];
  const std::uint32_t first = (tile - size.first_tile) * kTileWindows;
  for (std::uint32_t i = thread; i < kFernPairs; i += kThreads)
    offsets[i] = work.offsets[number * kFernPairs + static_cast<int>(i)];

  bool varies[kRounds];
  std::uint32_t own = 0;  // of the warp
  std::uint32_t before[kRounds];
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    const std::uint32_t inside =
        first + (thread / 32 * kRounds + static_cast<std::uint32_t>(round)) * 32 + thread % 32;
    varies[round] = inside < size.windows && is_varied_on_device(work, size, inside);
    const Vote votes = vote(varies[round]);
    before[round] = own + votes.before;
    own += votes.all;
  }
  if (thread % 32 == 0) counts[thread / 32] = own;
  __syncthreads();
  std::uint32_t varied_count = 0;
  const std::uint32_t of_warps = sum_before(counts, varied_count);
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    if (varies[round])
      varied[of_warps + before[round]] = static_cast<std::uint16_t>(
          (thread / 32 * kRounds + static_cast<std::uint32_t>(round)) * 32 + thread % 32);
  }
  __syncthreads();

  std::uint32_t kept_count = 0;
  for (std::uint32_t from = 0; from < varied_count; from += kThreads) {
    const bool is_window = from + thread < varied_count;
    std::uint32_t sum = 0, inside = 0;
    std::uint32_t pattern[kFerns];
    if (is_window) {
      inside = first + varied[from + thread];
      const std::uint8_t* const corner = work.blurred +
                                         std::int64_t{inside / size.cols} * size.step * work.pitch +
                                         inside % size.cols * size.step;
#pragma unroll
      for (int fern = 0; fern < kFerns; ++fern) {
        std::uint32_t bits = 0;
#pragma unroll
        for (int bit = 0; bit < kFernBits; ++bit) {
          const int2 pair = offsets[fern * kFernBits + bit];
          bits = bits << 1 | static_cast<std::uint32_t>(__ldg(corner + pair.x) > __ldg(corner + pair.y));
        }
        pattern[fern] = bits;
        sum += __ldg(work.values + (static_cast<std::uint32_t>(fern) << kFernBits | bits));
      }
    }
    const bool is_kept = is_window && sum >= static_cast<std::uint32_t>(kFernOne);
    const Vote votes = vote(is_kept);
    if (thread % 32 == 0) counts[thread / 32] = votes.all;
    __syncthreads();
    std::uint32_t all = 0;
    const std::uint32_t at = kept_count + sum_before(counts, all) + votes.before;
    if (is_kept) {
      const auto window = static_cast<std::uint64_t>(size.first_window) + inside;
      const auto both = [&](int fern) { return pattern[fern] | pattern[fern + 1] << 16; };
      kept[at] = {make_uint4(static_cast<std::uint32_t>(window), static_cast<std::uint32_t>(window >> 32),
                             sum, both(0)),
                  make_uint4(both(2), both(4), both(6), both(8))};
    }
    kept_count += all;
    __syncthreads();  // all have read `counts`, and `kept` is complete
  }

  if (thread == 0) {
    place = kept_count == 0 ? 0
                            : atomicAdd(reinterpret_cast<unsigned long long*>(work.taken),
                                        static_cast<unsigned long long>(kept_count));
    work.tiles[tile] = {place, kept_count};
  }
  __syncthreads();
  if (place + kept_count > work.capacity) return;
  auto* const to = reinterpret_cast<uint4*>(work.scratch + place);
  const auto* const from = reinterpret_cast<const uint4*>(kept);
  for (std::uint32_t i = thread; i < 2 * kept_count; i += kThreads) to[i] = from[i];
}

// One block counts the windows of the tiles before each tile.
__global__ void __launch_bounds__(kScanThreads) place_kernel(const SiftTile* tiles, std::uint32_t tile_count,
                                                             std::uint64_t* places, std::uint64_t* count) {
  __shared__ std::uint32_t warps[kScanThreads / 32];
  std::uint64_t before = 0;
  for (std::uint32_t from = 0; from < tile_count; from += kScanThreads) {
    const std::uint32_t i = from + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const std::uint32_t own = i < tile_count ? tiles[i].count : 0;
    std::uint32_t upto = own;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const std::uint32_t left = __shfl_up_sync(~0u, upto, step);
      if (lane >= static_cast<std::uint32_t>(step)) upto += left;
    }
    if (lane == 31) warps[warp] = upto;
    __syncthreads();
    std::uint32_t all = 0, lower = 0;
    for (std::uint32_t other = 0; other < kScanThreads / 32; ++other) {
      if (other == warp) lower = all;
      all += warps[other];
    }
    if (i < tile_count) places[i] = before + lower + upto - own;
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = before;
}

// A block copies the windows of tiles from the scratch to their place in the list.
__global__ void __launch_bounds__(kThreads) order_kernel(const __grid_constant__ SiftWork work) {
  const SiftTile tile = work.tiles[blockIdx.x];
  if (*work.taken > work.capacity) return;
  const auto* const from = reinterpret_cast<const uint4*>(work.scratch + tile.first);
  auto* const to = reinterpret_cast<uint4*>(work.list + work.places[blockIdx.x]);
  for (std::uint32_t i = threadIdx.x; i < 2 * tile.count; i += kThreads) to[i] = from[i];
}

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace

SiftTables::SiftTables(const ObjectGrid& grid) {
  const std::vector<Level>& levels = grid.windows.levels;
  sizes_ = static_cast<std::int32_t>(levels.size());
  for (const Level& level : levels)
    tiles_ +=
        static_cast<std::uint32_t>((std::int64_t{level.rows} * level.cols + kTileWindows - 1) / kTileWindows);
  offsets_ = aligned(levels.size() * sizeof(SiftSize));
  values_ = offsets_ + aligned(levels.size() * sizeof(FernOffsets));
  bytes_ = values_ + (std::size_t{kFerns} << kFernBits) * sizeof(std::uint16_t);
}

void SiftTables::write(const ObjectGrid& grid, const LearntObject& object, std::uint8_t* block) const {
  std::uint32_t tile = 0;
  for (std::size_t i = 0; i < grid.windows.levels.size(); ++i) {
    const Level& level = grid.windows.levels[i];
    const std::int64_t windows = std::int64_t{level.rows} * level.cols;
    const SiftSize size{level.first_window,
                        least_spread(object.least_variance, level.window.width, level.window.height),
                        static_cast<std::uint32_t>(windows),
                        static_cast<std::uint32_t>(level.cols),
                        static_cast<std::uint32_t>(level.step),
                        tile,
                        level.window.width,
                        level.window.height};
    std::memcpy(block + i * sizeof size, &size, sizeof size);
    std::memcpy(block + offsets_ + i * sizeof(FernOffsets), &grid.offsets[i], sizeof(FernOffsets));
    tile += static_cast<std::uint32_t>((windows + kTileWindows - 1) / kTileWindows);
  }
  const std::span<const std::uint16_t> values = object.ferns.values();
  std::memcpy(block + values_, values.data(), values.size_bytes());
}

void sift_on_device(const SiftWork& work, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(work.taken, 0, sizeof *work.taken, stream), "sifting windows");
  if (work.tile_count > 0) {
    sift_kernel<<<work.tile_count, kThreads, 0, stream>>>(work);
    check_launch("sifting windows");
  }
  place_kernel<<<1, kScanThreads, 0, stream>>>(work.tiles, work.tile_count, work.places, work.count);
  check_launch("placing windows");
  if (work.tile_count > 0) {
    order_kernel<<<work.tile_count, kThreads, 0, stream>>>(work);
    check_launch("ordering windows");
  }
}

}  // namespace winnow
