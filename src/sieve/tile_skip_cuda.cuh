// What the first stage's rejects skip in the rows of a tile, which depends on the tiles to its left. exact.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/skip_rule.h"
#include "sieve/tile_job_cuda.cuh"

namespace winnow {

struct Verdicts {
  std::uint32_t there[2], rejected[2], flat[2];  // of a row of the tile: two words
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

// By a warp for 32 rows, a row a lane. A tile tells its right neighbours, for each row, whether it skips the
// first window that follows, if its own first window is visited, and if it is not; so no tile waits for more
// than its left neighbours' first stages. Neighbours have earlier tickets, so they run or have run.
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

}  // namespace winnow
