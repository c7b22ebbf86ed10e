// Lists of a tile's living windows, in the memory of its block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tile_job_cuda.cuh"

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
inline __device__ void push_at(const Block& block, int list, std::uint32_t* heights, std::uint32_t entry,
                               std::uint32_t word) {
  const std::uint32_t bank = word % 32;
  block.listed(list, atomicAdd(&heights[bank], 1u) * 32 + bank) = static_cast<std::uint16_t>(entry);
}
template <FeatureKind kKind>
__device__ void push_entry(const Block& block, int list, std::uint32_t* heights, std::uint32_t entry) {
  push_at(block, list, heights, entry, kKind == FeatureKind::kLbp ? entry : block.word_of(entry));
}
inline __device__ void push(const Block& block, int list, std::uint32_t* heights, std::uint32_t window) {
  push_at(block, list, heights, window, block.word_of(window));
}

}  // namespace winnow
