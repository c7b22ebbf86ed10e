// Makes a tile's integral planes in the memory of its block, and the norms of its windows.
//
// In:     the pixels of a level in device memory, and a tile.
// Out:    planes in shared memory, laid out as `TileShape` says; a norm per window.
// Exact:  sums modulo 2^32; norms as `window_norm`, bit for bit, where windows are not flat.
// Memory: the block's shared memory. Sums of bands use the memory after the planes, which lists and norms use
//         later.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/stages_rule.h"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

struct TilePixels {
  const std::uint8_t* image;
  int pitch, width, height;
  int x, y;  // the tile's corner

  __device__ std::uint32_t pixel(int row, int column) const {
    const int px = x + column, py = y + row;
    return column >= 0 && px < width && py < height ? image[static_cast<std::int64_t>(py) * pitch + px] : 0;
  }
};

inline __device__ TilePixels tile_pixels(const TileGrid& job, const Block& block, const TileTask& task) {
  const LevelImage image = job.pyramid.images[task.place.level];
  const int step = block.layout + 1;
  return {job.pyramid.pixels(task.frame, image), image.pitch,   image.width, image.height,
          task.place.x * kTileCols * step,       task.place.top};
}

inline __device__ int first_row(const TileExtent& extent, int band) {
  return min(band * extent.band, extent.plane_rows - 1);
}

// Makes the integral plane of the pixels, or of their squares, separately for each band of rows. Half a warp
// integrates one band. In each row, a lane sums `kWords` words of four pixels with `__dp4a`. `scratch` gets
// one row of a plane for each of the kTileBands bands: the sums of all bands above. Columns are written up to
// a multiple of four.
template <bool kSquares, int kWords>
__device__ void integrate_bands(const TilePixels& pixels, const Block& block, std::uint32_t* scratch) {
  const TileShape& shape = block.shape;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int half_lane = lane % 16, own_band = warp * 2 + lane / 16;
  auto* plane = reinterpret_cast<std::uint32_t*>(memory);
  for (int i = static_cast<int>(threadIdx.x); i < shape.stride; i += kTileThreads) plane[i] = 0;
  const int first = first_row(block.extent, own_band), last = first_row(block.extent, own_band + 1);
  const int column = half_lane * kWords * 4;
  bool in_tile[kWords];
#pragma unroll
  for (int w = 0; w < kWords; ++w) in_tile[w] = column + w * 4 < block.extent.pixels;
  const std::uint8_t* from =
      pixels.image + static_cast<std::int64_t>(pixels.y + first) * pixels.pitch + pixels.x + column;
  std::uint32_t above[kWords * 4] = {};
  std::uint32_t next[kWords];
  const auto load = [&](int row) {
#pragma unroll
    for (int w = 0; w < kWords; ++w)
      next[w] = in_tile[w] && row < last ? reinterpret_cast<const std::uint32_t*>(from)[w] : 0;
    from += pixels.pitch;
  };
  // The sum of a word's first `count` pixels, added to `sum`.
  const auto add = [](std::uint32_t word, int count, std::uint32_t sum) {
    const std::uint32_t ones = 0x01010101u >> (8 * (4 - count)), mask = ~0u >> (8 * (4 - count));
    return kSquares ? __dp4a(word & mask, word, sum) : __dp4a(word, ones, sum);
  };
  load(first);
  std::uint32_t* out = plane + (first + 1) * shape.stride + (block.layout == 1 ? column / 2 : column);
  // All lanes run the same number of rounds, because the shuffles need every lane.
  for (int row = first; row < first + block.extent.band; ++row, out += shape.stride) {
    std::uint32_t words[kWords];
    std::uint32_t own = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      words[w] = next[w];
      own = add(words[w], 4, own);
    }
    load(row + 1);
    std::uint32_t sum = own;
#pragma unroll
    for (int step = 1; step < 16; step *= 2) {
      const std::uint32_t left = __shfl_up_sync(~0u, sum, step, 16);
      if (half_lane >= step) sum += left;
    }
    if (row >= last) continue;
    sum -= own;
    if (half_lane == 0) out[0] = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
#pragma unroll
      for (int i = 0; i < 4; ++i) above[w * 4 + i] += add(words[w], i + 1, sum);
      sum = add(words[w], 4, sum);
    }
    if (block.layout == 1) {
      std::uint32_t* odd = out + shape.half;
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        if (!in_tile[w]) continue;
        odd[w * 2] = above[w * 4];
        out[w * 2 + 1] = above[w * 4 + 1];
        odd[w * 2 + 1] = above[w * 4 + 2];
        out[w * 2 + 2] = above[w * 4 + 3];
      }
    } else {
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        if (!in_tile[w]) continue;
#pragma unroll
        for (int i = 0; i < 4; ++i) out[w * 4 + i + 1] = above[w * 4 + i];
      }
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < shape.stride; i += kTileThreads) {
    std::uint32_t sum = 0;
#pragma unroll 4
    for (int b = 0; b < kTileBands; ++b) {
      scratch[b * shape.stride + i] = sum;
      sum += plane[first_row(block.extent, b + 1) * shape.stride + i];
    }
  }
  __syncthreads();
}

