// Keeps lists of a tile's living windows in the memory of its block.
//
// In:     windows to list, with the word of their corner in the plane.
// Out:    lists in 32 stacks, one per memory bank, or side by side.
// Exact:  nothing is computed; the order in a list varies, and decides no verdict.
// Memory: lists lie in the block's shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/device/warp_cuda.cuh"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

// The heights of a list. A list is 32 stacks, one per memory bank. A window goes to the stack of the bank
// that holds its corner. A warp takes one window from each stack, so that no two lanes read the same bank.
struct Stacks {
  std::uint32_t height;  // the height of the highest stack
  std::uint32_t total;
};
inline __device__ Stacks measure(const std::uint32_t* heights) {
  const std::uint32_t mine = heights[threadIdx.x % 32];
  return {warp_max(mine), warp_sum(mine)};
}

// Adds an entry to a list. `word`: the place of the window's corner in the plane, in words.
inline __device__ void push(const Block& block, int list, std::uint32_t* heights, std::uint32_t entry,
                            std::uint32_t word) {
  const std::uint32_t bank = word % 32;
  block.listed(list, atomicAdd(&heights[bank], 1u) * 32 + bank) = static_cast<std::uint16_t>(entry);
}

// Copies a list from its stacks to the block's other list, without gaps. All threads call this function.
// `count` is shared by the block and must be zero before.
inline __device__ void list_side_by_side(const Block& block, int list, Stacks stacks,
                                         const std::uint32_t* heights, std::uint32_t* count) {
  for (std::uint32_t i = threadIdx.x; i < stacks.height * 32; i += kTileThreads) {
    if (i / 32 < heights[i % 32]) block.listed(list ^ 1, atomicAdd(count, 1u)) = block.listed(list, i);
  }
  __syncthreads();
}

// Returns to a warp the place of its next window in a list. `next` is shared by the block and starts at the
// number of warps, because each warp starts at the place of its own number.
inline __device__ std::uint32_t fetch_next(std::uint32_t* next) {
  std::uint32_t at = 0;
  if (threadIdx.x % 32 == 0) at = atomicAdd(next, 1u);
  return __shfl_sync(~0u, at, 0);
}

}  // namespace winnow
