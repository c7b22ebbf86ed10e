// Judges tiles of windows by fixed-point cascades: the kernel and its sieve. The sieve is a `DeviceSieve`:
// the opening comment of sieve/device_sieve_cuda.h holds here.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "sieve/tiles/fixed_deferred_cuda.cuh"
#include "sieve/tiles/fixed_job_cuda.cuh"
#include "sieve/tiles/fixed_judge_cuda.cuh"
#include "sieve/tiles/fixed_tile_program.h"
#include "sieve/tiles/tile_planes_cuda.cuh"
#include "sieve/tiles/tile_skip_cuda.cuh"
#include "sieve/tiles/tile_stacks_cuda.cuh"
#include "sieve/tiles/tiled_sieve_cuda.cuh"

namespace winnow {
namespace {

// When at most this many windows of a tile live, warps judge them one at a time.
constexpr int kLateWindows = 48;
// The bytes of shared memory that the kernel itself declares.
constexpr int kDeclaredBytes = 4608;

// Windows per frame that tiles may defer, and blocks per processor that judge deferred windows.
constexpr int kDeferredRoom = 512, kDeferredBlocks = 4;

// Judges all windows in the first chunk of stages. If windows are skipped after rejects, that chunk is the
// first stage alone, and its verdicts go to `verdicts`. Otherwise living windows go to list 0.
template <class Rules>
__device__ void judge_all(const FixedJob& job, const Block& block, const TileTask& task,
                          const std::uint32_t (&squares)[kOwnHalves], Verdicts* verdicts,
                          std::uint32_t* heights, OwnRejects& own) {
  const std::uint32_t lane = threadIdx.x % 32, halves = block.halves();
  int flats = 0, entered = 0;
  for (std::uint32_t i = 0; own_half(i) < halves; i += 2) {
    std::uint32_t half[2], windows[2];
    bool in_tile[2], flat[2], there[2], enters[2];
    FixedLanes<2> lanes;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      in_tile[k] = own_half(i + k) < halves;
      half[k] = block.half(in_tile[k] ? own_half(i + k) : own_half(i));
      windows[k] = half[k] * 32 + lane;
      const auto col = static_cast<int>(task.place.x * kTileCols + half[k] % 2 * 32 + lane);
      there[k] = in_tile[k] && col < task.level.cols;
      WindowNorm norm{false, 1.f};
      if (job.flat_windows)
        norm = tile_norm(job, inner_sum(job, block, windows[k]), squares[(i + k) % kOwnHalves]);
      flat[k] = norm.flat;
      enters[k] = there[k] && !flat[k];
      lanes.start(k, block.plane_of(windows[k]), norm.factor, 0, enters[k] ? 0 : kNoItem);
    }
    if (__any_sync(~0u, enters[0] || enters[1])) {
      if (job.chunks[0].end <= (Rules::kTables ? kOwnTables : kLaunchFixedItems)) {
        judge_chunk<Rules, Items::kOwn>(job, block, own, job.chunks[0], lanes);
      } else {
        judge_chunk<Rules, Items::kDevice>(job, block, own, job.chunks[0], lanes);
      }
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const bool lives = lanes.next[k] == job.chunks[0].end;
      if (lives) {
        const std::uint32_t slot = block.slot_of(windows[k]);
        block.keep_norm<Rules::kKind>(slot, lanes.norm[k]);
        if constexpr (Rules::kRunning) block.sum(slot) = lanes.sum[k];
      }
      if (job.skips) {
        const std::uint32_t here = __ballot_sync(~0u, there[k]),
                            flat_here = __ballot_sync(~0u, there[k] && flat[k]),
                            rejects = __ballot_sync(~0u, enters[k] && !lives);
        if (lane == 0 && in_tile[k]) {
          Verdicts& row = verdicts[half[k] / 2];
          row.there[half[k] % 2] = here;
          row.flat[half[k] % 2] = flat_here;
          row.rejected[half[k] % 2] = rejects;
        }
      } else {
        flats += there[k] && flat[k] ? 1 : 0;
        entered += enters[k] ? 1 : 0;
        if (lives) {
          push(block, 0, heights, windows[k], block.word_of(windows[k]));
        } else if (enters[k]) {
          count_rejected(job, task, own, lanes.next[k]);
        }
      }
    }
  }
  if (job.skips) return;
  flats = warp_sum(flats);
  entered = warp_sum(entered);
  if (lane != 0) return;
  if (flats > 0) atomicAdd(&task.counts[kFlat], static_cast<DeviceCount>(flats));
  if (entered > 0) atomicAdd(&task.counts[kReached], static_cast<DeviceCount>(entered));
}

// Judges the windows of a list in a chunk of stages, kEach per thread. Windows that pass go to the block's
// other list.
template <class Rules, int kEach>
__device__ void judge_list(const FixedJob& job, const Block& block, const TileTask& task, FixedChunk range,
                           int list, std::uint32_t height, const std::uint32_t* heights, std::uint32_t* out,
                           OwnRejects& own) {
  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (std::uint32_t first = kEach * warp; first < height; first += kEach * kWarps) {
    std::uint32_t windows[kEach];
    bool there[kEach];
    FixedLanes<kEach> lanes;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      there[k] = first + k < heights[lane];
      windows[k] = there[k] ? block.listed(list, (first + k) * 32 + lane) : lane;
      const std::uint32_t slot = block.slot_of(windows[k]);
      // A lane without a window reads another window's norm, which does not change. Such a lane must not read
      // that window's sum, because another thread may change the sum.
      lanes.start(k, block.plane_of(windows[k]), block.norm<Rules::kKind>(slot),
                  Rules::kRunning && there[k] ? block.sum(slot) : 0, there[k] ? range.first : kNoItem);
    }
    if (!Rules::kTables || range.end <= kOwnTables) {
      judge_chunk<Rules, Items::kOwn>(job, block, own, range, lanes);
    } else {
      judge_chunk<Rules, Items::kLaunched>(job, block, own, range, lanes);
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      if (lanes.next[k] == range.end) {
        if constexpr (Rules::kRunning) block.sum(block.slot_of(windows[k])) = lanes.sum[k];
        push(block, list ^ 1, out, windows[k], block.word_of(windows[k]));
      } else if (there[k]) {
        count_rejected(job, task, own, lanes.next[k]);
      }
    }
  }
}

