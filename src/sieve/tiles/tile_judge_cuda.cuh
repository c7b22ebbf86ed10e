// Judges windows of a tile in one stage: N windows per thread, or one window per warp.
//
// In:     the corners of windows in the tile's planes, their norms, and a stage of a `TileJob`.
// Out:    for each window, whether the stage rejects it; or a window's integer sum.
// Exact:  sums are integers in units that leave only windows near the limit undecided (`feature_runs.h`).
//         Undecided windows are judged again as the reference does.
// Memory: reads shared memory, the launch's parameters and the sieve's device memory. Nothing is written.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/device/warp_cuda.cuh"
#include "sieve/planes/window_cuda.cuh"
#include "sieve/stages_rule.h"
#include "sieve/tiles/flat_trees.h"
#include "sieve/tiles/tile_corners_cuda.cuh"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

// Loads threshold and delta in one 64-bit load. With two loads, nvcc reloads delta per window, and only after
// a vote on whether any window needs it.
struct StumpRule {
  float threshold;
  std::int32_t delta;
};
inline __device__ StumpRule rule_of(const TileItem& item) {
  static_assert(offsetof(TileItem, delta) == offsetof(TileItem, threshold) + 4);
  return std::bit_cast<StumpRule>(*reinterpret_cast<const std::uint64_t*>(&item.threshold));
}

// Adds a stump for N windows. `value(item, at)`: a feature's value at a window's corner. `haar_goes_left` is
// written in assembly. The compiler would select between two numbers and then add, which takes one
// instruction more.
template <int N, class Value>
__device__ void add_values(const TileItem& item, const std::uint32_t (&at)[N], const float (&norm)[N],
                           int (&sum)[N], Value value) {
  const StumpRule rule = rule_of(item);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const float product = __int2float_rn(value(item, at[i])) * norm[i];
    asm("{ .reg .pred left; setp.lt.f32 left, %1, %2; @left add.s32 %0, %0, %3; }"
        : "+r"(sum[i])
        : "f"(product), "f"(rule.threshold), "r"(rule.delta));
  }
}

// Adds a node of a tree for N windows. `path`: the windows' bits for the node's set of trees.
template <bool kInner, int N, class Value>
__device__ void add_node_values(const TileItem& item, std::uint32_t path_word, const std::uint32_t (&at)[N],
                                const float (&norm)[N], int (&sum)[N], std::uint32_t (&path)[N],
                                Value value) {
  const StumpRule rule = rule_of(item);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const float product = __int2float_rn(value(item, at[i])) * norm[i];
    if constexpr (kInner) {
      asm("{ .reg .pred here, left; .reg .b32 bit; and.b32 bit, %1, %5; setp.ne.u32 here, bit, 0;"
          "  setp.lt.and.f32 left, %2, %3, here; @left add.s32 %0, %0, %4; @left xor.b32 %1, %1, %6; }"
          : "+&r"(sum[i]), "+&r"(path[i])
          : "f"(product), "f"(rule.threshold), "r"(rule.delta), "r"(own_bit(path_word)),
            "r"(flipped_bits(path_word)));
    } else {
      asm("{ .reg .pred left; setp.lt.f32 left, %2, %3; @left add.s32 %0, %0, %4; @left xor.b32 %1, %1, %5; }"
          : "+&r"(sum[i]), "+&r"(path[i])
          : "f"(product), "f"(rule.threshold), "r"(rule.delta), "r"(flipped_bits(path_word)));
    }
  }
}

template <int N>
__device__ void add_grids(const TileJob& job, const TileItem& item, const std::uint32_t (&at)[N],
                          int (&sum)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const std::uint32_t code = grid_code(item, at[i]);
    const auto* subset =
        reinterpret_cast<const std::uint32_t*>(job.model[0].subsets) + item.node * kSubsetWords;
    if ((subset[code / 32] >> code % 32 & 1) != 0) sum[i] += item.delta;
  }
}

// `subset`: the address of the item's subset in the block's memory. The subset's first bit belongs to code
// 255.
template <int N>
__device__ void add_own_grids(const TileItem& item, std::uint32_t subset, const std::uint32_t (&at)[N],
                              int (&sum)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const std::uint32_t lacks = grid_lacks(item, at[i]);
    const std::uint32_t word = plane_value(subset + lacks / 32 * 4);
    sum[i] += static_cast<int>(__funnelshift_r(word, word, lacks) & 1) * item.delta;
  }
}

