// Computes strips of blocks, as hog/hog_kernels_cuda.h declares; its opening comment holds here. A warp takes
// one strip and makes gradients, votes, sums and values in one walk down the pixels.
#include <type_traits>

#include "hog/hog_kernels_cuda.h"
#include "hog/hog_math_cuda.cuh"
#include "hog/rows/block_rule.h"
#include "hog/rows/gradient_rule.h"
#include "image/border.h"

namespace winnow {
namespace {

constexpr int kWarps = 4, kCell = kHogStripCell, kBins = kHogStripBins;
constexpr int kValues = 4 * kBins;

struct StripJob {
  HogJob job;
  HogStripWeights weights;
};

// Like `mirrored`. If kInside, `at` may lie at most one pixel beyond the level.
template <bool kInside>
__device__ int mirrored_near(int at, int size) {
  if constexpr (kInside) return at < 0 ? -at : at < size ? at : 2 * size - 2 - at;
  return mirrored(at, size);
}

__device__ int byte_of(const std::uint32_t (&words)[2], int i) {
  return static_cast<int>(words[i / 4] >> (8 * (i % 4)) & 0xff);
}

// Loads the 8 bytes from `at` on. `kAligned`: `at` is a multiple of 8. Otherwise only words that hold one of
// the 8 bytes are read.
template <bool kAligned>
__device__ void load(const std::uint8_t* at, std::uint32_t (&words)[2]) {
  if constexpr (kAligned) {
    const uint2 both = __ldg(reinterpret_cast<const uint2*>(at));
    words[0] = both.x, words[1] = both.y;
  } else {
    const auto over = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at) % 4);
    const auto* const from = reinterpret_cast<const std::uint32_t*>(at - over);
    const std::uint32_t middle = __ldg(from + 1), last = over > 0 ? __ldg(from + 2) : 0;
    words[0] = __funnelshift_r(__ldg(from), middle, 8 * over);
    words[1] = __funnelshift_r(middle, last, 8 * over);
  }
}

// The sums of both cells of a block in one row of cells.
struct CellSums {
  float of[2][kBins];
};

// A warp's sums of a row of pixels: both cells of each lane's block.
using RowSums = float[2][kBins][32];

// A table of pixel values with a copy for each bank of shared memory, so that lanes never wait for one
// another.
using PixelTable = float[256][32];

// Reads the pixels of a lane's cell and their neighbours, and computes their votes.
template <int kPlanes, bool kAligned, bool kInside>
struct CellPixels {
  const std::uint8_t* planes[kPlanes];  // the first pixel of the level, in each plane
  int pitch, width, height;
  int x;            // the cell's first column
  int left, right;  // columns of the pixels to the left and right of the cell

  __device__ void load_cell(const std::uint8_t* row, std::uint32_t (&words)[2]) const {
    if (kInside || (x >= 0 && x + kCell <= width)) return load<kAligned>(row + x, words);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      words[i] = 0;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        words[i] |= static_cast<std::uint32_t>(__ldg(row + mirrored(x + 4 * i + k, width))) << (8 * k);
    }
  }

  __device__ void votes(int y, const HogJob& job, const PixelTable& table,
                        GradientVote (&votes)[kCell]) const {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const auto pixel = [&](int value) { return table[value][lane]; };
    float dx[kCell], dy[kCell], most[kCell];
#pragma unroll
    for (int p = 0; p < kPlanes; ++p) {
      const auto row = [&](int at) { return planes[p] + static_cast<std::int64_t>(at) * pitch; };
      std::uint32_t above[2], here[2], below[2];
      const std::uint8_t* const middle = row(kInside ? y : mirrored(y, height));
      load_cell(row(mirrored_near<kInside>(y - 1, height)), above);
      load_cell(middle, here);
      load_cell(row(mirrored_near<kInside>(y + 1, height)), below);
      float values[kCell + 2];
      values[0] = pixel(middle[left]);
      values[kCell + 1] = pixel(middle[right]);
#pragma unroll
      for (int k = 0; k < kCell; ++k) values[k + 1] = pixel(byte_of(here, k));
#pragma unroll
      for (int k = 0; k < kCell; ++k) {
        const float across = values[k + 2] - values[k],
                    down = pixel(byte_of(below, k)) - pixel(byte_of(above, k));
        const float squares = across * across + down * down;
        if (p == 0 || squares > most[k]) most[k] = squares, dx[k] = across, dy[k] = down;
      }
    }
#pragma unroll
    for (int k = 0; k < kCell; ++k)
      votes[k] = gradient_vote<HogQuickMath>(dx[k], dy[k], kBins, job.bins_per_degree, job.shape.directed);
  }
};

