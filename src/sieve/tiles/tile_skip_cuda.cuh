// Decides which windows of a tile's rows are skipped after rejects of the first stage. Whether the first
// window of a tile's row is skipped depends on the tiles to the left.
//
// In:     the first stage's verdicts on the windows of a tile, as bits per row.
// Out:    the windows that live, and the counters up to the first stage.
// Exact:  the same windows as `skip_rule.h` gives for whole rows.
// Memory: verdicts lie in shared memory; the words that tiles publish lie in the sieve's device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/device/warp_cuda.cuh"
#include "sieve/skip_rule.h"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

struct Verdicts {
  // One bit per window in a row of the tile: two words.
  std::uint32_t there[2], rejected[2], flat[2];
};

struct RowSkip {
  std::uint32_t skipped[2];
  bool next;
};
inline __device__ RowSkip skip_row(const Verdicts& row, bool first) {
  const SkipWord low = skip_after_rejects(row.rejected[0], first);
  const SkipWord high = skip_after_rejects(row.rejected[1], low.skip_next);
  return {{low.skipped & row.there[0], high.skipped & row.there[1]}, high.skip_next};
}

// Returns whether the first window of a row is skipped. A warp calls this for 32 rows, one row per lane.
//
// For each row, a tile publishes whether the first window after the tile is skipped. A tile publishes two
// answers: one in case its own first window is visited, and one in case that window is skipped. A tile
// therefore publishes before it knows the answers of its left neighbours, and waits only for their first
// stages. The neighbours have earlier tickets, so they run or have run.
inline __device__ bool skips_first(DeviceCount* own, int words, int tile_x, const Verdicts& row) {
  constexpr DeviceCount kSaid = DeviceCount{1} << 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::uint32_t if_visited = __ballot_sync(~0u, skip_row(row, false).next);
  const std::uint32_t if_skipped = __ballot_sync(~0u, skip_row(row, true).next);
  if (lane < 2) atomicExch(own + lane, kSaid | (lane == 0 ? if_visited : if_skipped));
  std::uint32_t skip = 0;
  for (int first = 0; first < tile_x; first += 16) {
    const int tile = first + lane / 2;
    DeviceCount said = kSaid;
    if (tile < tile_x) {
      const volatile DeviceCount* word = own + words * (tile - tile_x) + lane % 2;
      while (((said = *word) & kSaid) == 0) __nanosleep(40);
    }
    const auto bits = static_cast<std::uint32_t>(said);
    for (int i = 0; i < min(16, tile_x - first); ++i) {
      const std::uint32_t visited = __shfl_sync(~0u, bits, 2 * i),
                          skipped = __shfl_sync(~0u, bits, 2 * i + 1);
      skip = (skip & skipped) | (~skip & visited);
    }
  }
  return (skip >> lane & 1) != 0;
}

// Settles the first stage. All threads call this function. Counts the windows that are skipped, that are
// flat, and that enter the stage. Afterwards `there` holds the windows that live. Returns to each thread the
// number of windows that the stage rejected in the thread's row.
inline __device__ int settle_first_stage(const TileGrid& job, const Block& block, const TileTask& task,
                                         Verdicts* verdicts) {
  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp * 32 >= block.rows()) return 0;
  const std::uint32_t in_row = warp * 32 + lane;
  const Verdicts row = in_row < block.rows() ? verdicts[in_row] : Verdicts{};
  RowSkip skip{};
  if (job.skips) {
    const std::int64_t number = static_cast<std::int64_t>(task.frame) * job.tile_numbers +
                                task.level.number(task.place.x, task.place.y);
    skip = skip_row(row, skips_first(job.neighbours + kNeighbourWords * number + 2 * warp, kNeighbourWords,
                                     task.place.x, row));
  }
  int skipped = 0, flats = 0, entered = 0, rejected = 0;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t visited = row.there[half] & ~skip.skipped[half],
                        live = visited & ~row.flat[half] & ~row.rejected[half];
    skipped += __popc(skip.skipped[half]);
    flats += __popc(visited & row.flat[half]);
    entered += __popc(visited & ~row.flat[half]);
    rejected += __popc(visited & ~row.flat[half] & row.rejected[half]);
    verdicts[in_row].there[half] = live;
  }
  skipped = warp_sum(skipped);
  flats = warp_sum(flats);
  entered = warp_sum(entered);
  if (lane == 0) {
    if (skipped > 0) atomicAdd(&task.counts[kSkipped], static_cast<DeviceCount>(skipped));
    if (flats > 0) atomicAdd(&task.counts[kFlat], static_cast<DeviceCount>(flats));
    if (entered > 0) atomicAdd(&task.counts[kReached], static_cast<DeviceCount>(entered));
  }
  return rejected;
}

// Calls `take(window)` for each living window of the tile. All threads call this function after
// `settle_first_stage`.
template <class Take>
__device__ void for_each_living(const Block& block, const Verdicts* verdicts, const Take& take) {
  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (std::uint32_t i = warp; i < block.halves(); i += kWarps) {
    const std::uint32_t half = block.half(i), window = half * 32 + lane;
    if ((verdicts[half / 2].there[half % 2] >> lane & 1) != 0) take(window);
  }
  __syncthreads();
}

}  // namespace winnow
