// Judges tiles of windows by cascades that are not fixed-point: the kernel and its sieve. The opening comment
// of sieve/device_sieve_cuda.h, which declares this sieve, holds here.
#include <algorithm>
#include <span>
#include <vector>

#include "sieve/device_sieve_cuda.h"
#include "sieve/tiles/tile_job_cuda.cuh"
#include "sieve/tiles/tile_judge_cuda.cuh"
#include "sieve/tiles/tile_planes_cuda.cuh"
#include "sieve/tiles/tile_program.h"
#include "sieve/tiles/tile_skip_cuda.cuh"
#include "sieve/tiles/tile_slices_cuda.cuh"
#include "sieve/tiles/tile_stacks_cuda.cuh"
#include "sieve/tiles/tiled_sieve_cuda.cuh"

namespace winnow {
namespace {

// When at most this many windows of a tile live, warps judge them one at a time. LBP's stages have few
// features, so the number is lower.
constexpr int late_windows(FeatureKind kind) { return kind == FeatureKind::kLbp ? 32 : 64; }
// The bytes of shared memory that the kernel itself declares.
constexpr int kDeclaredBytes = 2048;

// A thread's words of the subsets that its block keeps. The words are read before planes are made, and stored
// afterwards in memory that held the sums of bands.
struct SubsetWords {
  std::uint32_t words[kSubsetWordsEach];

  static __device__ int place(int k) { return k * kTileThreads + static_cast<int>(threadIdx.x); }
  __device__ void read(const TileJob& job) {
    for (int k = 0; k < kSubsetWordsEach; ++k)
      words[k] = place(k) < job.own_subset_count * kSubsetWords ? job.own_subsets[place(k)] : 0;
  }
  __device__ void keep(const TileJob& job, const Block& block) const {
    auto* own = reinterpret_cast<std::uint32_t*>(memory + block.subsets());
    for (int k = 0; k < kSubsetWordsEach; ++k) {
      if (place(k) < job.own_subset_count * kSubsetWords) own[place(k)] = words[k];
    }
    __syncthreads();
  }
};

template <FeatureKind kKind, bool kTrees>
__device__ void late_window(const TileJob& job, const Block& block, const TileTask& task, std::uint32_t entry,
                            int stage) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::uint32_t at = block.entry_plane<kKind>(entry);
  const float norm = block.norm<kKind>(entry);
  double sum = 0;
  for (int s = stage; s < job.stage_count; ++s) {
    if (s > stage && lane == 0) atomicAdd(&task.counts[kReached + s], DeviceCount{1});
    const TileStage rules = stage_of(job, s);
    if (rules.spread && s + 1 < job.stage_count) {
      const int fixed = kTrees && rules.trees ? warp_tree_sum(job, block, rules, at, norm)
                                              : warp_fixed_sum<kKind>(job, block, rules, at, norm);
      if (fixed < rules.reject_below) return;
      if (fixed >= rules.accept_from) continue;
    }
    sum = warp_stage_sum<kKind>(job.model[block.layout], rules, TileWindow{at, norm});
    if (stage_rejects(sum, rules.limit)) return;
  }
  if (lane != 0) return;
  atomicAdd(&task.counts[kReached + job.stage_count], DeviceCount{1});
  keep_window(job, task, block.entry_window<kKind>(entry), sum);
}

// Judges the windows of a list in a stage. A thread judges two windows, or one at the list's end. Windows
// that pass go to the block's other list.
template <FeatureKind kKind, bool kTrees>
__device__ void judge_list(const TileJob& job, const Block& block, int stage, int list, std::uint32_t height,
                           const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (std::uint32_t first = 2 * warp; first < height; first += 2 * kWarps) {
    std::uint32_t entries[2];
    float norm[2];
    bool lives[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      lives[k] = first + k < in[lane];
      entries[k] = lives[k] ? block.listed(list, (first + k) * 32 + lane) : lane;
      norm[k] = block.norm<kKind>(entries[k]);
    }
    const bool both = first + 1 < height;
    if (both) {
      bool rejected[2];
      judge<kKind, kTrees, 2>(job, block, stage, entries, norm, rejected);
      lives[0] = lives[0] && !rejected[0];
      lives[1] = lives[1] && !rejected[1];
    } else {
      const std::uint32_t one[1] = {entries[0]};
      const float of_one[1] = {norm[0]};
      bool rejected[1];
      judge<kKind, kTrees, 1>(job, block, stage, one, of_one, rejected);
      lives[0] = lives[0] && !rejected[0];
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      if (lives[k]) push(block, list ^ 1, out, entries[k], block.entry_word<kKind>(entries[k]));
    }
  }
}

// `kWords`: words of four pixels that each lane of half a warp needs for a row of the tile. `kShareStages`:
// for launches of few tiles, where a frame takes as long as its slowest tile. Several warps may then share
// the items of a stage (`judge_by_slices`). `kFlat`: for cascades that may have flat windows. `kTrees`: for
// Haar cascades with trees of more than one node.
template <FeatureKind kKind, int kWords, bool kShareStages, bool kFlat = kKind == FeatureKind::kHaar,
          bool kTrees = false>
__global__ void __launch_bounds__(kTileThreads, kTileBlocks)
    tile_kernel(const __grid_constant__ TileJob job) {
  constexpr int kLateWindows = late_windows(kKind);
  __shared__ Verdicts verdicts[kMostTileRows];
  __shared__ std::uint32_t heights[3][32];
  __shared__ std::uint32_t late_count, late_next;
  __shared__ unsigned ticket;
  static_assert(sizeof(verdicts) + sizeof(heights) + 12 <= kDeclaredBytes);

  const std::uint32_t thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  if (thread == 0) {
    ticket = static_cast<unsigned>(atomicAdd(job.ticket, DeviceCount{1}));
    late_count = 0;
    late_next = kWarps;
  }
  if (thread < 3 * 32) heights[thread / 32][thread % 32] = 0;
  if (thread < kMostTileRows) verdicts[thread] = {};
  __syncthreads();
  const TileTask task(job, ticket);
  const TileLevel& level = task.level;
  const TilePlace& place = task.place;
  DeviceCount* counts = task.counts;
  const Block block(job, task);

  // Makes the planes, and each window's sum of squares. A warp takes half a row of windows at a time.
  const std::uint32_t halves = block.halves();
  std::uint32_t squares[kOwnHalves];
  SubsetWords subsets;
  if constexpr (kKind == FeatureKind::kLbp) subsets.read(job);
  make_planes<kWords, kFlat>(job, tile_pixels(job, block, task), block, squares);
  if constexpr (kKind == FeatureKind::kLbp) subsets.keep(job, block);

  // Computes the norm of every window, and judges the first stage.
  for (std::uint32_t i = 0; own_half(i) < halves; i += 2) {
    std::uint32_t half[2], entries[2];
    float norm[2];
    bool in_tile[2], flat[2], there[2], rejected[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      in_tile[k] = own_half(i + k) < halves;
      half[k] = block.half(in_tile[k] ? own_half(i + k) : own_half(i));
      const std::uint32_t window = half[k] * 32 + lane;
      entries[k] = block.entry<kKind>(window);
      const auto col = static_cast<int>(place.x * kTileCols + half[k] % 2 * 32 + lane);
      there[k] = in_tile[k] && col < level.cols;
      flat[k] = false;
      norm[k] = 1.f;
      if (kFlat && job.flat_windows) {
        const WindowNorm of = tile_norm(job, inner_sum(job, block, window), squares[(i + k) % kOwnHalves]);
        flat[k] = of.flat;
        norm[k] = of.factor;
      }
      if (in_tile[k]) block.keep_norm<kKind>(window, norm[k]);
    }
    rejected[0] = rejected[1] = true;
    // Flat windows lie side by side, so a warp often has only flat windows.
    if (!kFlat || __any_sync(~0u, (there[0] && !flat[0]) || (there[1] && !flat[1])))
      judge<kKind, kTrees, 2>(job, block, 0, entries, norm, rejected);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t here = __ballot_sync(~0u, there[k]),
                          flats = __ballot_sync(~0u, there[k] && flat[k]),
                          rejects = __ballot_sync(~0u, there[k] && !flat[k] && rejected[k]);
      if (lane == 0 && in_tile[k]) {
        Verdicts& row = verdicts[half[k] / 2];
        row.there[half[k] % 2] = here;
        row.flat[half[k] % 2] = flats;
        row.rejected[half[k] % 2] = rejects;
      }
    }
  }
  __syncthreads();