// Returns the sums of a row of pixels for the block that ends with the lane's cell. Column n of `rows` has
// the sums of the block that begins with the cell of lane n. A lane adds its cell to its own column first, as
// the block's left cell, then to the column of the lane before, as the right cell. A cell's weights are 0 for
// the 4 farthest of the block's 16 columns of pixels.
__device__ CellSums add_across(const GradientVote (&votes)[kCell], const HogStripWeights& weights,
                               RowSums& rows) {
  const int lane = static_cast<int>(threadIdx.x % 32), before = (lane + 31) % 32;
#pragma unroll
  for (int c = 0; c < 2; ++c) {
#pragma unroll
    for (int bin = 0; bin < kBins; ++bin) rows[c][bin][lane] = 0;
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int column = half == 0 ? lane : before;
#pragma unroll
    for (int k = 0; k < kCell; ++k) {
      const int bin = votes[k].bin, next = bin + 1 < kBins ? bin + 1 : 0;
      const auto takes = [&](int c) { return c == half || (c == 0) == (k < kCell / 2); };
      float first[2], second[2];  // the two bins differ, so both are loaded before either is stored
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        if (!takes(c)) continue;
        const float weight = weights.across[c][half * kCell + k];
        first[c] = rows[c][bin][column] + votes[k].here * weight;
        second[c] = rows[c][next][column] + votes[k].next * weight;
      }
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        if (!takes(c)) continue;
        rows[c][bin][column] = first[c];
        rows[c][next][column] = second[c];
      }
    }
    __syncwarp();
  }
  CellSums sums;
#pragma unroll
  for (int c = 0; c < 2; ++c) {
#pragma unroll
    for (int bin = 0; bin < kBins; ++bin) sums.of[c][bin] = rows[c][bin][before];
  }
  __syncwarp();
  return sums;
}

// Adds row sums times a cell weight.
__device__ void add_down(CellSums& sums, const CellSums& row, float weight) {
#pragma unroll
  for (int c = 0; c < 2; ++c) {
#pragma unroll
    for (int bin = 0; bin < kBins; ++bin) sums.of[c][bin] = sums.of[c][bin] + row.of[c][bin] * weight;
  }
}

// Normalises a block, and writes its values as pairs. Pairs lie `apart` words apart.
__device__ void write_block(const CellSums& upper, const CellSums& lower, const HogJob& job,
                            std::uint32_t* to, std::int64_t apart) {
  float sums[kValues];
  std::int16_t values[kValues];
#pragma unroll
  for (int c = 0; c < 2; ++c) {
#pragma unroll
    for (int bin = 0; bin < kBins; ++bin) {
      sums[2 * c * kBins + bin] = upper.of[c][bin];
      sums[(2 * c + 1) * kBins + bin] = lower.of[c][bin];
    }
  }
  normalise_block(sums, kValues, job.length_offset, job.clip, values);
#pragma unroll
  for (int pair = 0; pair < kValues / 2; ++pair, to += apart) {
    *to = static_cast<std::uint32_t>(static_cast<std::uint16_t>(values[2 * pair])) |
          static_cast<std::uint32_t>(static_cast<std::uint16_t>(values[2 * pair + 1])) << 16;
  }
}

