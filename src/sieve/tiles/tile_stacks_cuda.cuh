// Lists of a tile's living windows, in the memory of its block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

// A list of windows: 32 stacks, one for each bank that their planes' corners lie in, so that a warp that
// takes one window from each stack never waits for a bank.
struct Stacks {
  std::uint32_t height;  // of the highest
  std::uint32_t total;
};
inline __device__ Stacks measure(const std::uint32_t* heights) {
  const std::uint32_t mine = heights[threadIdx.x % 32];
  return {__reduce_max_sync(~0u, mine), __reduce_add_sync(~0u, mine)};
}

// `word`: of the entry's corner in the plane.
inline __device__ void push(const Block& block, int list, std::uint32_t* heights, std::uint32_t entry,
                            std::uint32_t word) {
  const std::uint32_t bank = word % 32;
  block.listed(list, atomicAdd(&heights[bank], 1u) * 32 + bank) = static_cast<std::uint16_t>(entry);
}

// By all threads: what is stacked, in the other list without gaps. `count`: the block's, zero before.
inline __device__ void list_side_by_side(const Block& block, int list, Stacks stacks,
                                         const std::uint32_t* heights, std::uint32_t* count) {
  for (std::uint32_t i = threadIdx.x; i < stacks.height * 32; i += kTileThreads) {
    if (i / 32 < heights[i % 32]) block.listed(list ^ 1, atomicAdd(count, 1u)) = block.listed(list, i);
  }
  __syncthreads();
}

// The next of a list of windows, for a warp. `next`: the block's, at first as many as there are warps, whose
// first window is that of their number.
inline __device__ std::uint32_t fetch_next(std::uint32_t* next) {
  std::uint32_t at = 0;
  if (threadIdx.x % 32 == 0) at = atomicAdd(next, 1u);
  return __shfl_sync(~0u, at, 0);
}

}  // namespace winnow
