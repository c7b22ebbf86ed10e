// Judges windows of a tile in the stages of a fixed-point cascade. A thread judges N windows, or a warp
// judges one window with one item per lane.
//
// In:     the corners, norms and sums of windows, and a `FixedJob`.
// Out:    sums, and the item at which each window stops. For late windows: survivors, rejects in the
//         counters, and deferred windows.
// Exact:  all sums are integers.
// Memory: reads shared memory, the launch's parameters and the sieve's device memory. Nothing is allocated.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/planes/window_cuda.cuh"
#include "sieve/stages_rule.h"
#include "sieve/tiles/fixed_job_cuda.cuh"
#include "sieve/tiles/tile_corners_cuda.cuh"

namespace winnow {

// The kernel variants. Without a running sum, all weak classifiers are tables, because `tile_kernel` judges
// trees with sums per stage. `kHasGrids`: weak classifiers with LBP features follow the tables.
template <FeatureKind kOfKind, bool kHasTables, bool kHasRunning, bool kHasGrids = false>
struct FixedRules {
  static constexpr FeatureKind kKind = kOfKind;
  static constexpr bool kTables = kHasTables, kRunning = kHasRunning, kGrids = kHasGrids;
};

// The memory from which all lanes read the same item. kOwn: the launch's parameters, with the leaves of
// tables in the block's shared memory. kLaunched: the launch's parameters. kDevice: device memory.
enum class Items { kOwn, kLaunched, kDevice };

// `table_bin` without branches. The conversion to an unsigned integer turns NaN and values below zero into 0,
// and too large values into the largest integer.
inline __device__ unsigned device_table_bin(float value, float norm, float low, float per_unit) {
  return min(__float2uint_rz((value * norm - low) * per_unit), static_cast<unsigned>(kTableBins - 1));
}

inline __device__ bool has_shape(const FixedItem& item, FixedShape shape) {
  return item.shape == static_cast<std::uint8_t>(shape);
}

// Bytes from a corner in the upright plane to the same corner in the item's plane.
inline __device__ std::uint32_t plane_of_item(const Block& block, const FixedItem& item) {
  return item.plane * 4u * static_cast<std::uint32_t>(block.shape.plane_words);
}

// The leaf of an LBP stump.
inline __device__ int grid_leaf(const ModelView& model, const FixedItem& item, std::uint32_t code) {
  const auto* subset = reinterpret_cast<const std::uint32_t*>(model.subsets) + item.node * kSubsetWords;
  return (subset[code / 32] >> code % 32 & 1) != 0 ? item.leaf[0] : item.leaf[1];
}

// The leaf for a value of a Haar feature. `kOwn`: the block's shared memory has the leaves of the item's
// table.
template <bool kTables, bool kOwn>
__device__ int value_leaf(const FixedGrid& job, std::uint32_t own_leaves, const FixedItem& item, int number,
                          float value, float norm) {
  if constexpr (!kTables) {
    return haar_goes_left(value, norm, item.threshold) ? item.leaf[0] : item.leaf[1];
  } else {
    const unsigned bin = device_table_bin(value, norm, item.low, item.per_unit);
    if constexpr (!kOwn) return job.leaves[number * kTableBins + static_cast<int>(bin)];
    int leaf;
    asm volatile("ld.shared.s16 %0, [%1];"
                 : "=r"(leaf)
                 : "r"(own_leaves + static_cast<std::uint32_t>(number) * kTableBins * 2 + bin * 2));
    return leaf;
  }
}

// The N windows of a lane while they are judged. A window lives if its `next` equals the number of the item
// that is judged next. Flags beside `next` would cost more. Loops over these arrays must be unrolled, so that
// elements stay in registers.
template <int N>
struct FixedLanes {
  std::uint32_t at[N];
  float norm[N];
  int sum[N];
  int next[N];  // the next item, or the item that rejected the window

  __device__ void start(int k, std::uint32_t corner, float factor, int before, int first) {
    at[k] = corner;
    norm[k] = factor;
    sum[k] = before;
    next[k] = first;
  }
  // Adds an item's leaves and checks its limit. False if no window of the warp lives.
  template <bool kRunning>
  __device__ bool add(const FixedItem& item, int number, const int (&leaf)[N]) {
    const int limit = item.limit;
    bool any = false;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      sum[k] = !kRunning && item.fresh != 0 ? leaf[k] : sum[k] + leaf[k];
      const bool passes = (next[k] == number) & (sum[k] >= limit);
      if (passes) next[k] = number + 1;
      any |= passes;
    }
    return __any_sync(~0u, any) != 0;
  }
};

