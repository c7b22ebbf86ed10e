#include "sieve/lanes/lane_program.h"

#include <algorithm>
#include <cmath>

#include "sieve/lanes/count_program.h"
#include "sieve/lanes/lane_builder.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

constexpr int kMaxTreeNodes = 64;  // a tree's leaves each list their way from the root
constexpr int kMaxStageNodes = 1 << 15;

class Builder : public LaneBuilder {
 public:
  Builder(const CascadeModel& model, const LaneGeometry& geometry) : LaneBuilder(model, geometry) {
    for (const Stage& stage : model.stages) add_stage(stage);
  }

 private:
  void add_stage(const Stage& stage) {
    LaneStage out{};
    out.trees = stage.tree_count;
    out.enters = static_cast<std::int32_t>(&stage - model_.stages.data());
    const Tree& first = model_.trees[stage.first_tree];
    const Tree& last = model_.trees[stage.first_tree + stage.tree_count - 1];
    out.nodes = last.first_node + last.node_count - first.first_node;
    out.stumps = out.nodes == out.trees;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      out.always_look |= model_.trees[t].node_count > kMaxTreeNodes;
    }
    out.always_look |= out.nodes > kMaxStageNodes;
    if (out.always_look) {
      out.cost = out.nodes * 64;
      program_.stages.push_back(out);
      return;
    }
    const double unit = leaf_unit(model_, stage);
    add_nodes(stage, first.first_node, unit, out);
    out.first_leaf = static_cast<std::int32_t>(program_.leaves.size());
    out.first_pair = static_cast<std::int32_t>(program_.pairs.size());
    if (!out.stumps) {
      for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
        out.base += add_tree(model_.trees[t], first.first_node, unit);
      }
    }
    out.pair_count = static_cast<std::int32_t>(program_.pairs.size()) - out.first_pair;
    out.leaf_count = static_cast<std::int32_t>(program_.leaves.size()) - out.first_leaf;
    // Each leaf is off by half a unit at most, so the sum by n / 2.
    const double limit = std::clamp(stage_limit(stage, model_.rules) * unit, -1e9, 1e9);
    out.reject_below = static_cast<std::int32_t>(std::floor(limit - stage.tree_count * 0.5 - 1));
    out.accept_from = static_cast<std::int32_t>(std::ceil(limit + stage.tree_count * 0.5 + 1));
    program_.max_nodes = std::max(program_.max_nodes, out.nodes);
    program_.stages.push_back(out);
  }

  void add_nodes(const Stage& stage, int first_node, double unit, LaneStage& out) {
    std::vector<Item> items;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      const Tree& tree = model_.trees[t];
      for (int n = 0; n < tree.node_count; ++n) {
        items.push_back(node_item(tree.first_node + n, first_node));
        if (!out.stumps) continue;
        const TreeNode& node = model_.nodes[tree.first_node + n];
        const std::int32_t right = leaf(tree, node.right, unit);
        items.back().delta = leaf(tree, node.left, unit) - right;
        out.base += right;
      }
    }
    const Runs runs = add_items(items, out.cost);
    out.first_run = runs.first;
    out.run_count = runs.count;
  }
};

// For the next two stages.
int few_windows(const LaneProgram& program, int stage) {
  const int cost = program.cost_from(stage), octets = program.geometry.group / 8;
  int n = 0;
  while (n < 8 && (n + 1) * (program.pack_cost() + cost / 28) < cost / octets) ++n;
  return n;
}

}  // namespace

std::int64_t LaneProgram::packed_corners() const {
  return static_cast<std::int64_t>(geometry.patch_values) * (tilted ? 2 : 1);
}

int LaneProgram::pack_cost() const {
  const int chunks = (geometry.patch_width + 7) / 8 * (geometry.patch_values / geometry.patch_width);
  return chunks * (tilted ? 2 : 1) * 3 / 2;  // as measured
}

int LaneProgram::cost_from(int stage) const {
  int cost = 0;
  for (int s = stage; s < stage + 2 && s < static_cast<int>(stages.size()); ++s) {
    cost += stages[static_cast<std::size_t>(s)].cost;
  }
  return cost;
}

void LaneProgram::find_few() {
  for (int s = 0; s < static_cast<int>(stages.size()); ++s)
    stages[static_cast<std::size_t>(s)].few = few_windows(*this, s);
}

bool LaneProgram::reads_wide() const {
  return std::any_of(runs.begin(), runs.end(), [](const LaneRun& run) {
    return run.shape == LaneShape::kRects || run.shape == LaneShape::kLbpWide;
  });
}

// By windows, too, whose halves have more than 16 bits hold; and where all windows get a second look, which
// would add up pieces.
void LaneProgram::find_wide(Size window) {
  const bool looks =
      std::any_of(stages.begin(), stages.end(), [](const LaneStage& stage) { return stage.always_look; });
  const int width = window.width - 2, height = window.height - 2;
  const bool halves_fit = std::int64_t{width} * ((height + 1) / 2) * 255 <= 65535;
  wide = reads_wide() || looks || (flat_windows && !halves_fit);
}

// There are no sums of 32 bits on the shelf.
void LaneProgram::find_shelves() {
  const bool waits =
      std::any_of(stages.begin() + 1, stages.end(), [](const LaneStage& stage) { return stage.few > 0; });
  shelves = waits && !reads_wide();
}

LaneProgram make_lane_program(const CascadeModel& model, const LaneGeometry& geometry) {
  return model.counts() ? make_count_program(model, geometry) : Builder(model, geometry).take();
}

}  // namespace winnow