  settle_first_stage(job, block, task, verdicts);
  __syncthreads();
  for_each_living(block, verdicts, [&](std::uint32_t window) {
    const std::uint32_t entry = block.entry<kKind>(window);
    push(block, 0, heights[0], entry, block.entry_word<kKind>(entry));
  });

  // Judges the later stages, except the last. The last stage must give an exact score, even if the cascade
  // has only one stage.
  int stage = 1, list = 0;
  Stacks stacks = measure(heights[0]);
  if (thread == 0 && stacks.total > 0 && job.stage_count > 1)
    atomicAdd(&counts[kReached + 1], static_cast<DeviceCount>(stacks.total));
  int current = 0;  // the row of `heights` for the current list
  while (stage < job.stage_count - 1 && stacks.total > kLateWindows) {
    std::uint32_t* out = heights[(current + 1) % 3];
    if (kShareStages && shared_by_warps(block, stage_of(job, stage), stacks.height)) {
      judge_by_slices<kKind>(job, block, stage_of(job, stage), list, stacks.height, heights[current], out);
    } else {
      judge_list<kKind, kTrees>(job, block, stage, list, stacks.height, heights[current], out);
    }
    if (thread < 32) heights[(current + 2) % 3][thread] = 0;
    __syncthreads();
    list ^= 1;
    current = (current + 1) % 3;
    stacks = measure(out);
    ++stage;
    if (thread == 0 && stacks.total > 0)
      atomicAdd(&counts[kReached + stage], static_cast<DeviceCount>(stacks.total));
  }
  if (stacks.total == 0) return;