// The `FixedLanes::next` of a window that is not to be judged.
constexpr int kNoItem = -1;

// Judges items that all lanes share. Stops at the first item without offsets, or after the item that leaves
// no living window in the warp. Sets `i` to the item where the loop stopped, or to `end`. Returns false if no
// window of the warp lives.
template <class Rules, Items kFrom, int N>
__device__ bool judge_fixed(const FixedJob& job, const Block& block, std::uint32_t own_leaves, int& i,
                            int end, FixedLanes<N>& lanes) {
  for (; i < end; ++i) {
    const FixedItem& item =
        kFrom == Items::kDevice ? job.items[block.layout][i] : job.first_items[block.layout][i];
    int leaf[N];
    if constexpr (Rules::kKind == FeatureKind::kLbp) {
      if (!has_shape(item, FixedShape::kGrid)) return true;
#pragma unroll
      for (int k = 0; k < N; ++k)
        leaf[k] = grid_leaf(job.model[block.layout], item, grid_code(item, lanes.at[k]));
    } else {
      const std::uint32_t plane = plane_of_item(block, item);
      int value[N];
      bool grid = false;
      if (has_shape(item, FixedShape::kEdge)) {
#pragma unroll
        for (int k = 0; k < N; ++k) value[k] = edge_value(item, lanes.at[k] + plane);
      } else if (has_shape(item, FixedShape::kLine)) {
#pragma unroll
        for (int k = 0; k < N; ++k) value[k] = line_value(item, lanes.at[k] + plane);
      } else if (has_shape(item, FixedShape::kChecker)) {
#pragma unroll
        for (int k = 0; k < N; ++k) value[k] = checker_value(item, lanes.at[k] + plane);
      } else if (Rules::kGrids && has_shape(item, FixedShape::kGrid)) {
        grid = true;
#pragma unroll
        for (int k = 0; k < N; ++k)
          leaf[k] = grid_leaf(job.model[block.layout], item, grid_code(item, lanes.at[k]));
      } else {
        return true;
      }
      if (!grid) {
#pragma unroll
        for (int k = 0; k < N; ++k) {
          leaf[k] = value_leaf<Rules::kTables, kFrom == Items::kOwn>(job, own_leaves, item, i,
                                                                     __int2float_rn(value[k]), lanes.norm[k]);
        }
      }
    }
    if (!lanes.template add<Rules::kRunning>(item, i, leaf)) return false;
  }
  return true;
}

// Judges one item that all lanes share and that has no offsets.
template <class Rules, Items kFrom, int N>
__device__ bool judge_plain(const FixedJob& job, const Block& block, std::uint32_t own_leaves, int i,
                            FixedLanes<N>& lanes) {
  const FixedItem& item =
      kFrom == Items::kDevice ? job.items[block.layout][i] : job.first_items[block.layout][i];
  const ModelView& model = job.model[block.layout];
  const auto index = static_cast<int>(item.index);
  int leaf[N];
#pragma unroll
  for (int k = 0; k < N; ++k) {
    const TileWindow window{lanes.at[k], lanes.norm[k]};
    if (!Rules::kTables && has_shape(item, FixedShape::kTree)) {
      leaf[k] = fixed_units(tree_leaf<Rules::kKind>(model, index, window));
    } else if constexpr (Rules::kKind == FeatureKind::kHaar) {
      leaf[k] = value_leaf<Rules::kTables, kFrom == Items::kOwn>(
          job, own_leaves, item, i, feature_value(model, index, window), lanes.norm[k]);
    }
  }
  return lanes.template add<Rules::kRunning>(item, i, leaf);
}

// Judges N windows per thread in a chunk of stages, until none of the warp's windows lives.
template <class Rules, Items kFrom, int N>
__device__ void judge_chunk(const FixedJob& job, const Block& block, const OwnRejects& own, FixedChunk range,
                            FixedLanes<N>& lanes) {
  auto own_leaves = static_cast<std::uint32_t>(__cvta_generic_to_shared(own.leaves));
  asm volatile("" : "+r"(own_leaves));  // so that the compiler computes the address only once
  for (int i = range.first; i < range.end; ++i) {
    if (!judge_fixed<Rules, kFrom>(job, block, own_leaves, i, range.end, lanes)) return;
    if (i < range.end && !judge_plain<Rules, kFrom>(job, block, own_leaves, i, lanes)) return;
  }
}