template <FeatureKind kKind, int N>
__device__ void add_run(const TileJob& job, int layout, FeatureShape shape, const TileItem* items, int count,
                        const std::uint32_t (&at)[N], const float (&norm)[N], int (&sum)[N]) {
  if constexpr (kKind == FeatureKind::kLbp) {
    for (int i = 0; i < count; ++i) add_grids<N>(job, items[i], at, sum);
  } else {
    switch (shape) {
      case FeatureShape::kEdge:
        for (int i = 0; i < count; ++i) add_values<N>(items[i], at, norm, sum, edge_value<TileItem>);
        break;
      case FeatureShape::kLine:
        for (int i = 0; i < count; ++i) add_values<N>(items[i], at, norm, sum, line_value<TileItem>);
        break;
      case FeatureShape::kChecker:
        for (int i = 0; i < count; ++i) add_values<N>(items[i], at, norm, sum, checker_value<TileItem>);
        break;
      default:
        for (int i = 0; i < count; ++i) {
          const int node = items[i].node, delta = items[i].delta;
          const TreeNode n = job.model[layout].nodes[node];
#pragma unroll
          for (int w = 0; w < N; ++w) {
            if (node_goes_left<kKind>(job.model[layout], node, n, TileWindow{at[w], norm[w]}))
              sum[w] += delta;
          }
        }
    }
  }
}

// Adds nodes of trees. `path_words`: the `make_path_word`s of the items.
template <bool kInner, int N>
__device__ void add_nodes(const TileJob& job, int layout, FeatureShape shape, const TileItem* items,
                          const std::uint32_t* path_words, int count, const std::uint32_t (&at)[N],
                          const float (&norm)[N], int (&sum)[N], std::uint32_t (&path)[N]) {
  const auto add_all = [&](auto value) {
    for (int i = 0; i < count; ++i)
      add_node_values<kInner>(items[i], path_words[i], at, norm, sum, path, value);
  };
  switch (shape) {
    case FeatureShape::kEdge:
      return add_all(edge_value<TileItem>);
    case FeatureShape::kLine:
      return add_all(line_value<TileItem>);
    case FeatureShape::kChecker:
      return add_all(checker_value<TileItem>);
    default:
      for (int i = 0; i < count; ++i) {
        const int node = items[i].node, delta = items[i].delta;
        const std::uint32_t word = path_words[i];
        const TreeNode n = job.model[layout].nodes[node];
#pragma unroll
        for (int w = 0; w < N; ++w) {
          if (kInner && (path[w] & own_bit(word)) == 0) continue;
          if (!node_goes_left<FeatureKind::kHaar>(job.model[layout], node, n, TileWindow{at[w], norm[w]}))
            continue;
          sum[w] += delta;
          path[w] ^= flipped_bits(word);
        }
      }
  }
}

// Returns a copy, not a reference, so that stages that are parameters of the launch are read through the
// constant cache.
inline __device__ TileStage stage_of(const TileJob& job, int stage) {
  if (stage < kLaunchStages) return job.first_stages[stage];
  return job.stages[stage];
}
inline __device__ TileRun run_of(const TileJob& job, int run) {
  if (run < kLaunchRuns) return job.first_runs[run];
  return job.runs[run];
}

// Adds a stage of a cascade with trees. The stage may consist of trees or of stumps.
template <int N>
__device__ void add_tree_stage(const TileJob& job, const Block& block, const TileStage& stage,
                               const std::uint32_t (&at)[N], const float (&norm)[N], int (&sum)[N]) {
  std::uint32_t path[N] = {};
  for (int r = stage.first_run; r < stage.first_run + stage.run_count; ++r) {
    const TileRun run = run_of(job, r);
    std::uint32_t here[N];
    const bool tilted = run.plane != 0 && run.shape != FeatureShape::kRects;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      here[i] = at[i] + (tilted ? 4u * static_cast<std::uint32_t>(block.shape.plane_words) : 0u);
      if (run.path != 0) path[i] = run.path;
    }
    const auto add = [&](const TileItem* items, const std::uint32_t* path_words) {
      if (run.inner != 0) {
        add_nodes<true>(job, block.layout, run.shape, items + run.first, path_words + run.first, run.count,
                        here, norm, sum, path);
      } else {
        add_nodes<false>(job, block.layout, run.shape, items + run.first, path_words + run.first, run.count,
                         here, norm, sum, path);
      }
    };
    if (run.first + run.count <= kLaunchItems) {
      add(job.first_items[block.layout], job.first_path_words);
    } else {
      add(job.items[block.layout], job.path_words);
    }
  }
}

// Adds a stage's items. With `kSlice`, adds only slice number `slice` of the 2^slices_log slices of each run.
template <FeatureKind kKind, int N, bool kSlice = false>
__device__ void add_stage(const TileJob& job, const Block& block, const TileStage& stage,
                          const std::uint32_t (&at)[N], const float (&norm)[N], int (&sum)[N], int slice = 0,
                          int slices_log = 0) {
  for (int r = stage.first_run; r < stage.first_run + stage.run_count; ++r) {
    const TileRun run = run_of(job, r);
    int first = run.first, count = run.count;
    if constexpr (kSlice) {
      const int begin = count * slice >> slices_log;
      count = (count * (slice + 1) >> slices_log) - begin;
      first += begin;
    }
    std::uint32_t here[N];
    const bool tilted = kKind == FeatureKind::kHaar && run.plane != 0 && run.shape != FeatureShape::kRects;
#pragma unroll
    for (int i = 0; i < N; ++i)
      here[i] = at[i] + (tilted ? 4u * static_cast<std::uint32_t>(block.shape.plane_words) : 0u);
    if (kKind == FeatureKind::kLbp && first + count <= job.own_subset_count) {
      for (int i = first; i < first + count; ++i)
        add_own_grids<N>(job.first_items[block.layout][i], block.subset(i), here, sum);
    } else if (kKind == FeatureKind::kHaar && first + count <= kLaunchItems) {
      add_run<kKind, N>(job, block.layout, run.shape, job.first_items[block.layout] + first, count, here,
                        norm, sum);
    } else {
      add_run<kKind, N>(job, block.layout, run.shape, job.items[block.layout] + first, count, here, norm,
                        sum);
    }
  }
}