  // Warps judge the remaining windows, one window per warp. In a cascade of one stage, windows enter that
  // stage again.
  const int from = job.stage_count > 1 ? stage : 0;
  list_side_by_side(block, list, stacks, heights[current], &late_count);
  for (std::uint32_t i = warp; i < stacks.total; i = fetch_next(&late_next))
    late_window<kKind, kTrees>(job, block, task, block.listed(list ^ 1, i), from);
}

template <bool kShareStages>
const void* choose_kernel(const DeviceProgram& program) {
  const bool wide = has_wide_rows(program);
  if (!program.path_words.empty()) {
    return reinterpret_cast<const void*>(wide ? tile_kernel<FeatureKind::kHaar, 6, kShareStages, true, true>
                                              : tile_kernel<FeatureKind::kHaar, 3, kShareStages, true, true>);
  }
  if (program.kind == FeatureKind::kHaar) {
    return reinterpret_cast<const void*>(wide ? tile_kernel<FeatureKind::kHaar, 6, kShareStages>
                                              : tile_kernel<FeatureKind::kHaar, 3, kShareStages>);
  }
  // OpenCV's LBP cascades have no flat windows. For other LBP cascades one kernel is enough, for wide and for
  // narrow rows of pixels.
  if (program.flat_windows)
    return reinterpret_cast<const void*>(tile_kernel<FeatureKind::kLbp, 6, kShareStages, true>);
  return reinterpret_cast<const void*>(wide ? tile_kernel<FeatureKind::kLbp, 6, kShareStages>
                                            : tile_kernel<FeatureKind::kLbp, 3, kShareStages>);
}

// A block judges a tile of at most 64 x 64 windows. The block integrates the tile's pixels in shared memory,
// so no plane goes to device memory. After every stage, the block packs the living windows again. The block's
// warps judge the last few windows one by one.
class TileSieve final : public TiledSieve {
 public:
  TileSieve(const CascadeModel& model, DeviceProgram program)
      : TiledSieve(model, program, choose_kernel<false>(program), choose_kernel<true>(program)),
        program_(std::move(program)) {
    upload(std::span<const TileStage>(program_.stages), stages_);
    upload(std::span<const TileRun>(program_.runs), runs_);
    upload(std::span<const std::uint32_t>(program_.own_subsets), own_subsets_);
    upload(std::span<const std::uint32_t>(program_.path_words), path_words_);
    for (int layout = 0; layout < kTileLayouts; ++layout)
      upload(std::span<const TileItem>(program_.items[layout]), items_[layout]);
  }

  void enqueue_wave(const PyramidView& pyramid, int batch, cudaStream_t stream, int wave) const override {
    TileJob job{};
    if (!begin(pyramid, batch, wave, job)) return;
    std::copy_n(program_.stages.begin(), std::min<std::size_t>(program_.stages.size(), kLaunchStages),
                job.first_stages);
    std::copy_n(program_.runs.begin(), std::min<std::size_t>(program_.runs.size(), kLaunchRuns),
                job.first_runs);
    for (int layout = 0; layout < kTileLayouts; ++layout) {
      const auto& items = program_.items[layout];
      std::copy_n(items.begin(), std::min<std::size_t>(items.size(), kLaunchItems), job.first_items[layout]);
      job.items[layout] = items_[layout].data();
    }
    std::copy_n(program_.path_words.begin(), std::min<std::size_t>(program_.path_words.size(), kLaunchItems),
                job.first_path_words);
    job.path_words = path_words_.data();
    job.own_subsets = own_subsets_.data();
    job.own_subset_count = static_cast<std::int32_t>(program_.own_subsets.size() / kSubsetWords);
    job.stages = stages_.data();
    job.runs = runs_.data();
    launch(&job, batch, stream, wave);
  }

 private:
  DeviceProgram program_;
  DeviceBuffer<TileStage> stages_;
  DeviceBuffer<TileRun> runs_;
  DeviceBuffer<std::uint32_t> own_subsets_, path_words_;
  DeviceBuffer<TileItem> items_[kTileLayouts];
};

}  // namespace

std::unique_ptr<DeviceSieve> make_tile_sieve(const Cascade& cascade) {
  if (cascade.model().fixed_point()) return make_fixed_tile_sieve(cascade);
  DeviceProgram program;
  const auto make = [&](int bytes, DeviceProgram& next) {
    return make_device_program(cascade.model(), bytes, next);
  };
  if (!fit_program(tile_room(kDeclaredBytes), make, program)) return nullptr;
  return std::make_unique<TileSieve>(cascade.model(), std::move(program));
}

std::unique_ptr<DeviceSieve> make_device_sieve(const Cascade& cascade) {
  auto tiles = make_tile_sieve(cascade);
  return tiles != nullptr ? std::move(tiles) : make_plane_sieve(cascade);
}

}  // namespace winnow
