// Judges a stage of a tile with few windows, for use when most of the device is idle.
//
// In:     a list of living windows, and a stage of stumps that is not `plain`.
// Out:    the windows that pass, in the block's other list.
// Exact:  sums of slices are integers. Windows near the limit are judged as the reference does.
// Memory: sums lie in the memory of the second list, after the list's entries.
//
// Several warps judge the same 64 windows: two rows of the list's stacks (`tile_stacks_cuda.cuh`). Each of
// these warps adds up a slice of the stage's items. A window near the limit is judged again by a whole warp.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tiles/tile_job_cuda.cuh"
#include "sieve/tiles/tile_judge_cuda.cuh"
#include "sieve/tiles/tile_stacks_cuda.cuh"

namespace winnow {

// The byte of the second list at which sums of slices begin, after the entries of kWarps rows of windows.
constexpr std::uint32_t kSliceSums = kWarps * 32 * 2;
constexpr int kLeastSliceRows = static_cast<int>((kSliceSums + kWarps * 64 * 4) / (kTileCols * 2));

// Whether some warps would be idle without slices, and there is room for the sums of slices.
inline __device__ bool shared_by_warps(const Block& block, const TileStage& stage, std::uint32_t height) {
  return height <= kWarps && !stage.plain && !stage.trees && block.shape.rows >= kLeastSliceRows;
}

// Judges one window per lane. If the sum leaves a window undecided, the whole warp judges the window as the
// reference does.
template <FeatureKind kKind>
__device__ bool rejects_sum(const TileJob& job, const Block& block, const TileStage& stage, std::uint32_t at,
                            float norm, bool there, int sum) {
  bool rejected = sum < stage.accept_from;
  unsigned near = __ballot_sync(~0u, there && rejected && sum >= stage.reject_below);
  for (; near != 0; near &= near - 1) {
    const int lane = __ffs(static_cast<int>(near)) - 1;
    const TileWindow window{__shfl_sync(~0u, at, lane), __shfl_sync(~0u, norm, lane)};
    const double exact = warp_stage_sum<kKind>(job.model[block.layout], stage, window);
    if (static_cast<int>(threadIdx.x) % 32 == lane) rejected = stage_rejects(exact, stage.limit);
  }
  return rejected;
}

// Judges a stage by slices. All threads call this function. `in`, `out`: heights of the stacks of `list` and
// of the other list.
template <FeatureKind kKind>
__device__ void judge_by_slices(const TileJob& job, const Block& block, const TileStage& stage, int list,
                                std::uint32_t height, const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t lane = threadIdx.x % 32;
  const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x / 32), 0);
  const int pairs = static_cast<int>(height + 1) / 2;
  int slices_log = 1;
  while (pairs << (slices_log + 1) <= kWarps) ++slices_log;
  int* sums = reinterpret_cast<int*>(memory + block.lists[1] + kSliceSums);
  if (const int pair = warp >> slices_log, slice = warp & ((1 << slices_log) - 1); pair < pairs) {
    std::uint32_t at[2];
    float norm[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const auto row = static_cast<std::uint32_t>(2 * pair + k);
      const std::uint32_t entry = row < in[lane] ? block.listed(list, row * 32 + lane) : lane;
      at[k] = block.entry_plane<kKind>(entry);
      norm[k] = block.norm<kKind>(entry);
    }
    int sum[2] = {0, 0};
    add_stage<kKind, 2, true>(job, block, stage, at, norm, sum, slice, slices_log);
#pragma unroll
    for (int k = 0; k < 2; ++k) sums[(slice * pairs + pair) * 64 + k * 32 + static_cast<int>(lane)] = sum[k];
  }
  __syncthreads();
  if (warp >= 2 * pairs) return;
  const auto row = static_cast<std::uint32_t>(warp);
  const bool there = row < in[lane];
  const std::uint32_t entry = there ? block.listed(list, row * 32 + lane) : lane;
  int sum = stage.base;
  for (int slice = 0; slice < 1 << slices_log; ++slice)
    sum += sums[slice * pairs * 64 + static_cast<int>(threadIdx.x)];
  const bool rejected = rejects_sum<kKind>(job, block, stage, block.entry_plane<kKind>(entry),
                                           block.norm<kKind>(entry), there, sum);
  if (there && !rejected) push(block, list ^ 1, out, entry, block.entry_word<kKind>(entry));
}

}  // namespace winnow