// Finds which of N windows a stage rejects. Entries may lie beyond the tile's last window; their verdicts
// mean nothing.
template <FeatureKind kKind, bool kTrees, int N>
__device__ void judge(const TileJob& job, const Block& block, int stage_number,
                      const std::uint32_t (&entries)[N], const float (&norm)[N], bool (&rejected)[N]) {
  const TileStage stage = stage_of(job, stage_number);
  std::uint32_t at[N];
#pragma unroll
  for (int i = 0; i < N; ++i) at[i] = block.entry_plane<kKind>(entries[i]);
  if (stage.plain) {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      rejected[i] = stage_rejects(
          plain_stage_sum<kKind>(job.model[block.layout], stage, TileWindow{at[i], norm[i]}), stage.limit);
    }
    return;
  }
  int sum[N];
#pragma unroll
  for (int i = 0; i < N; ++i) sum[i] = stage.base;
  if constexpr (kTrees) {
    add_tree_stage<N>(job, block, stage, at, norm, sum);
  } else {
    add_stage<kKind, N>(job, block, stage, at, norm, sum);
  }
#pragma unroll
  for (int i = 0; i < N; ++i) {
    rejected[i] = sum[i] < stage.accept_from;
    if (rejected[i] && sum[i] >= stage.reject_below) {
      rejected[i] = stage_rejects(
          plain_stage_sum<kKind>(job.model[block.layout], stage, TileWindow{at[i], norm[i]}), stage.limit);
    }
  }
}

// A warp sums a stage for one window, one item per lane. All items of the stage must have offsets. Every lane
// returns the sum.
template <FeatureKind kKind>
__device__ int warp_fixed_sum(const TileJob& job, const Block& block, const TileStage& stage,
                              std::uint32_t at, float norm) {
  const float norms[1] = {norm};
  int sum[1] = {0};
  for (int i = static_cast<int>(threadIdx.x) % 32; i < stage.item_count; i += 32) {
    const TileItem item = job.items[block.layout][stage.first_item + i];
    const std::uint32_t here[1] = {at +
                                   item.plane * 4u * static_cast<std::uint32_t>(block.shape.plane_words)};
    if constexpr (kKind == FeatureKind::kLbp) {
      if (stage.first_item + stage.item_count <= job.own_subset_count) {
        add_own_grids<1>(item, block.subset(stage.first_item + i), here, sum);
      } else {
        add_grids<1>(job, item, here, sum);
      }
    } else {
      const bool checker = item.shape == static_cast<std::uint32_t>(FeatureShape::kChecker);
      add_values<1>(item, here, norms, sum,
                    [&](const TileItem& of, std::uint32_t corner) { return any_value(of, checker, corner); });
    }
  }
  return warp_sum(sum[0]) + stage.base;
}

// A warp sums a stage of trees for one window, one node per lane. All items of the stage must have offsets.
// Every lane returns the sum.
inline __device__ int warp_tree_sum(const TileJob& job, const Block& block, const TileStage& stage,
                                    std::uint32_t at, float norm) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  // The lane's partial sum. It may overflow 32 bits, though no whole sum does.
  std::uint32_t sum = 0;
  for (int r = stage.first_run; r < stage.first_run + stage.run_count;) {
    const TileRun run = run_of(job, r);
    r += run.set_runs;
    const int end = run.first + run.set_items;
    std::uint32_t path = run.path;
    for (int first = run.first; first < end; first += 32) {
      const int number = min(first + lane, end - 1);
      const TileItem item = job.items[block.layout][number];
      const std::uint32_t path_word = job.path_words[number];
      const std::uint32_t here = at + item.plane * 4u * static_cast<std::uint32_t>(block.shape.plane_words);
      const bool checker = item.shape == static_cast<std::uint32_t>(FeatureShape::kChecker);
      const bool left = first + lane < end &&
                        haar_goes_left(__int2float_rn(any_value(item, checker, here)), norm, item.threshold);
      // Whether a lane's node is reached may depend on nodes of other lanes. The bits of a node are right one
      // iteration after the bits of the nodes above it. So the loop runs until no bit changes.
      const std::uint32_t before = path;
      std::uint32_t last;
      bool takes;
      do {
        last = path;
        takes = left && (path & own_bit(path_word)) != 0;
        path = before ^ warp_xor(takes ? flipped_bits(path_word) : 0);
      } while (path != last);
      if (takes) sum += static_cast<std::uint32_t>(item.delta);
    }
  }
  return static_cast<int>(warp_sum(sum)) + stage.base;
}

}  // namespace winnow