// The leaf of an item, when each lane has an item of its own.
template <class Rules>
__device__ int lane_leaf(const FixedGrid& job, const Block& block, const FixedItem& item, int number,
                         std::uint32_t at, float norm) {
  const ModelView& model = job.model[block.layout];
  if (!Rules::kTables && has_shape(item, FixedShape::kTree)) {
    const TileWindow window{at, norm};
    return fixed_units(tree_leaf<Rules::kKind>(model, static_cast<int>(item.index), window));
  }
  if (Rules::kGrids && has_shape(item, FixedShape::kGrid)) return grid_leaf(model, item, grid_code(item, at));
  if constexpr (Rules::kKind == FeatureKind::kLbp) {
    return grid_leaf(model, item, grid_code(item, at));
  } else {
    const std::uint32_t here = at + plane_of_item(block, item);
    const float value = has_shape(item, FixedShape::kFeature)
                            ? feature_value(model, static_cast<int>(item.index), TileWindow{at, norm})
                            : __int2float_rn(any_value(item, has_shape(item, FixedShape::kChecker), here));
    return value_leaf<Rules::kTables, false>(job, 0, item, number, value, norm);
  }
}

// The sum of the values of this lane and the lanes before it.
inline __device__ int inclusive_sum(int value) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(~0u, value, step);
    if (lane >= step) value += left;
  }
  return value;
}

// Defers a window, to be judged after all tiles are done. False if there is no room.
inline __device__ bool defer_window(const FixedGrid& job, const Block& block, const TileTask& task,
                                    std::uint32_t window, int next, int sum, float norm) {
  unsigned slot = 0;
  if (threadIdx.x % 32 == 0) slot = static_cast<unsigned>(atomicAdd(job.deferred_count, DeviceCount{1}));
  slot = __shfl_sync(~0u, slot, 0);
  if (slot >= static_cast<unsigned>(job.deferred_room)) return false;
  if (threadIdx.x % 32 == 0) {
    const PlacedWindow place(task, window);
    const int step = block.layout + 1, in_tile = static_cast<int>(window / kTileCols);
    job.deferred[slot] = {place.number,
                          task.frame,
                          static_cast<std::int32_t>(task.place.level),
                          place.col * step,
                          task.place.top + in_tile * step,
                          next,
                          sum,
                          norm};
  }
  return true;
}

// A warp judges one window, from item `from` on, 32 items at a time. `sum`: the sum before item `from`.
template <class Rules>
__device__ void judge_late(const FixedJob& job, const Block& block, const TileTask& task, int from,
                           std::uint32_t window, int sum) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::uint32_t at = block.plane_of(window);
  const float norm = block.norm<Rules::kKind>(block.slot_of(window));
  bool stays = job.deferred_room == 0;
  for (int first = from; first < job.item_count; first += 32) {
    if (Rules::kRunning && !stays && first >= kTileItems) {
      if (defer_window(job, block, task, window, first, sum, norm)) return;
      stays = true;
    }
    const int number = min(first + lane, job.item_count - 1);
    const bool there = first + lane < job.item_count;
    const FixedItem item = job.items[block.layout][number];
    // The lane at which the stage's sum starts. Negative if the sum started before these 32 items, or if sums
    // continue from stage to stage.
    const int begins = Rules::kRunning ? -1 : job.item_places[number].first - first;
    const int leaf = lane_leaf<Rules>(job, block, item, number, at, norm);
    __syncwarp();
    const int all = inclusive_sum(there ? leaf : 0);
    const int before = __shfl_sync(~0u, all, max(begins - 1, 0));
    const int total = all + (begins < 0 ? sum : begins > 0 ? -before : 0);
    const unsigned fails = __ballot_sync(~0u, there && total < item.limit);
    sum = __shfl_sync(~0u, total, 31);
    if (fails == 0) continue;
    if (lane == 0) {
      const int stage = stage_of_item(job, first + __ffs(static_cast<int>(fails)) - 1);
      atomicAdd(&task.counts[kReached + 1 + stage], DeviceCount{1});
    }
    return;
  }
  if (lane == 0) keep_window(job, task, window, static_cast<double>(sum) / kScoreUnit);
}

}  // namespace winnow