// `kWords`: words of four pixels that each lane of half a warp needs for a row of the tile.
template <class Rules, int kWords>
__global__ void __launch_bounds__(kTileThreads, kTileBlocks)
    fixed_tile_kernel(const __grid_constant__ FixedJob job) {
  __shared__ Verdicts verdicts[kMostTileRows];
  __shared__ std::uint32_t heights[3][32];
  __shared__ OwnRejects own;
  __shared__ unsigned late_count, late_next;
  __shared__ unsigned ticket;
  static_assert(sizeof(verdicts) + sizeof(heights) + sizeof(own) + 12 <= kDeclaredBytes);

  const std::uint32_t thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  if (thread == 0) {
    ticket = static_cast<unsigned>(atomicAdd(job.ticket, DeviceCount{1}));
    late_count = 0;
    late_next = kWarps;
  }
  if (thread < 3 * 32) heights[thread / 32][thread % 32] = 0;
  if (thread < kMostTileRows) verdicts[thread] = {};
  for (std::uint32_t i = thread; i < kOwnStages; i += kTileThreads) own.rejected[i] = 0;
  if constexpr (Rules::kTables) {
    const auto leaves = static_cast<std::uint32_t>(min(job.item_count, kOwnTables) * kTableBins);
    for (std::uint32_t i = thread; i < leaves; i += kTileThreads) own.leaves[0][i] = job.leaves[i];
  }
  __syncthreads();
  const TileTask task(job, ticket);
  const Block block(job, task);
  std::uint32_t squares[kOwnHalves];
  make_planes<kWords>(job, tile_pixels(job, block, task), block, squares);

  judge_all<Rules>(job, block, task, squares, verdicts, heights[0], own);
  __syncthreads();
  if (job.skips) {
    const int rejected = warp_sum(settle_first_stage(job, block, task, verdicts));
    if (lane == 0 && rejected > 0) atomicAdd(&own.rejected[0], static_cast<unsigned>(rejected));
    __syncthreads();
    for_each_living(block, verdicts,
                    [&](std::uint32_t window) { push(block, 0, heights[0], window, block.word_of(window)); });
  }

  // The loop judges chunks while many windows live, but not the chunk that ends the cascade. Warps judge all
  // later items, and the last sum is the score.
  int next = 1, list = 0, current = 0;  // `current`: the row of `heights` for the current list
  Stacks stacks = measure(heights[0]);
  while (next < job.chunk_count && job.chunks[next].end < job.item_count && stacks.total > kLateWindows) {
    std::uint32_t *in = heights[current], *out = heights[(current + 1) % 3];
    if (stacks.height > kWarps) {
      judge_list<Rules, 2>(job, block, task, job.chunks[next], list, stacks.height, in, out, own);
    } else {
      judge_list<Rules, 1>(job, block, task, job.chunks[next], list, stacks.height, in, out, own);
    }
    if (thread < 32) heights[(current + 2) % 3][thread] = 0;
    __syncthreads();
    list ^= 1;
    current = (current + 1) % 3;
    stacks = measure(out);
    ++next;
  }
  for (std::uint32_t i = thread; i < kOwnStages; i += kTileThreads) {
    if (own.rejected[i] > 0)
      atomicAdd(&task.counts[kReached + 1 + i], static_cast<DeviceCount>(own.rejected[i]));
  }
  if (stacks.total == 0) return;

  list_side_by_side(block, list, stacks, heights[current], &late_count);
  // If there is only one chunk, windows that passed the chunk enter it again for the score.
  const int from = next == 1 && job.chunks[0].end == job.item_count ? 0 : job.chunks[next - 1].end;
  for (std::uint32_t i = warp; i < stacks.total; i = fetch_next(&late_next)) {
    const std::uint32_t window = block.listed(list ^ 1, i);
    const int sum = Rules::kRunning && from > 0 ? block.sum(block.slot_of(window)) : 0;
    judge_late<Rules>(job, block, task, from, window, sum);
  }
}

