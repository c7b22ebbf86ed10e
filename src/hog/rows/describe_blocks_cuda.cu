// Computes blocks of any shape, as hog/hog_kernels_cuda.h declares; its opening comment holds here. One
// kernel computes the votes of each pixel. Then a thread adds up the votes for each value of a block.
#include <algorithm>

#include "hog/hog_kernels_cuda.h"
#include "hog/rows/block_rule.h"
#include "hog/rows/gradient_rule.h"
#include "image/border.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) votes_kernel(const __grid_constant__ HogJob job, int number) {
  const HogDeviceLevel& level = job.levels[number];
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= std::int64_t{level.area.width} * level.area.height) return;
  const int column = level.x + static_cast<int>(at % level.area.width),
            line = level.y + static_cast<int>(at / level.area.width);
  const int x = mirrored(column, level.width), y = mirrored(line, level.height);
  const int left = mirrored(column - 1, level.width), right = mirrored(column + 1, level.width);
  const int above = mirrored(line - 1, level.height), below = mirrored(line + 1, level.height);
  const LevelImage& image = job.pyramid.images[level.number];
  float dx = 0, dy = 0, most = -1;
  for (int p = 0; p < job.pyramid.planes; ++p) {
    const std::uint8_t* plane = job.pyramid.pixels(job.first_frame + static_cast<int>(blockIdx.y), image, p);
    const auto pixel = [&](int row, int col) {
      return job.pixel[plane[static_cast<std::int64_t>(row) * image.pitch + col]];
    };
    const float across = pixel(y, right) - pixel(y, left), down = pixel(below, x) - pixel(above, x);
    const float squares = across * across + down * down;
    if (squares > most) most = squares, dx = across, dy = down;
  }
  job.votes[std::int64_t{blockIdx.y} * job.pass.votes + level.first_vote + at] =
      gradient_vote(dx, dy, job.shape.bins, job.bins_per_degree, job.shape.directed);
}

// One of the sums that `sum_block` in hog/hog_ref.cpp makes, added up in the same order.
__device__ float sum_of(const HogJob& job, const GradientVote* votes, int width, int value) {
  const HogShape& shape = job.shape;
  const int bin = value % shape.bins, cell = value / shape.bins,
            cells_down = shape.block.height / shape.cell.height;
  const float* across = job.across + static_cast<std::int64_t>(cell / cells_down) * shape.block.width;
  const float* down = job.down + static_cast<std::int64_t>(cell % cells_down) * shape.block.height;
  const int before = bin > 0 ? bin - 1 : shape.bins - 1;
  float sum = 0;
  for (int y = 0; y < shape.block.height; ++y) {
    if (down[y] == 0) continue;
    const GradientVote* const from = votes + static_cast<std::int64_t>(y) * width;
    float row = 0;
    for (int x = 0; x < shape.block.width; ++x) {
      const float weight = across[x];
      if (weight == 0) continue;
      const GradientVote vote = from[x];
      if (vote.bin == bin) row = row + vote.here * weight;
      if (vote.bin == before) row = row + vote.next * weight;
    }
    sum = sum + row * down[y];
  }
  return sum;
}

// A block of threads computes `at_once` HOG blocks: all threads add up sums, then one thread per HOG block
// normalises them.
__global__ void __launch_bounds__(kThreads)
    blocks_kernel(const __grid_constant__ HogJob job, int number, int at_once) {
  extern __shared__ float sums[];
  const int values = job.values, thread = static_cast<int>(threadIdx.x);
  auto* const whole = reinterpret_cast<std::int16_t*>(sums + at_once * values);
  const HogDeviceLevel& level = job.levels[number];
  const std::int64_t first = std::int64_t{blockIdx.x} * at_once, blocks = level.blocks();
  const int count = static_cast<int>(min(std::int64_t{at_once}, blocks - first));
  const GradientVote* votes = job.votes + std::int64_t{blockIdx.y} * job.pass.votes + level.first_vote;
  for (int i = thread; i < count * values; i += kThreads) {
    const std::int64_t block = first + i / values;
    const std::int64_t x = block % level.block_cols * job.step.width,
                       y = block / level.block_cols * job.step.height;
    sums[i] = sum_of(job, votes + y * level.area.width + x, level.area.width, i % values);
  }
  __syncthreads();
  if (thread < count)
    normalise_block(sums + thread * values, values, job.length_offset, job.clip, whole + thread * values);
  __syncthreads();
  std::uint32_t* words = job.words + std::int64_t{blockIdx.y} * job.pass.words + level.first_word + first;
  for (int i = thread; i < count * job.pairs; i += kThreads) {
    const int block = i / job.pairs, pair = i % job.pairs;
    const auto value = [&](int at) {
      return at < values ? static_cast<std::uint32_t>(static_cast<std::uint16_t>(whole[block * values + at]))
                         : 0u;
    };
    words[pair * blocks + block] = value(2 * pair) | value(2 * pair + 1) << 16;
  }
}

}  // namespace

void enqueue_blocks(const HogJob& job, int frames, cudaStream_t stream) {
  const int values = job.values, at_once = std::clamp(1024 / values, 1, kThreads);
  const auto bytes = static_cast<std::size_t>(at_once * values) * (sizeof(float) + sizeof(std::int16_t));
  static_assert(4096 * (sizeof(float) + sizeof(std::int16_t)) <= 48 << 10, "kMaxHogBlockValues");
  for (int number = job.pass.first_level; number < job.pass.last_level; ++number) {
    const HogDeviceLevel& level = job.host_levels[number];
    if (level.blocks() == 0) continue;
    const auto grid = [&](std::int64_t items, int each) {
      return dim3(static_cast<unsigned>((items + each - 1) / each), static_cast<unsigned>(frames));
    };
    votes_kernel<<<grid(std::int64_t{level.area.width} * level.area.height, kThreads), kThreads, 0, stream>>>(
        job, number);
    check_launch("finding gradients");
    blocks_kernel<<<grid(level.blocks(), at_once), kThreads, bytes, stream>>>(job, number, at_once);
    check_launch("describing blocks");
  }
}

}  // namespace winnow
