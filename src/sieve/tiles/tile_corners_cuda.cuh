// Computes values of features from the corners that an item lists, in a tile's planes.
//
// In:     an item with `offset`, `factor` and `ninth` as in `TileItem`, and the address of a window's corner
//         in shared memory.
// Out:    a Haar feature's value, or an LBP code.
// Exact:  integers modulo 2^32, which hold every value.
// Memory: reads the block's shared memory alone.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

template <class Item>
__device__ int edge_value(const Item& item, std::uint32_t at) {
  const auto value = [&](int c) { return plane_value(at + item.offset[c]); };
  const std::uint32_t once = value(0) + value(1) - value(2) - value(3);
  const std::uint32_t more = value(4) - value(6);
  return static_cast<int>(once + more * static_cast<std::uint32_t>(item.factor));
}

template <class Item>
__device__ int line_value(const Item& item, std::uint32_t at) {
  const auto value = [&](int c) { return plane_value(at + item.offset[c]); };
  const std::uint32_t once = value(0) + value(1) - value(2) - value(3);
  const std::uint32_t more = value(4) + value(5) - value(6) - value(7);
  return static_cast<int>(once + more * static_cast<std::uint32_t>(item.factor));
}

// Adds four corners of weight 1, four edges of weight -2, and the centre of weight 4. The sum is multiplied
// by `factor`, which is +1 or -1.
template <class Item>
__device__ int checker_value(const Item& item, std::uint32_t at) {
  const auto value = [&](int c) { return plane_value(at + item.offset[c]); };
  const std::uint32_t once = value(0) + value(1) + value(2) + value(3);
  const std::uint32_t edges = value(4) + value(5) + value(6) + value(7);
  const std::uint32_t centre = plane_value(at + item.ninth);
  return static_cast<int>((once - 2 * edges + 4 * centre) * static_cast<std::uint32_t>(item.factor));
}

// The value of an edge, line or checker, for warps in which each lane has an item of its own.
template <class Item>
__device__ int any_value(const Item& item, bool checker, std::uint32_t at) {
  const auto value = [&](int c) { return plane_value(at + item.offset[c]); };
  const std::uint32_t sign = checker ? 1u : ~0u, factor = static_cast<std::uint32_t>(item.factor);
  const std::uint32_t once = value(0) + value(1) + sign * (value(2) + value(3));
  const std::uint32_t more = value(4) + value(5) + sign * (value(6) + value(7));
  const std::uint32_t centre = checker ? plane_value(at + item.ninth) : 0;
  return static_cast<int>(checker ? factor * (once - 2 * more + 4 * centre) : once + factor * more);
}

// 255 minus `lbp_code`, from the grid's corners. For each neighbour of the centre, shifts in one bit at the
// right: the sign of the neighbour's sum minus the centre's sum. Sums of cells in a tile are below 2^31.
template <class Item>
__device__ std::uint32_t grid_lacks(const Item& item, std::uint32_t at) {
  std::uint32_t corner[4][4];
#pragma unroll
  for (int y = 0; y < 4; ++y) {
#pragma unroll
    for (int x = 0; x < 4; ++x) corner[y][x] = plane_value(at + item.offset[x] + item.offset[4 + y]);
  }
  std::uint32_t across[4][3];
#pragma unroll
  for (int y = 0; y < 4; ++y) {
#pragma unroll
    for (int x = 0; x < 3; ++x) across[y][x] = corner[y][x + 1] - corner[y][x];
  }
  const std::uint32_t centre = across[2][1] - across[1][1];
  std::uint32_t less = 0;
  constexpr int kOrder[8][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 1}, {2, 0}, {1, 0}};
#pragma unroll
  for (const auto& [y, x] : kOrder) {
    less = __funnelshift_l(across[y + 1][x] - across[y][x] - centre, less, 1);
  }
  return less;
}
template <class Item>
__device__ std::uint32_t grid_code(const Item& item, std::uint32_t at) {
  return grid_lacks(item, at) ^ 255;
}

}  // namespace winnow