// Adds to each band the sums of the bands above it.
inline __device__ void join_bands(const Block& block, const std::uint32_t* scratch) {
  const TileShape& shape = block.shape;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  auto* plane = reinterpret_cast<std::uint32_t*>(memory);
  for (int b = max(1, warp * 2); b < warp * 2 + 2; ++b) {
    for (int i = lane; i < shape.stride; i += 32) {
      const std::uint32_t sum = scratch[b * shape.stride + i];
      std::uint32_t* at = plane + (first_row(block.extent, b) + 1) * shape.stride + i;
      const std::uint32_t* end = plane + (first_row(block.extent, b + 1) + 1) * shape.stride;
#pragma unroll 4
      for (; at < end; at += shape.stride) *at += sum;
    }
  }
  __syncthreads();
}

// Makes the tilted plane row by row. Each value is the sum of the pixels in a triangle that opens upwards
// from the value's place. A value is the value one row above plus the pixels of the two diagonals that end at
// the value's place. `scratch`: four rows of a plane.
inline __device__ void integrate_tilted(const TilePixels& pixels, const Block& block,
                                        std::uint32_t* scratch) {
  const TileShape& shape = block.shape;
  auto* plane = reinterpret_cast<std::uint32_t*>(memory) + shape.plane_words;
  // Entry x is the sum of the diagonal that ends at column x - 1 of the newest row. Buffers 0 and 1
  // alternate from row to row.
  std::uint32_t* left[2] = {scratch, scratch + shape.stride};
  std::uint32_t* right[2] = {scratch + 2 * shape.stride, scratch + 3 * shape.stride};
  for (int i = static_cast<int>(threadIdx.x); i < shape.stride; i += kTileThreads) {
    left[0][i] = right[0][i] = 0;
    plane[i] = 0;
  }
  for (int row = 0; row < block.extent.plane_rows - 1; ++row) {
    __syncthreads();
    const std::uint32_t *old_left = left[row & 1], *old_right = right[row & 1];
    std::uint32_t *new_left = left[row & 1 ^ 1], *new_right = right[row & 1 ^ 1];
    for (int column = static_cast<int>(threadIdx.x); column <= block.extent.pixels; column += kTileThreads) {
      const std::uint32_t p = pixels.pixel(row, column - 1);
      const std::uint32_t l = p + (column > 0 ? old_left[column - 1] : 0);
      const std::uint32_t r = p + (column < block.extent.pixels ? old_right[column + 1] : 0);
      new_left[column] = l;
      new_right[column] = r;
      const int word = block.column_word(column);
      plane[(row + 1) * shape.stride + word] = plane[row * shape.stride + word] + l + r - p;
    }
  }
  __syncthreads();
}