template <FeatureKind kKind, bool kTables, bool kRunning, bool kGrids = false>
const void* kernel_of(const FixedProgram& program) {
  using Rules = FixedRules<kKind, kTables, kRunning, kGrids>;
  return reinterpret_cast<const void*>(has_wide_rows(program) ? fixed_tile_kernel<Rules, 6>
                                                              : fixed_tile_kernel<Rules, 3>);
}
// The kernel that judges deferred windows; null if tiles judge all windows to the end.
const void* choose_deferred_kernel(const FixedProgram& program) {
  if (!program.running || program.tilted || program.places.size() <= kTileItems) return nullptr;
  if (program.kind == FeatureKind::kLbp)
    return reinterpret_cast<const void*>(deferred_kernel<FixedRules<FeatureKind::kLbp, false, true>>);
  if (!program.tables)
    return reinterpret_cast<const void*>(deferred_kernel<FixedRules<FeatureKind::kHaar, false, true>>);
  return program.mixed
             ? reinterpret_cast<const void*>(
                   deferred_kernel<FixedRules<FeatureKind::kHaar, true, true, true>>)
             : reinterpret_cast<const void*>(deferred_kernel<FixedRules<FeatureKind::kHaar, true, true>>);
}
const void* choose_kernel(const FixedProgram& program) {
  if (program.kind == FeatureKind::kLbp) return kernel_of<FeatureKind::kLbp, false, true>(program);
  if (!program.tables) return kernel_of<FeatureKind::kHaar, false, true>(program);
  if (program.mixed) return kernel_of<FeatureKind::kHaar, true, true, true>(program);
  return program.running ? kernel_of<FeatureKind::kHaar, true, true>(program)
                         : kernel_of<FeatureKind::kHaar, true, false>(program);
}

