// Judges one window in a stage on a device as the reference does: node by node, with leaves added in double
// in the order of the model's file.
//
// In:     a `ModelView`, a stage, and a `Window` with `norm` and `value(offset)`. `value` reads the plane at
//         `offset` bytes from the window's corner.
// Out:    values, leaves, and the stage's sum.
// Exact:  as the reference, bit for bit.
// Memory: reads the model in device memory, and planes through `value`. Nothing is written.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/planes/model_cuda.h"
#include "sieve/stages_rule.h"

namespace winnow {

template <class Window>
__device__ float feature_value(const ModelView& model, int feature, const Window& window) {
  const std::int32_t* corner = model.corners + feature * 12;
  std::uint32_t sums[3];
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    sums[r] = window.value(corner[r * 4]) - window.value(corner[r * 4 + 1]) -
              window.value(corner[r * 4 + 2]) + window.value(corner[r * 4 + 3]);
  }
  return haar_value(model.weights + feature * 3, sums);
}

template <FeatureKind kKind, class Window>
__device__ bool node_goes_left(const ModelView& model, int node, const TreeNode& n, const Window& window) {
  if constexpr (kKind == FeatureKind::kHaar) {
    return haar_goes_left(feature_value(model, n.feature, window), window.norm, n.threshold);
  } else {
    const std::int32_t* corner = model.grids + n.feature * 16;
    std::uint32_t cells[9];
#pragma unroll
    for (int c = 0; c < 9; ++c) {
      const int first = c / 3 * 4 + c % 3;
      cells[c] = window.value(corner[first]) - window.value(corner[first + 1]) -
                 window.value(corner[first + 4]) + window.value(corner[first + 5]);
    }
    return lbp_goes_left(model.subsets + node * 8, lbp_code(cells));
  }
}

template <FeatureKind kKind, class Window>
__device__ float tree_leaf(const ModelView& model, int tree, const Window& window) {
  const Tree t = model.trees[tree];
  int inside = 0;
  do {
    const TreeNode n = model.nodes[t.first_node + inside];
    inside = node_goes_left<kKind>(model, t.first_node + inside, n, window) ? n.left : n.right;
  } while (inside > 0);
  return model.leaves[t.first_leaf - inside];
}

template <class Window>
__device__ float table_leaf(const ModelView& model, int number, const Window& window) {
  const Table& table = model.tables[number];
  return table
      .leaves[table_bin(feature_value(model, table.feature, window), window.norm, table.low, table.per_unit)];
}

// Adds the leaves of a stage to `before`, and returns the sum. `kTables`: the cascade has tables, and perhaps
// trees after them.
template <FeatureKind kKind, bool kTables = false, class Window>
__device__ double plain_stage_sum(const ModelView& model, const TileStage& stage, const Window& window,
                                  double before = 0) {
  double sum = before;
  if constexpr (kTables) {
    const bool tables = stage.first_tree < model.table_count;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      sum += tables ? table_leaf(model, t, window)
                    : tree_leaf<FeatureKind::kLbp>(model, t - model.table_count, window);
    }
  } else {
    for (int t = 0; t < stage.tree_count; ++t) sum += tree_leaf<kKind>(model, stage.first_tree + t, window);
  }
  return sum;
}

// A warp computes a stage's sum, one tree per lane, for cascades without tables. Every lane returns the sum.
template <FeatureKind kKind, class Window>
__device__ double warp_stage_sum(const ModelView& model, const TileStage& stage, const Window& window) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  double sum = 0;
  for (int first = 0; first < stage.tree_count; first += 32) {
    const int tree = first + lane;
    const float leaf =
        tree < stage.tree_count ? tree_leaf<kKind>(model, stage.first_tree + tree, window) : 0.f;
    if (stage.any_order) {
      sum += leaf;
    } else {
      const int count = min(32, stage.tree_count - first);
      for (int i = 0; i < count; ++i) sum += __shfl_sync(~0u, leaf, i);
    }
  }
  if (stage.any_order) {
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  }
  return sum;
}

}  // namespace winnow