// `window_norm` for windows so small that its products are exact in 64-bit integers. One Newton step finds
// the inverse root to within 2^-43. If the root is too near the middle between two floats, `window_norm`
// itself decides.
inline __device__ WindowNorm tile_norm(const TileGrid& job, std::uint32_t sum, std::uint32_t square) {
  const std::int64_t spread = job.area * square - static_cast<std::int64_t>(sum) * sum;
  if (spread <= 0) return {true, 1.f};
  const double exact = static_cast<double>(spread), near = rsqrtf(static_cast<float>(spread));
  const double root = near * (1.5 - 0.5 * exact * (near * near));
  const auto low = static_cast<std::int32_t>(__double2loint(root) & ((1 << 29) - 1)) - (1 << 28);
  if (abs(low) < 1 << 14) return window_norm(static_cast<double>(job.area), sum, square);
  const auto factor = static_cast<float>(root);
  return {factor > job.flat_above, factor};
}

// The sum of a window's inner pixels, from a plane whose bands are not joined yet. `half`: the number of the
// half row of windows.
inline __device__ std::uint32_t inner_sum_of_bands(const TileGrid& job, const Block& block,
                                                   const std::uint32_t* scratch, int half) {
  const TileShape& shape = block.shape;
  const auto* plane = reinterpret_cast<const std::uint32_t*>(memory);
  const int top = half / 2 * (block.layout + 1) + 1, bottom = top + job.window.height - 2;
  const int column = half % 2 * 32 + static_cast<int>(threadIdx.x) % 32;
  const int left = column + block.column_word(1), right = column + block.column_word(job.window.width - 1);
  const auto across = [&](int row) {
    const std::uint32_t* values = plane + row * shape.stride;
    const std::uint32_t* above = scratch + ((row - 1) * block.extent.band_reciprocal >> 16) * shape.stride;
    return row > 0 ? values[right] - values[left] + above[right] - above[left] : 0;
  };
  return across(bottom) - across(top);
}

inline __device__ std::uint32_t inner_sum(const TileGrid& job, const Block& block, std::uint32_t window) {
  const std::uint32_t at = block.plane_of(window);
  const std::int32_t* corner = job.inner[block.layout];
  return plane_value(at + corner[0]) - plane_value(at + corner[1]) - plane_value(at + corner[2]) +
         plane_value(at + corner[3]);
}

// `kOwnHalves`: the most half rows of windows that a warp takes. `own_half(i)`: the number of the i-th of
// these half rows.
constexpr int kOwnHalves = (kMostTileRows * 2 + kWarps - 1) / kWarps;
inline __device__ std::uint32_t own_half(std::uint32_t i) { return i * kWarps + threadIdx.x / 32; }

// Makes all planes. `squares`: the sums of squares of the windows in a warp's own half rows, one window per
// lane. `kFlat`: whether there may be flat windows.
template <int kWords, bool kFlat = true>
__device__ void make_planes(const TileGrid& job, const TilePixels& pixels, const Block& block,
                            std::uint32_t (&squares)[kOwnHalves]) {
  auto* scratch = reinterpret_cast<std::uint32_t*>(memory + block.norms);
  if (kFlat && job.flat_windows) {
    integrate_bands<true, kWords>(pixels, block, scratch);
#pragma unroll
    for (std::uint32_t i = 0; i < kOwnHalves; ++i) {
      squares[i] = own_half(i) < block.halves()
                       ? inner_sum_of_bands(job, block, scratch, static_cast<int>(block.half(own_half(i))))
                       : 0;
    }
    __syncthreads();
  }
  integrate_bands<false, kWords>(pixels, block, scratch);
  join_bands(block, scratch);
  if (job.tilted) integrate_tilted(pixels, block, scratch);
}

}  // namespace winnow