// A lane takes one column of cells. The pixels of a cell belong to the block that begins with the cell and to
// the block that ends with the cell. A lane completes the block that the lane before it began, so lane 0
// completes none. Likewise a row of cells belongs to the blocks that begin with the row (`fresh_upper`,
// `fresh_lower`) and to the blocks that end with the row (`upper`, `lower`).
template <int kPlanes, bool kAligned, bool kInside>
__global__ void __launch_bounds__(32 * kWarps, kPlanes == 1 ? 4 : 3)
    strips_kernel(const __grid_constant__ StripJob of) {
  const HogJob& job = of.job;
  const HogStripWeights& weights = of.weights;
  __shared__ PixelTable table;
  __shared__ RowSums rows[kWarps];
  for (int i = static_cast<int>(threadIdx.x); i < 256 * 32; i += 32 * kWarps)
    table[i / 32][i % 32] = job.pixel[i / 32];
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  const std::uint32_t number = blockIdx.x * kWarps + static_cast<std::uint32_t>(warp);
  if (number >= job.pass.strips) return;
  const HogStrip strip = job.strips[number];
  const HogDeviceLevel& level = job.levels[strip.level];
  const LevelImage image = job.pyramid.images[level.number];
  // Lanes beyond the last cell repeat that cell. They do not complete a block.
  const int cell = min(strip.first_col + lane, level.block_cols), x = level.x + cell * kCell;
  const int block_col = strip.first_col + lane - 1;
  const bool ends = lane > 0 && block_col < level.block_cols;
  CellPixels<kPlanes, kAligned, kInside> pixels;
#pragma unroll
  for (int p = 0; p < kPlanes; ++p)
    pixels.planes[p] = job.pyramid.pixels(job.first_frame + static_cast<int>(blockIdx.y), image, p);
  pixels.pitch = image.pitch;
  pixels.width = level.width;
  pixels.height = level.height;
  pixels.x = x;
  pixels.left = mirrored_near<kInside>(x - 1, level.width);
  pixels.right = mirrored_near<kInside>(x + kCell, level.width);
  std::uint32_t* words = job.words + std::int64_t{blockIdx.y} * job.pass.words + level.first_word + block_col;

  CellSums upper{}, lower{};  // sums of the block that ends with the row of cells
#pragma unroll 1
  for (int band = strip.first_row; band <= strip.last_row; ++band) {
    CellSums fresh_upper{}, fresh_lower{};
#pragma unroll 1
    for (int i = 0; i < kCell; ++i) {
      GradientVote votes[kCell];
      pixels.votes(level.y + band * kCell + i, job, table, votes);
      const CellSums sums = add_across(votes, weights, rows[warp]);
      add_down(fresh_upper, sums, weights.down[0][i]);
      if (i >= kCell / 2) {
        add_down(fresh_lower, sums, weights.down[1][i]);
      } else {
        add_down(upper, sums, weights.down[0][kCell + i]);
      }
      add_down(lower, sums, weights.down[1][kCell + i]);
    }
    if (band > strip.first_row && ends)
      write_block(upper, lower, job, words + std::int64_t{band - 1} * level.block_cols, level.blocks());
    upper = fresh_upper;
    lower = fresh_lower;
  }
}

}  // namespace

void enqueue_strips(const HogJob& job, const HogStripWeights& weights, int frames, cudaStream_t stream) {
  if (job.pass.strips == 0) return;
  const dim3 grid((job.pass.strips + kWarps - 1) / kWarps, static_cast<unsigned>(frames));
  const auto choose = [&]<int kPlanes>(std::integral_constant<int, kPlanes>) {
    if (!job.inside) return strips_kernel<kPlanes, false, false>;
    return job.aligned ? strips_kernel<kPlanes, true, true> : strips_kernel<kPlanes, false, true>;
  };
  const auto kernel = job.pyramid.planes == 1 ? choose(std::integral_constant<int, 1>())
                                              : choose(std::integral_constant<int, 3>());
  kernel<<<grid, 32 * kWarps, 0, stream>>>({job, weights});
  check_launch("describing strips of blocks");
}

}  // namespace winnow
