// Adds up the sums of windows, and finds those that are large enough, as hog/hog_kernels_cuda.h declares; its
// opening comment holds here.
#include "hog/hog_kernels_cuda.h"

namespace winnow {
namespace {

constexpr int kThreads = 128, kItems = 2, kRows = kHogScoreRows;
static_assert(kThreads * kItems == kHogScoreItems);

__device__ std::int32_t low_of(std::uint32_t word) { return static_cast<std::int32_t>(word & 0xffff); }
__device__ std::int32_t high_of(std::uint32_t word) { return static_cast<std::int32_t>(word >> 16); }

// A thread takes kItems items (`HogScoreTile`), each of a row of blocks and a column of windows. It adds the
// products of this row of blocks to kRows windows of that column. So each value is read once for kRows
// windows, and each weight once for kItems items. Sums of integers have no order, so several threads may add
// to one window.
__global__ void __launch_bounds__(kThreads) score_tiles_kernel(const __grid_constant__ HogJob job) {
  extern __shared__ __align__(16) std::int32_t weights[];
  const HogScoreTile tile = job.score_tiles[blockIdx.x];
  const HogDeviceLevel& level = job.levels[tile.level];
  const int band = static_cast<int>(blockIdx.y), columns = job.window_blocks.width, pairs = job.pairs;
  const int first_row = band * kRows;  // the band's first row of blocks, counted within a window
  const std::int64_t items = std::int64_t{level.block_rows} * level.cols;
  const int top = static_cast<int>(tile.first_item / level.cols),
            bottom = static_cast<int>(min(tile.first_item + kHogScoreItems, items) - 1) / level.cols;
  if (bottom < first_row || top - (first_row + kRows - 1) >= level.rows) return;
  const int count = columns * pairs * 2 * kRows;
  for (int i = static_cast<int>(threadIdx.x) * 4; i < count; i += kThreads * 4)
    *reinterpret_cast<int4*>(weights + i) =
        *reinterpret_cast<const int4*>(job.score_weights + std::int64_t{band} * count + i);
  __syncthreads();

  const std::uint32_t* words = job.words + std::int64_t{blockIdx.z} * job.pass.words + level.first_word;
  const std::int64_t blocks = level.blocks();
  int row[kItems], col[kItems];
  const std::uint32_t* from[kItems];
#pragma unroll
  for (int n = 0; n < kItems; ++n) {
    // Threads beyond the last item repeat that item, and add nothing.
    const std::int64_t item = tile.first_item + n * kThreads + threadIdx.x, at = min(item, items - 1);
    row[n] = static_cast<int>(at / level.cols);
    col[n] = static_cast<int>(at - std::int64_t{row[n]} * level.cols);
    from[n] = words + std::int64_t{row[n]} * level.block_cols + col[n];
    if (item >= items) row[n] = -1;
  }
  std::int32_t totals[kItems][kRows] = {};
  const std::int32_t* weight = weights;
  for (int column = 0; column < columns; ++column) {
    std::int32_t sums[kItems][kRows] = {};
    const std::uint32_t* at[kItems];
#pragma unroll
    for (int n = 0; n < kItems; ++n) at[n] = from[n] + column;
#pragma unroll 3
    for (int pair = 0; pair < pairs; ++pair, weight += 2 * kRows) {
      std::int32_t w[2 * kRows];
#pragma unroll
      for (int j = 0; j < 2 * kRows; j += 4) {
        const int4 four = *reinterpret_cast<const int4*>(weight + j);
        w[j] = four.x, w[j + 1] = four.y, w[j + 2] = four.z, w[j + 3] = four.w;
      }
#pragma unroll
      for (int n = 0; n < kItems; ++n) {
        const std::uint32_t word = __ldg(at[n]);
        at[n] += blocks;
#pragma unroll
        for (int j = 0; j < kRows; ++j) {
          sums[n][j] += low_of(word) * w[j];
          sums[n][j] += high_of(word) * w[kRows + j];
        }
      }
    }
#pragma unroll
    for (int n = 0; n < kItems; ++n) {
#pragma unroll
      for (int j = 0; j < kRows; ++j) totals[n][j] += sums[n][j] >> job.shift;
    }
  }
  std::int32_t* sums = job.sums + std::int64_t{blockIdx.z} * job.pass.sums + level.first_sum;
  const int last_row = job.window_blocks.height;
#pragma unroll
  for (int n = 0; n < kItems; ++n) {
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const int window_row = row[n] - (first_row + j);
      if (first_row + j < last_row && window_row >= 0 && window_row < level.rows)
        atomicAdd(sums + std::int64_t{window_row} * level.cols + col[n], totals[n][j]);
    }
  }
}

// Scores one window per thread.
__global__ void __launch_bounds__(kThreads) windows_kernel(const __grid_constant__ HogJob job, int number) {
  const HogDeviceLevel& level = job.levels[number];
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= std::int64_t{level.rows} * level.cols) return;
  const std::int64_t row = at / level.cols * job.window_step.height,
                     col = at % level.cols * job.window_step.width;
  const std::uint32_t* words =
      job.words + std::int64_t{blockIdx.y} * job.pass.words + level.first_word + row * level.block_cols + col;
  const std::int64_t blocks = level.blocks();
  const Size of_window = job.window_blocks;
  const std::uint32_t* weight = job.weight_pairs;
  std::int32_t total = 0;
  for (int i = 0; i < of_window.width; ++i) {
    for (int j = 0; j < of_window.height; ++j) {
      const std::uint32_t* from = words + static_cast<std::int64_t>(i) * job.block_stride.width +
                                  static_cast<std::int64_t>(j) * job.block_stride.height * level.block_cols;
      std::int32_t sum = 0;
      for (int pair = 0; pair < job.pairs; ++pair, ++weight, from += blocks) {
        const std::uint32_t values = *from, both = *weight;
        sum += low_of(values) * static_cast<std::int16_t>(both & 0xffff) +
               high_of(values) * static_cast<std::int16_t>(both >> 16);
      }
      total += sum >> job.shift;
    }
  }
  job.sums[std::int64_t{blockIdx.y} * job.pass.sums + level.first_sum + at] = total;
}