// Differs from `TileSieve` in two respects. Living windows are packed again after a chunk of stages, not
// after each stage. A warp that judges one window judges 32 weak classifiers at once, even of several stages.
class FixedTileSieve final : public TiledSieve {
 public:
  FixedTileSieve(const CascadeModel& model, FixedProgram program)
      : TiledSieve(model, program, choose_kernel(program), choose_kernel(program)),
        program_(std::move(program)) {
    for (int layout = 0; layout < kTileLayouts; ++layout)
      upload(std::span<const FixedItem>(program_.items[layout]), items_[layout]);
    upload(std::span<const FixedPlace>(program_.places), places_);
    upload(std::span<const std::int16_t>(program_.leaves), leaves_);
    deferred_kernel_ = choose_deferred_kernel(program_);
    if (deferred_kernel_ == nullptr) return;
    const int stride = std::max(program_.shape[0].stride, program_.shape[1].stride);
    deferred_bytes_ = 4 * stride * (program_.window.height + 1);
    allow_block_memory(deferred_kernel_);
  }

  void plan(const LevelPlan& plan, int batch, int capacity, std::span<const Wave> waves) override {
    TiledSieve::plan(plan, batch, capacity, waves);
    deferred_room_ = deferred_kernel_ != nullptr && few_tiles() ? batch * kDeferredRoom : 0;
    deferred_.reserve(static_cast<std::size_t>(deferred_room_));
  }

  void enqueue_wave(const PyramidView& pyramid, int batch, cudaStream_t stream, int wave) const override {
    FixedJob job{};
    if (!begin(pyramid, batch, wave, job)) return;
    for (int layout = 0; layout < kTileLayouts; ++layout) {
      const auto& items = program_.items[layout];
      std::copy_n(items.begin(), std::min<std::size_t>(items.size(), kLaunchFixedItems),
                  job.first_items[layout]);
      job.items[layout] = items_[layout].data();
    }
    job.deferred = deferred_.data();
    job.deferred_room = deferred_room_;
    job.chunk_count =
        static_cast<std::int32_t>(std::min<std::size_t>(program_.chunks.size(), kMostFixedChunks));
    std::copy_n(program_.chunks.begin(), job.chunk_count, job.chunks);
    job.item_count = static_cast<std::int32_t>(program_.places.size());
    job.one_a_stage = job.item_count == stage_count();
    job.item_places = places_.data();
    job.leaves = leaves_.data();
    launch(&job, batch, stream, wave);
    if (deferred_room_ == 0) return;
    void* arguments[] = {static_cast<FixedGrid*>(&job)};
    const auto blocks =
        static_cast<unsigned>(std::min(deferred_room_, kDeferredBlocks * current_processors()));
    check_cuda(cudaLaunchKernel(deferred_kernel_, dim3(blocks), dim3(kDeferredThreads), arguments,
                                static_cast<std::size_t>(deferred_bytes_), stream),
               "launching the given windows' kernel");
  }

 private:
  FixedProgram program_;
  DeviceBuffer<FixedItem> items_[kTileLayouts];
  DeviceBuffer<FixedPlace> places_;
  DeviceBuffer<std::int16_t> leaves_;
  const void* deferred_kernel_ = nullptr;
  int deferred_bytes_ = 0;  // shared memory of a block that judges deferred windows
  int deferred_room_ = 0;   // the capacity for deferred windows; 0: tiles judge all windows
  DeviceBuffer<DeferredWindow> deferred_;
};

}  // namespace

std::unique_ptr<DeviceSieve> make_fixed_tile_sieve(const Cascade& cascade) {
  FixedProgram program;
  const auto make = [&](int bytes, FixedProgram& next) {
    return make_fixed_tile_program(cascade.model(), {bytes, kLaunchFixedItems}, next);
  };
  if (!fit_program(tile_room(kDeclaredBytes), make, program)) return nullptr;
  return std::make_unique<FixedTileSieve>(cascade.model(), std::move(program));
}

}  // namespace winnow
