// Judges the windows of a pass with the stages of a cascade of HOG blocks, as hog/blocks/block_kernels_cuda.h
// declares; its opening comment holds here.
#include "base/device/cuda_device.h"
#include "hog/blocks/block_kernels_cuda.h"
#include "hog/blocks/response_rule.h"

namespace winnow {
namespace {

constexpr int kThreads = kBlockThreads;
// Rejections by the first kSharedCounts stages are counted in shared memory.
constexpr int kSharedCounts = 128;
// While a tile has few windows left, several lanes judge one window, and each lane judges one stage.
// kBusyLanes is the most lanes that work in this way at once. More lanes would judge stages that their window
// may not reach. Fewer would leave threads idle. A frame of 1280x960 at scale 1.05 took 0.173 ms with 64 or
// 128 lanes, 0.182 ms with 256 (H100).
constexpr int kBusyLanes = 128;

// Loads four sums, or one sum, from each of a block's nine corners.
template <class Sums>
struct Corners {
  Sums of[3][3];
  __device__ Corners(const std::uint32_t* const (&rows)[3], int across, int word) {
#pragma unroll
    for (int j = 0; j < 3; ++j) {
#pragma unroll
      for (int i = 0; i < 3; ++i) of[j][i] = *reinterpret_cast<const Sums*>(rows[j] + i * across + word);
    }
  }
};

__device__ std::int32_t score_of(const BlockDeviceStage& stage, const std::uint32_t* window,
                                 std::int64_t pitch) {
  const std::uint32_t* rows[3];
  rows[0] = window + stage.y * pitch + stage.x * kCornerWords;
  rows[1] = rows[0] + stage.cell_height * pitch;
  rows[2] = rows[1] + stage.cell_height * pitch;
  const int across = stage.cell_width * kCornerWords;
  std::int32_t product = 0, squares = 0;
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, int weight) {
    const auto value = static_cast<std::int32_t>((d - c - b + a) >> stage.shift);
    product += value * weight;
    squares += value * value;
  };
#pragma unroll
  for (int quad = 0; quad < 2; ++quad) {
    const Corners<uint4> corners(rows, across, 4 * quad);
#pragma unroll
    for (int cell = 0; cell < 4; ++cell) {
      const int j = cell / 2, i = cell % 2;
      const uint4 a = corners.of[j][i], b = corners.of[j][i + 1], c = corners.of[j + 1][i],
                  d = corners.of[j + 1][i + 1];
      const short4 weights = *reinterpret_cast<const short4*>(&stage.weights[cell][4 * quad]);
      add(a.x, b.x, c.x, d.x, weights.x);
      add(a.y, b.y, c.y, d.y, weights.y);
      add(a.z, b.z, c.z, d.z, weights.z);
      add(a.w, b.w, c.w, d.w, weights.w);
    }
  }
  const Corners<std::uint32_t> corners(rows, across, kVoteBins - 1);
#pragma unroll
  for (int cell = 0; cell < 4; ++cell) {
    const int j = cell / 2, i = cell % 2;
    add(corners.of[j][i], corners.of[j][i + 1], corners.of[j + 1][i], corners.of[j + 1][i + 1],
        stage.weights[cell][kVoteBins - 1]);
  }
  return stage.table[response_bin(product, squares, stage.first, stage.bins_per_response)];
}

// A block of threads judges a tile of windows in rounds. After each round, only windows that no stage has
// rejected stay in the list. In a round, a team of `lanes` neighbouring threads judges the next `lanes`
// stages of one window, and adds up their scores.
__global__ void __launch_bounds__(kThreads) windows_kernel(const __grid_constant__ BlockJob job) {
  __shared__ std::uint16_t alive[2][kTileWindows];
  __shared__ std::int32_t sums[2][kTileWindows];
  __shared__ unsigned rejected[kSharedCounts];
  __shared__ int kept[3];  // [round % 3]: number of windows that the last, this or the next round keeps
  const int thread = static_cast<int>(threadIdx.x), warp_lane = thread % 32;
  const BlockPlace tile = job.places[job.pass.first_tile + static_cast<int>(blockIdx.x)];
  const BlockDeviceLevel& level = job.levels[tile.level];
  const std::int64_t frame = job.first_frame + static_cast<int>(blockIdx.y);
  DeviceCount* const counts = job.counts + frame * job.counts_per_frame;
  const std::int64_t pitch = std::int64_t{level.cells.width + 1} * kCornerWords;
  const std::uint32_t* const corners =
      job.corners + (std::int64_t{blockIdx.y} * job.pass.corners + level.first_corner) * kCornerWords;
  const std::int64_t windows = std::int64_t{level.windows.width} * level.windows.height;
  int count = static_cast<int>(min(std::int64_t{kTileWindows}, windows - tile.first));
  alive[0][thread] = static_cast<std::uint16_t>(thread);
  sums[0][thread] = 0;
  if (thread < kSharedCounts) rejected[thread] = 0;
  if (thread < 3) kept[thread] = 0;
  if (thread == 0) atomicAdd(counts + kReached, static_cast<DeviceCount>(count));
  __syncthreads();
  const auto reject = [&](int stage) {
    if (stage < kSharedCounts) {
      atomicAdd(rejected + stage, 1u);
    } else {
      atomicAdd(counts + kReached + 1 + stage, DeviceCount{1});
    }
  };

  int from = 0, round = 0;
  for (int stage = 0; stage < job.stage_count && count > 0;) {
    int lanes = 1;
    while (lanes < 32 && 2 * lanes * count <= kBusyLanes) lanes *= 2;
    static_assert(kBusyLanes <= kThreads && kTileWindows == kThreads, "a round takes the whole list");
    const int item = thread / lanes, lane = thread % lanes, own = stage + lane;
    const bool here = item < count;
    std::int32_t sum = 0, window = 0;
    bool fails = false;
    if (here) window = alive[from][item];
    if (here && own < job.stage_count) {
      const std::int64_t at = tile.first + window;
      const std::int64_t y = at / level.windows.width, x = at - y * level.windows.width;
      sum = score_of(job.stages[own],
                     corners + y * level.apart.height * pitch + x * level.apart.width * kCornerWords, pitch);
    }
    for (int distance = 1; distance < lanes; distance *= 2) {
      const std::int32_t other = __shfl_up_sync(~0u, sum, distance);
      if (lane >= distance) sum += other;
    }
    if (here) sum += sums[from][item];
    fails = here && own < job.stage_count && sum < job.stages[own].min_sum;
    // The first failing stage of the team rejects the window.
    const unsigned team = (lanes == 32 ? ~0u : (1u << lanes) - 1) << (warp_lane - lane);
    const unsigned failures = __ballot_sync(~0u, fails) & team;
    if (fails && __ffs(static_cast<int>(failures)) - 1 == warp_lane) reject(own);
    const bool keeps = here && failures == 0 && lane == lanes - 1;
    const unsigned keeping = __ballot_sync(~0u, keeps);
    int first = 0;
    if (warp_lane == 0 && keeping != 0) first = atomicAdd(kept + round % 3, __popc(keeping));
    first = __shfl_sync(~0u, first, 0);
    if (keeps) {
      const int to = first + __popc(keeping & ((1u << warp_lane) - 1));
      alive[from ^ 1][to] = static_cast<std::uint16_t>(window);
      sums[from ^ 1][to] = sum;
    }
    if (thread == 0) kept[(round + 1) % 3] = 0;
    __syncthreads();
    count = kept[round % 3];
    from ^= 1;
    ++round;
    stage += lanes;
  }
  if (thread < count) {
    const std::int32_t sum = sums[from][thread];
    if (sum < job.min_sum) {
      reject(job.stage_count - 1);
    } else {
      const DeviceCount place = atomicAdd(counts + kFound, DeviceCount{1});
      if (place < static_cast<DeviceCount>(job.capacity))
        job.survivors[frame * job.capacity + static_cast<std::int64_t>(place)] = {
            level.first_window + tile.first + alive[from][thread],
            static_cast<double>(sum - job.zero) / kScoreUnit};
    }
  }
  __syncthreads();
  if (thread < kSharedCounts && rejected[thread] > 0)
    atomicAdd(counts + kReached + 1 + thread, static_cast<DeviceCount>(rejected[thread]));
}

}  // namespace

void enqueue_block_windows(const BlockJob& job, int frames, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>(job.pass.tiles), static_cast<unsigned>(frames));
  windows_kernel<<<tiles, kThreads, 0, stream>>>(job);
  check_launch("judging windows");
}

}  // namespace winnow