// Returns the plan's number for the window whose sum has the index `sum` in this pass, or -1 if there is no
// window at that place.
__device__ std::int64_t window_of(const HogJob& job, std::int64_t sum) {
  int first = job.pass.first_level, last = job.pass.last_level - 1;  // one of these levels has the sum
  while (first < last) {
    const int middle = (first + last + 1) / 2;
    if (job.levels[middle].first_sum <= sum) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  const HogDeviceLevel& level = job.levels[first];
  const std::int64_t place = sum - level.first_sum, row = place / level.cols, col = place % level.cols;
  if (row % level.step.height != 0 || col % level.step.width != 0) return -1;
  return level.first_window + row / level.step.height * level.period.height * level.window_cols +
         col / level.step.width * level.period.width;
}

__global__ void __launch_bounds__(kThreads) survivors_kernel(const __grid_constant__ HogJob job) {
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x,
                     frame = job.first_frame + blockIdx.y;
  DeviceCount* counts = job.counts + frame * job.counts_per_frame;
  if (at == 0) atomicAdd(counts + kReached, static_cast<DeviceCount>(job.pass.windows));
  if (at >= job.pass.sums) return;
  const std::int32_t whole = job.sums[std::int64_t{blockIdx.y} * job.pass.sums + at];
  if (whole < job.min_sum) return;
  const std::int64_t window = window_of(job, at);
  if (window < 0) return;
  atomicAdd(counts + kReached + 1, DeviceCount{1});
  const DeviceCount place = atomicAdd(counts + kFound, DeviceCount{1});
  if (place < static_cast<DeviceCount>(job.capacity))
    job.survivors[frame * job.capacity + static_cast<std::int64_t>(place)] = {
        window, static_cast<double>(whole) * job.unit + job.bias};
}

dim3 blocks_for(std::int64_t items, int frames) {
  return dim3(static_cast<unsigned>((items + kThreads - 1) / kThreads), static_cast<unsigned>(frames));
}

}  // namespace

void enqueue_score_tiles(const HogJob& job, int frames, cudaStream_t stream) {
  if (job.pass.score_tiles == 0) return;
  check_cuda(cudaMemsetAsync(job.sums, 0,
                             static_cast<std::size_t>(job.pass.sums * frames) * sizeof(std::int32_t), stream),
             "clearing sums");
  const dim3 grid(job.pass.score_tiles, static_cast<unsigned>(hog_score_bands(job.shape)),
                  static_cast<unsigned>(frames));
  score_tiles_kernel<<<grid, kThreads, static_cast<std::size_t>(hog_score_bytes(job.shape)), stream>>>(job);
  check_launch("scoring windows");
}

void enqueue_windows(const HogJob& job, int frames, cudaStream_t stream) {
  for (int number = job.pass.first_level; number < job.pass.last_level; ++number) {
    const HogDeviceLevel& level = job.host_levels[number];
    const std::int64_t windows = std::int64_t{level.rows} * level.cols;
    if (windows == 0) continue;
    windows_kernel<<<blocks_for(windows, frames), kThreads, 0, stream>>>(job, number);
    check_launch("scoring windows one by one");
  }
}

void enqueue_survivors(const HogJob& job, int frames, cudaStream_t stream) {
  if (job.pass.sums == 0) return;
  survivors_kernel<<<blocks_for(job.pass.sums, frames), kThreads, 0, stream>>>(job);
  check_launch("collecting windows");
}

}  // namespace winnow
