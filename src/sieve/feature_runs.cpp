#include "sieve/feature_runs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <winnow/error.h>

#include "sieve/stages_rule.h"

namespace winnow {
namespace {

constexpr int kMaxTreeNodes = 64;  // larger trees are summed in doubles, since lanes store a path per leaf
constexpr int kMaxStageNodes = 1 << 15;
constexpr std::size_t kMostCorners = 1 << 25;

}  // namespace

double leaf_unit(const CascadeModel& model, const Stage& stage) {
  double bound = 0;
  for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
    const Tree& tree = model.trees[t];
    double largest = 0;
    for (int i = 0; i <= tree.node_count; ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(model.leaves[tree.first_leaf + i])));
    }
    bound += largest;
  }
  if (bound == 0) return 1;
  return std::ldexp(1.0, 28 - std::ilogb(bound + stage.tree_count * 1e-30));
}

std::int32_t leaf_units(const CascadeModel& model, const Tree& tree, int child, double unit) {
  return static_cast<std::int32_t>(std::llrint(model.leaves[tree.first_leaf - child] * unit));
}

StageNode stage_node(const CascadeModel& model, int node, int first_node) {
  const TreeNode& n = model.nodes[node];
  return {model.feature_number(n), n.threshold, 0, node - first_node, node};
}

std::vector<FeatureRun> sort_into_runs(const std::vector<FeatureForm>& shapes,
                                       std::vector<StageNode>& nodes) {
  const auto key = [&](const StageNode& node) {
    const FeatureForm& s = shapes[node.feature];
    return std::tuple(s.tilted, s.shape, s.corners.size());
  };
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](const StageNode& a, const StageNode& b) { return key(a) < key(b); });
  std::vector<FeatureRun> runs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || key(nodes[i - 1]) != key(nodes[i])) {
      const FeatureForm& s = shapes[nodes[i].feature];
      runs.push_back(
          {s.shape, s.tilted, static_cast<std::int32_t>(s.corners.size()), static_cast<std::int32_t>(i), 0});
    }
    ++runs.back().count;
  }
  return runs;
}

void check_corners(std::size_t corners) {
  if (corners > kMostCorners)
    throw Error(ErrorCode::kLimit, "the cascade's features have more corners than lanes have room for");
}

SummedStage sum_stage(const CascadeModel& model, const Stage& stage, const std::vector<FeatureForm>& shapes) {
  SummedStage sum;
  const int end = stage.first_tree + stage.tree_count;
  const Tree& first = model.trees[stage.first_tree];
  const Tree& last = model.trees[end - 1];
  sum.node_count = last.first_node + last.node_count - first.first_node;
  sum.stumps = sum.node_count == stage.tree_count;
  sum.needs_doubles = sum.node_count > kMaxStageNodes;
  for (int t = stage.first_tree; t < end; ++t) sum.needs_doubles |= model.trees[t].node_count > kMaxTreeNodes;
  if (sum.needs_doubles) return sum;
  sum.unit = leaf_unit(model, stage);
  for (int t = stage.first_tree; t < end; ++t) {
    const Tree& tree = model.trees[t];
    for (int n = 0; n < tree.node_count; ++n) {
      sum.nodes.push_back(stage_node(model, tree.first_node + n, first.first_node));
      if (!sum.stumps) continue;
      const TreeNode& node = model.nodes[tree.first_node + n];
      const std::int32_t right = leaf_units(model, tree, node.right, sum.unit);
      sum.nodes.back().delta = leaf_units(model, tree, node.left, sum.unit) - right;
      sum.base += right;
    }
  }
  sum.runs = sort_into_runs(shapes, sum.nodes);
  // Rounding changes each leaf by at most half a unit, so a sum of n leaves is off by at most n / 2 units.
  const double limit = std::clamp(stage_limit(stage, model.rules) * sum.unit, -1e9, 1e9);
  sum.reject_below = static_cast<std::int32_t>(std::floor(limit - stage.tree_count * 0.5 - 1));
  sum.accept_from = static_cast<std::int32_t>(std::ceil(limit + stage.tree_count * 0.5 + 1));
  return sum;
}

}  // namespace winnow
