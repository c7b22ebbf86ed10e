// Describes strips of blocks, a warp each: gradients, votes, sums and values in one walk down the pixels.
#include "hog/block_rule.h"
#include "hog/gradient_rule.h"
#include "hog/hog_kernels_cuda.h"

namespace winnow {
namespace {

constexpr int kWarps = 4, kCell = kHogStripCell, kBins = kHogStripBins;
constexpr int kValues = 4 * kBins;

struct StripJob {
  HogJob job;
  HogStripParts parts;
};

__device__ int mirrored(int at, int size) { return at < 0 ? -at : at < size ? at : 2 * size - 2 - at; }

__device__ int byte_of(const std::uint32_t (&words)[2], int i) {
  return static_cast<int>(words[i / 4] >> (8 * (i % 4)) & 0xff);
}

__device__ void load(const std::uint8_t* at, std::uint32_t (&words)[2]) {
  const uint2 both = __ldg(reinterpret_cast<const uint2*>(at));
  words[0] = both.x, words[1] = both.y;
}

// The sums of one row of cells and both cells of a block in that row.
using CellSums = float[2][kBins];

// Adds a pixel's vote to the sums of its bin and the next one, as `sum_block` in hog_ref.cpp does, if its bin
// is this one. In C++ the compiler would index the sums by the bin, and so keep them in memory.
__device__ void add_vote(int vote, int bin, float first, float second, float& here, float& next) {
  asm("{\n\t.reg .pred same;\n\t"
      "setp.eq.s32 same, %2, %3;\n\t"
      "@same add.rn.f32 %0, %0, %4;\n\t"
      "@same add.rn.f32 %1, %1, %5;\n\t}"
      : "+f"(here), "+f"(next)
      : "r"(vote), "r"(bin), "f"(first), "f"(second));
}

// Adds row sums times a part.
__device__ void add_row(CellSums& sums, const CellSums& row, float part) {
#pragma unroll
  for (int c = 0; c < 2; ++c) {
#pragma unroll
    for (int bin = 0; bin < kBins; ++bin) sums[c][bin] = sums[c][bin] + row[c][bin] * part;
  }
}

// A lane holds one column of cells. Its pixels belong to the block that begins with the cell and to the block
// that ends with it. The first half of a block's row sums goes on to the next lane, which ends the block. So
// lane 0 ends none. In the same way, a row of cells belongs to the block that begins with it, whose sums are
// fresh, and to the block that ends with it.
//
// The table of pixels has a copy for each bank of the block's memory, so that lanes never wait for one
// another.
template <int kPlanes>
__global__ void __launch_bounds__(32 * kWarps, 3) strips_kernel(const __grid_constant__ StripJob of) {
  const HogJob& job = of.job;
  __shared__ float table[256][32];
  for (int i = static_cast<int>(threadIdx.x); i < 256 * 32; i += 32 * kWarps)
    table[i / 32][i % 32] = job.pixel[i / 32];
  __syncthreads();
  const std::uint32_t number = blockIdx.x * kWarps + threadIdx.x / 32;
  if (number >= job.pass.strips) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const HogStrip strip = job.strips[number];
  const HogDeviceLevel& level = job.levels[strip.level];
  const LevelImage image = job.pyramid.images[strip.level];
  const int width = level.width, height = level.height, pitch = image.pitch;
  const int cell = min(strip.first_col + lane, level.block_cols), x = cell * kCell;
  const int left = mirrored(x - 1, width) - x, right = mirrored(x + kCell, width) - x;
  const int block_col = strip.first_col + lane - 1;
  const bool ends = lane > 0 && block_col < level.block_cols;
  const std::uint8_t* planes[kPlanes];
#pragma unroll
  for (int p = 0; p < kPlanes; ++p)
    planes[p] = job.pyramid.pixels(job.first_frame + static_cast<int>(blockIdx.y), image, p) + x;
  std::uint32_t* words = job.words + std::int64_t{blockIdx.y} * job.pass.words + level.first_word;
  const std::int64_t blocks = level.blocks();
  const auto pixel = [&](int value) { return table[value][lane]; };

  CellSums upper, lower;  // of the block that ends with the row of cells
  CellSums fresh_upper, fresh_lower;
#pragma unroll
  for (int c = 0; c < 2; ++c) {
#pragma unroll
    for (int bin = 0; bin < kBins; ++bin) upper[c][bin] = lower[c][bin] = 0;
  }
#pragma unroll 1
  for (int band = strip.first_row; band <= strip.last_row; ++band) {
#pragma unroll
    for (int c = 0; c < 2; ++c) {
#pragma unroll
      for (int bin = 0; bin < kBins; ++bin) fresh_upper[c][bin] = fresh_lower[c][bin] = 0;
    }
#pragma unroll 1
    for (int i = 0; i < kCell; ++i) {
      const int y = band * kCell + i;
      float dx[kCell], dy[kCell], most[kCell];
#pragma unroll
      for (int p = 0; p < kPlanes; ++p) {
        const std::uint8_t* here = planes[p] + static_cast<std::int64_t>(y) * pitch;
        std::uint32_t above[2], middle[2], below[2];
        load(planes[p] + static_cast<std::int64_t>(mirrored(y - 1, height)) * pitch, above);
        load(here, middle);
        load(planes[p] + static_cast<std::int64_t>(mirrored(y + 1, height)) * pitch, below);
        float row[kCell + 2];
        row[0] = pixel(here[left]);
        row[kCell + 1] = pixel(here[right]);
#pragma unroll
        for (int k = 0; k < kCell; ++k) row[k + 1] = pixel(byte_of(middle, k));
#pragma unroll
        for (int k = 0; k < kCell; ++k) {
          const float across = row[k + 2] - row[k],
                      down = pixel(byte_of(below, k)) - pixel(byte_of(above, k));
          const float squares = across * across + down * down;
          if (p == 0 || squares > most[k]) most[k] = squares, dx[k] = across, dy[k] = down;
        }
      }
      GradientVote votes[kCell];
#pragma unroll
      for (int k = 0; k < kCell; ++k)
        votes[k] = gradient_vote(dx[k], dy[k], kBins, job.bins_per_degree, job.shape.directed);
      CellSums sums;
#pragma unroll
      for (int c = 0; c < 2; ++c) {
#pragma unroll
        for (int bin = 0; bin < kBins; ++bin) sums[c][bin] = 0;
      }
      // The left half of a block's pixels (`half` 0), then the right half. A cell's triangle ends 12 pixels
      // from the block's border. The right half compares bins times 16, or else the compiler would keep 72
      // comparisons of the left half, which costs more than to compare again.
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        if (half == 1) {
#pragma unroll
          for (int c = 0; c < 2; ++c) {
#pragma unroll
            for (int bin = 0; bin < kBins; ++bin) sums[c][bin] = __shfl_up_sync(~0u, sums[c][bin], 1);
          }
        }
#pragma unroll
        for (int k = 0; k < kCell; ++k) {
#pragma unroll
          for (int c = 0; c < 2; ++c) {
            if (c != half && (c == 0 ? k >= kCell / 2 : k < kCell / 2)) continue;
            const float part = of.parts.across[c][half * kCell + k];
            const float first = votes[k].here * part, second = votes[k].next * part;
#pragma unroll
            for (int bin = 0; bin < kBins; ++bin)
              add_vote(votes[k].bin << 4 * half, bin << 4 * half, first, second, sums[c][bin],
                       sums[c][bin + 1 < kBins ? bin + 1 : 0]);
          }
        }
      }
      add_row(fresh_upper, sums, of.parts.down[0][i]);
      if (i >= kCell / 2) {
        add_row(fresh_lower, sums, of.parts.down[1][i]);
      } else {
        add_row(upper, sums, of.parts.down[0][kCell + i]);
      }
      add_row(lower, sums, of.parts.down[1][kCell + i]);
    }
    if (band > strip.first_row && ends) {
      float all[kValues];
      std::int16_t values[kValues];
#pragma unroll
      for (int c = 0; c < 2; ++c) {
#pragma unroll
        for (int bin = 0; bin < kBins; ++bin) {
          all[2 * c * kBins + bin] = upper[c][bin];
          all[(2 * c + 1) * kBins + bin] = lower[c][bin];
        }
      }
      normalise_block(all, kValues, job.calm, job.clip, values);
      std::uint32_t* to = words + std::int64_t{band - 1} * level.block_cols + block_col;
#pragma unroll
      for (int pair = 0; pair < kValues / 2; ++pair, to += blocks) {
        *to = static_cast<std::uint32_t>(static_cast<std::uint16_t>(values[2 * pair])) |
              static_cast<std::uint32_t>(static_cast<std::uint16_t>(values[2 * pair + 1])) << 16;
      }
    }
#pragma unroll
    for (int c = 0; c < 2; ++c) {
#pragma unroll
      for (int bin = 0; bin < kBins; ++bin) {
        upper[c][bin] = fresh_upper[c][bin];
        lower[c][bin] = fresh_lower[c][bin];
      }
    }
  }
}

}  // namespace

void enqueue_strips(const HogJob& job, const HogStripParts& parts, int frames, cudaStream_t stream) {
  if (job.pass.strips == 0) return;
  const dim3 grid((job.pass.strips + kWarps - 1) / kWarps, static_cast<unsigned>(frames));
  if (job.pyramid.planes == 1) {
    strips_kernel<1><<<grid, 32 * kWarps, 0, stream>>>({job, parts});
  } else {
    strips_kernel<3><<<grid, 32 * kWarps, 0, stream>>>({job, parts});
  }
  check_launch("describing strips of blocks");
}

}  // namespace winnow
