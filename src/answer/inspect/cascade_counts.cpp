#include "answer/inspect/cascade_counts.h"

#include <winnow/draw_model.h>

#include <algorithm>
#include <utility>

namespace winnow {
namespace {

// The depth of a tree. Does not recurse, since a tree of N nodes may be N deep.
std::int64_t depth_of(const CascadeModel& model, const Tree& tree) {
  std::int64_t deepest = 0;
  std::vector<std::pair<std::int32_t, std::int64_t>> open{{0, 1}};
  while (!open.empty()) {
    const auto [number, depth] = open.back();
    open.pop_back();
    deepest = std::max(deepest, depth);
    const TreeNode& node = model.nodes[static_cast<std::size_t>(tree.first_node + number)];
    if (tree.node_count == 1) continue;
    if (node.left > 0) open.emplace_back(node.left, depth + 1);
    if (node.right > 0) open.emplace_back(node.right, depth + 1);
  }
  return deepest;
}

StageCounts count_stage(const CascadeModel& model, const Stage& stage) {
  StageCounts counts;
  counts.threshold = stage.threshold;
  counts.tables = model.is_table(stage.first_tree);
  counts.trees = stage.tree_count;
  counts.features = stage_features(model, stage).size();
  for (std::int32_t t = 0; t < stage.tree_count && !counts.tables; ++t)
    counts.nodes += model.tree_of(stage.first_tree + t).node_count;
  return counts;
}

}  // namespace

CascadeCounts count_cascade(const CascadeModel& model) {
  CascadeCounts counts;
  for (const Stage& stage : model.stages) counts.stages.push_back(count_stage(model, stage));
  counts.trees = static_cast<std::int64_t>(model.trees.size());
  counts.nodes = static_cast<std::int64_t>(model.nodes.size());
  counts.leaves = static_cast<std::int64_t>(model.leaves.size());
  counts.tables = static_cast<std::int64_t>(model.tables.size());
  counts.features = static_cast<std::int64_t>(model.haar.size() + model.lbp.size());
  for (const HaarFeature& feature : model.haar) counts.tilted += feature.tilted ? 1 : 0;
  for (const Tree& tree : model.trees) counts.depth = std::max(counts.depth, depth_of(model, tree));
  return counts;
}

}  // namespace winnow
