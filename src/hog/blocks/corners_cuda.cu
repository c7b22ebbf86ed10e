// Makes integral histograms of the levels of a pass, as hog/blocks/block_kernels_cuda.h declares; its opening
// comment holds here.
#include "base/device/cuda_device.h"
#include "hog/blocks/block_kernels_cuda.h"
#include "hog/hog_math_cuda.cuh"
#include "hog/hog_steps.h"

namespace winnow {
namespace {

constexpr int kThreads = kBlockThreads, kWarps = kThreads / 32;

// Reads one row of a cell: kGrid pixels from column `x` on, the pixel before them in column `left`, and the
// pixel behind them in column `right`.
template <int kGrid>
__device__ void read_row(const std::uint8_t* row, int x, int left, int right,
                         std::int32_t (&values)[kGrid + 2]) {
  values[0] = row[left];
  values[kGrid + 1] = row[right];
  if constexpr (kGrid == 2) {
    const std::uint32_t word = *reinterpret_cast<const std::uint16_t*>(row + x);
    values[1] = static_cast<std::int32_t>(word & 0xff), values[2] = static_cast<std::int32_t>(word >> 8);
  } else {
#pragma unroll
    for (int i = 0; i < kGrid; i += 4) {
      const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(row + x + i);
#pragma unroll
      for (int j = 0; j < 4; ++j) values[i + j + 1] = static_cast<std::int32_t>(word >> (8 * j) & 0xff);
    }
  }
}

// A warp takes a row of cells, 32 cells at a time. Each lane adds up the votes of one cell. Then the warp
// makes running sums along the row.
template <int kGrid>
__global__ void __launch_bounds__(kThreads) rows_kernel(const __grid_constant__ BlockJob job) {
  const int at = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x / 32);
  if (at >= job.pass.rows) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const BlockPlace place = job.places[job.pass.first_row + at];
  const BlockDeviceLevel level = job.levels[place.level];
  const LevelImage image = job.pyramid.images[level.number];
  const std::uint8_t* pixels = job.pyramid.pixels(job.first_frame + static_cast<int>(blockIdx.y), image);
  const auto row = [&](int y) {
    return pixels + static_cast<std::int64_t>(mirrored(y, level.size.height)) * image.pitch;
  };
  const int top = (level.top + static_cast<int>(place.first)) * kGrid;
  std::uint32_t* const to = job.corners + (std::int64_t{blockIdx.y} * job.pass.corners + level.first_corner +
                                           (place.first + 1) * (level.cells.width + 1) + 1) *
                                              kCornerWords;
  std::uint32_t before[kVoteBins] = {};
  for (int first = 0; first < level.cells.width; first += 32) {
    // Lanes beyond the last cell repeat that cell, and store nothing.
    const int cell = first + lane, x = min(cell, level.cells.width - 1) * kGrid;
    const int left = mirrored(x - 1, level.size.width), right = mirrored(x + kGrid, level.size.width);
    std::uint32_t sums[kVoteBins] = {};
    std::int32_t above[kGrid + 2], here[kGrid + 2], below[kGrid + 2];
    read_row<kGrid>(row(top - 1), x, left, right, above);
    read_row<kGrid>(row(top), x, left, right, here);
#pragma unroll(kGrid == 8 ? 2 : kGrid)
    for (int r = 0; r < kGrid; ++r) {
      read_row<kGrid>(row(top + r + 1), x, left, right, below);
#pragma unroll
      for (int i = 0; i < kGrid; ++i) {
        std::int32_t votes[kVoteBins];
        gradient_votes<HogQuickMath>(here[i + 2] - here[i], below[i + 1] - above[i + 1], votes);
#pragma unroll
        for (int k = 0; k < kVoteBins; ++k) sums[k] += static_cast<std::uint32_t>(votes[k]);
      }
#pragma unroll
      for (int i = 0; i < kGrid + 2; ++i) above[i] = here[i], here[i] = below[i];
    }
#pragma unroll
    for (int k = 0; k < kVoteBins; ++k) {
#pragma unroll
      for (int distance = 1; distance < 32; distance *= 2) {
        const std::uint32_t other = __shfl_up_sync(~0u, sums[k], distance);
        if (lane >= distance) sums[k] += other;
      }
      sums[k] += before[k];
      before[k] = __shfl_sync(~0u, sums[k], 31);
    }
    if (cell >= level.cells.width) continue;
    auto* const corner = reinterpret_cast<uint4*>(to + std::int64_t{cell} * kCornerWords);
    corner[0] = {sums[0], sums[1], sums[2], sums[3]};
    corner[1] = {sums[4], sums[5], sums[6], sums[7]};
    corner[2] = {sums[8], 0, 0, 0};
  }
}

// A thread adds up a column of sums. The thread loads kAhead sums before it stores any, because otherwise
// each load would wait for memory.
__global__ void __launch_bounds__(kThreads) columns_kernel(const __grid_constant__ BlockJob job) {
  constexpr int kAhead = 16;
  const BlockPlace place = job.places[job.pass.first_column + static_cast<int>(blockIdx.x)];
  const BlockDeviceLevel& level = job.levels[place.level];
  const std::int64_t pitch = std::int64_t{level.cells.width + 1} * kCornerWords;
  const std::int64_t word = place.first + threadIdx.x;
  if (word >= pitch || word % kCornerWords >= kVoteBins) return;
  std::uint32_t* at =
      job.corners + (std::int64_t{blockIdx.y} * job.pass.corners + level.first_corner) * kCornerWords + word;
  *at = 0;
  at += pitch;
  const bool first = word < kCornerWords;  // the corner left of all cells, where sums are 0
  std::uint32_t sum = 0;
  for (int y = 0; y < level.cells.height; y += kAhead) {
    std::uint32_t values[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) values[i] = !first && y + i < level.cells.height ? at[i * pitch] : 0;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      sum += values[i];
      if (y + i < level.cells.height) at[i * pitch] = sum;
    }
    at += kAhead * pitch;
  }
}

}  // namespace

void enqueue_corners(const BlockJob& job, int frames, cudaStream_t stream) {
  const dim3 rows(static_cast<unsigned>((job.pass.rows + kWarps - 1) / kWarps),
                  static_cast<unsigned>(frames));
  const auto kernel = job.grid == 2 ? rows_kernel<2> : job.grid == 4 ? rows_kernel<4> : rows_kernel<8>;
  kernel<<<rows, kThreads, 0, stream>>>(job);
  check_launch("adding up votes");
  const dim3 columns(static_cast<unsigned>(job.pass.columns), static_cast<unsigned>(frames));
  columns_kernel<<<columns, kThreads, 0, stream>>>(job);
  check_launch("adding up columns of votes");
}

}  // namespace winnow
