#include "model_summary.h"

#include <winnow/draw_model.h>

#include <algorithm>
#include <utility>

namespace winnow::cli {
namespace {

// Uses no recursion, since a tree may be as deep as it has nodes.
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

StageSummary summarize_stage(const CascadeModel& model, const Stage& stage) {
  StageSummary summary;
  summary.threshold = stage.threshold;
  summary.tables = model.is_table(stage.first_tree);
  summary.trees = stage.tree_count;
  summary.features = stage_features(model, stage).size();
  for (std::int32_t t = 0; t < stage.tree_count && !summary.tables; ++t)
    summary.nodes += model.tree_of(stage.first_tree + t).node_count;
  return summary;
}

}  // namespace

ModelSummary summarize(const CascadeModel& model) {
  ModelSummary summary;
  for (const Stage& stage : model.stages) summary.stages.push_back(summarize_stage(model, stage));
  summary.trees = static_cast<std::int64_t>(model.trees.size());
  summary.nodes = static_cast<std::int64_t>(model.nodes.size());
  summary.leaves = static_cast<std::int64_t>(model.leaves.size());
  summary.tables = static_cast<std::int64_t>(model.tables.size());
  summary.features = static_cast<std::int64_t>(model.haar.size() + model.lbp.size());
  for (const HaarFeature& feature : model.haar) summary.tilted += feature.tilted ? 1 : 0;
  for (const Tree& tree : model.trees) summary.depth = std::max(summary.depth, depth_of(model, tree));
  return summary;
}

}  // namespace winnow::cli
