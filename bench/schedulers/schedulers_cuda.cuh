// Gives four schedulers for the later stages of a batch of frames, as kernels over planes.
//
// In:     planes, and the verdicts and norms of the first stage (`plane_windows_cuda.cuh`).
// Out:    the number of stages that each window passed, and the survivors of each frame. This number is 0 for
//         a window that fails the first stage or is skipped. Survivors come in no particular order, at most
//         `capacity` of them.
// Exact:  all four make the same decisions, because they use Winnow's own functions (`window_cuda.cuh`).
//         Schedulers decide only which thread judges a window, and when.
// Memory: the caller owns the lists of `BatchJob` and the queues, in device memory.
#pragma once

#include "sieve/planes/plane_windows_cuda.cuh"
#include "sieve/planes/window_cuda.cuh"

namespace bench {

using namespace winnow;

constexpr int kThreads = 256;
// kShare: the windows that a persistent warp takes from the counter at once. kMostIdle: how many lanes of a
// warp may be idle.
constexpr std::uint32_t kShare = 128;
constexpr int kMostIdle = 8;

// Windows are numbered through all frames of the batch.
struct BatchJob {
  PlaneJob plane;                   // verdicts, norms and survivors are those of the whole batch
  const std::uint8_t* const* sums;  // planes, one per frame
  std::uint32_t windows, frame_windows;
  std::int32_t first_stage;  // 1; or 0 if the only stage must run again for the score
  std::int32_t lanes;        // `ScheduleOptions::lanes`
  std::uint32_t late;        // `ScheduleOptions::late`
  std::uint8_t* depths;
  unsigned* taken;  // number of windows that warps have taken
  unsigned* found;  // number of survivors, one per frame
};

struct alignas(16) LiveWindow {
  const std::uint8_t* at;
  float norm;
  std::uint32_t number;
};

// A step of repack: the stages [first, end) for the windows in one queue. Windows that pass go to another
// queue.
struct StageChunk {
  std::int32_t first, end;
  const LiveWindow* in;
  const unsigned* in_count;
  LiveWindow* out;
  unsigned* out_count;
};

inline __device__ unsigned lane_number() { return threadIdx.x % 32; }
// Number of lanes of `mask` before this lane.
inline __device__ unsigned rank_in(unsigned mask) { return __popc(mask & ((1u << lane_number()) - 1)); }

inline __device__ bool is_alive(const BatchJob& job, std::uint32_t number) {
  return number < job.windows && job.plane.verdicts[number] == Verdict::kAlive;
}

inline __device__ LiveWindow open_window(const BatchJob& job, std::uint32_t number) {
  const std::uint32_t frame = number / job.frame_windows;
  return {job.sums[frame] + corner_of(job.plane, number - frame * job.frame_windows), job.plane.norms[number],
          number};
}

inline __device__ void keep(const BatchJob& job, std::uint32_t number, double sum) {
  job.depths[number] = static_cast<std::uint8_t>(job.plane.stage_count);
  const std::uint32_t frame = number / job.frame_windows;
  const unsigned slot = atomicAdd(&job.found[frame], 1u);
  if (slot >= static_cast<unsigned>(job.plane.capacity)) return;
  job.plane.survivors[static_cast<std::int64_t>(frame) * job.plane.capacity + slot] = {
      number - frame * job.frame_windows, sum};
}

// Takes the next `count` windows for this warp, and returns the first one's number. Numbers may lie beyond
// the last window.
inline __device__ std::uint32_t take(const BatchJob& job, std::uint32_t count) {
  unsigned first = 0;
  if (lane_number() == 0) first = atomicAdd(job.taken, count);
  return __shfl_sync(~0u, first, 0);
}

// Runs a thread's window through the stages [first, end) and records the result. Returns true if it passes.
template <FeatureKind kKind>
__device__ bool thread_walk(const BatchJob& job, const LiveWindow& window, int first, int end) {
  double sum = 0;
  for (int s = first; s < end; ++s) {
    const TileStage& stage = job.plane.stages[s];
    sum = plain_stage_sum<kKind>(job.plane.model, stage, PlaneWindow{window.at, window.norm});
    if (stage_rejects(sum, stage.limit)) {
      job.depths[window.number] = static_cast<std::uint8_t>(s);
      return false;
    }
  }
  if (end == job.plane.stage_count) keep(job, window.number, sum);
  return true;
}

// Like `thread_walk`, but by a warp whose lanes all have the same window.
template <FeatureKind kKind>
__device__ bool warp_walk(const BatchJob& job, const LiveWindow& window, int first, int end) {
  double sum = 0;
  for (int s = first; s < end; ++s) {
    const TileStage& stage = job.plane.stages[s];
    sum = warp_stage_sum<kKind>(job.plane.model, stage, PlaneWindow{window.at, window.norm});
    if (stage_rejects(sum, stage.limit)) {
      if (lane_number() == 0) job.depths[window.number] = static_cast<std::uint8_t>(s);
      return false;
    }
  }
  if (end == job.plane.stage_count && lane_number() == 0) keep(job, window.number, sum);
  return true;
}

// The scheduler `static`: one thread takes a window through all stages.
template <FeatureKind kKind>
__global__ void __launch_bounds__(kThreads) static_kernel(const __grid_constant__ BatchJob job) {
  const std::uint32_t number = blockIdx.x * kThreads + threadIdx.x;
  if (!is_alive(job, number)) return;
  thread_walk<kKind>(job, open_window(job, number), job.first_stage, job.plane.stage_count);
}

// The scheduler `persistent`: as many threads as the device holds. Each lane goes tree by tree, with its own
// window, stage and tree. Once enough lanes are idle, the warp reads 32 further windows at a time, and gives
// living windows to idle lanes.
template <FeatureKind kKind>
__global__ void __launch_bounds__(kThreads) persistent_kernel(const __grid_constant__ BatchJob job) {
  __shared__ std::uint8_t living_lanes[kThreads / 32][32];
  std::uint8_t* lanes = living_lanes[threadIdx.x / 32];
  std::uint32_t next = 0, end = 0;  // the range of windows that the warp has taken but not read
  bool more = true, busy = false;
  LiveWindow window{};
  int stage = 0, tree = 0;
  double sum = 0;
  for (;;) {
    unsigned idle = __ballot_sync(~0u, !busy);
    while (more && __popc(idle) > kMostIdle) {
      if (next == end) {
        next = take(job, kShare);
        more = next < job.windows;
        if (!more) break;
        end = min(next + kShare, job.windows);
      }
      const std::uint32_t number = next + lane_number();
      const bool lives = number < end && is_alive(job, number);
      const unsigned living = __ballot_sync(~0u, lives), rank = rank_in(living), dealt = __popc(idle);
      __syncwarp();  // lanes may still read the list of the round before
      if (lives) lanes[rank] = static_cast<std::uint8_t>(lane_number());
      __syncwarp();
      const unsigned idle_rank = rank_in(idle);
      if (!busy && idle_rank < __popc(living)) {
        window = open_window(job, next + lanes[idle_rank]);
        busy = true;
        stage = job.first_stage;
        tree = 0;
        sum = 0;
      }
      // Continue from the first living window that no lane took.
      const unsigned left = __ballot_sync(~0u, lives && rank >= dealt);
      next = left != 0 ? next + __ffs(left) - 1 : min(next + 32, end);
      idle = __ballot_sync(~0u, !busy);
    }
    if (idle == ~0u) return;
    if (busy) {
      const TileStage& rules = job.plane.stages[stage];
      sum += tree_leaf<kKind>(job.plane.model, rules.first_tree + tree, PlaneWindow{window.at, window.norm});
      if (++tree == rules.tree_count) {
        if (stage_rejects(sum, rules.limit)) {
          job.depths[window.number] = static_cast<std::uint8_t>(stage);
          busy = false;
        } else if (++stage == job.plane.stage_count) {
          keep(job, window.number, sum);
          busy = false;
        }
        tree = 0;
        sum = 0;
      }
    }
  }
}

// The scheduler `queue`, from the paper: as many warps as the device holds. Each warp fetches 32 windows, one
// per lane. Once few of these windows live, the warp works on one window after the other, with one tree per
// lane.
template <FeatureKind kKind>
__global__ void __launch_bounds__(kThreads) queue_kernel(const __grid_constant__ BatchJob job) {
  for (;;) {
    const std::uint32_t first = take(job, 32);
    if (first >= job.windows) return;
    const std::uint32_t number = first + lane_number();
    bool lives = is_alive(job, number);
    LiveWindow window{};
    if (lives) window = open_window(job, number);
    int stage = job.first_stage;
    unsigned living = __ballot_sync(~0u, lives);
    for (; stage < job.plane.stage_count && __popc(living) > job.lanes; ++stage) {
      if (lives) lives = thread_walk<kKind>(job, window, stage, stage + 1);
      living = __ballot_sync(~0u, lives);
    }
    if (stage == job.plane.stage_count) continue;
    for (; living != 0; living &= living - 1) {
      const int lane = __ffs(living) - 1;
      const auto at = __shfl_sync(~0u, reinterpret_cast<unsigned long long>(window.at), lane);
      const LiveWindow one{reinterpret_cast<const std::uint8_t*>(at), __shfl_sync(~0u, window.norm, lane),
                           first + lane};
      warp_walk<kKind>(job, one, stage, job.plane.stage_count);
    }
  }
}

// Appends the windows of living lanes to a queue, those of a warp one after the other. All lanes of a warp
// must call this function.
inline __device__ void push(LiveWindow* queue, unsigned* count, bool lives, const LiveWindow& window) {
  const unsigned living = __ballot_sync(~0u, lives);
  if (living == 0) return;
  unsigned first = 0;
  if (lane_number() == 0) first = atomicAdd(count, __popc(living));
  first = __shfl_sync(~0u, first, 0);
  if (lives) queue[first + rank_in(living)] = window;
}

// The first step of `repack`: puts living windows into the first queue.
static __global__ void __launch_bounds__(kThreads)
    enter_kernel(const __grid_constant__ BatchJob job, LiveWindow* queue, unsigned* count) {
  const std::uint32_t number = blockIdx.x * kThreads + threadIdx.x;
  const bool lives = is_alive(job, number);
  push(queue, count, lives, lives ? open_window(job, number) : LiveWindow{});
}

// A step of repack: a chunk of stages by as many threads as the device holds. Each window gets a thread, or a
// warp if there are few windows. The kernel reads the number of windows from device memory.
template <FeatureKind kKind>
__global__ void __launch_bounds__(kThreads)
    repack_kernel(const __grid_constant__ BatchJob job, const __grid_constant__ StageChunk chunk) {
  const unsigned count = *chunk.in_count, warps = gridDim.x * (kThreads / 32),
                 warp = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  const bool last = chunk.end == job.plane.stage_count;
  if (count <= job.late * warps) {
    for (unsigned i = warp; i < count; i += warps) {
      const LiveWindow window = chunk.in[i];
      const bool lives = warp_walk<kKind>(job, window, chunk.first, chunk.end);
      if (!last) push(chunk.out, chunk.out_count, lives && lane_number() == 0, window);
    }
    return;
  }
  for (unsigned first = warp * 32; first < count; first += warps * 32) {
    const bool there = first + lane_number() < count;
    LiveWindow window{};
    if (there) window = chunk.in[first + lane_number()];
    const bool lives = there && thread_walk<kKind>(job, window, chunk.first, chunk.end);
    if (!last) push(chunk.out, chunk.out_count, lives, window);
  }
}

}  // namespace bench
