#include "sieve/lanes/lane_builder.h"

#include <algorithm>
#include <cstring>

#include "sieve/stages_rule.h"

namespace winnow {
namespace {

// Value ranges are exact if the number of features times the pixels of a window is below kExactPixels.
// Otherwise the ranges are upper bounds, which cost less work.
constexpr std::int64_t kExactPixels = 1 << 24;
// The largest number of corners of a packed window, so that a packed bundle stays in the cache. Larger
// windows are judged in place.
constexpr std::int64_t kMaxPackedCorners = 1 << 13;

std::int32_t corner_offset(const Corner& c, LaneLayout layout, bool tilted, const LaneGeometry& g) {
  switch (layout) {
    case LaneLayout::kRows:
      return c.y * g.stride + c.x;
    case LaneLayout::kSplit:
      return c.y * g.stride + (c.x >> 1) + (c.x & 1) * (g.stride / 2);
    case LaneLayout::kPacked:
      return (c.y * g.patch_width + c.x + (tilted ? g.patch_values : 0)) * g.bundle;
  }
  return 0;
}

// The rough number of cycles that a feature costs a bundle of windows: loads, and the arithmetic on them.
int lane_cost(const FeatureForm& s) {
  const int corners = static_cast<int>(s.corners.size());
  switch (s.shape) {
    case FeatureShape::kEdge:
    case FeatureShape::kLine:
      return corners * 3 / 2 + 8;
    case FeatureShape::kChecker:
      return corners * 3 / 2 + 9;
    case FeatureShape::kCorners:
      return corners * 3 + 8;
    case FeatureShape::kPieces:
      return corners * 3 / 2 + 20;
    case FeatureShape::kRects:
      return corners * 6 + 8;
    case FeatureShape::kLbp:
      return 12;  // set low, so that few windows are packed: packing did not pay when measured
    case FeatureShape::kLbpWide:
      return 120;
  }
  return 0;
}

}  // namespace

LaneBuilder::LaneBuilder(const CascadeModel& model, const LaneGeometry& geometry) : model_(model) {
  program_.kind = model.kind;
  program_.geometry = geometry;
  program_.model_stages = static_cast<int>(model.stages.size());
  shape_features();
  if (!model.subsets.empty()) {
    program_.subset_bytes.resize(model.subsets.size() * 32);
    std::memcpy(program_.subset_bytes.data(), model.subsets.data(), program_.subset_bytes.size());
  }
  if (model.rules.flat == FlatRule::kOpenCvVariance) find_flat_limit();
  program_.packs = program_.packed_corners() <= kMaxPackedCorners;
}

LaneProgram LaneBuilder::take() {
  program_.find_wide(model_.window);
  program_.stages.back().last = true;
  if (program_.packs) {
    program_.find_pack_limits();
    program_.find_shelves();
  }
  return std::move(program_);
}

void LaneBuilder::shape_features() {
  const std::int64_t work =
      static_cast<std::int64_t>(model_.haar.size()) * model_.window.width * model_.window.height;
  for (const HaarFeature& f : model_.haar)
    forms_.push_back(shape_haar(f, model_.window, work < kExactPixels));
  program_.tilted = model_.tilted();
  for (const LbpFeature& f : model_.lbp) forms_.push_back(shape_lbp(f));
}

void LaneBuilder::find_flat_limit() {
  program_.flat_windows = true;
  program_.flat_above = flat_above(static_cast<double>(model_.window.width - 2) * (model_.window.height - 2));
}

LaneBuilder::Runs LaneBuilder::add_nodes(std::vector<StageNode>& nodes, std::int32_t& cost) {
  return add_runs(sort_into_runs(forms_, nodes), nodes, cost);
}

LaneBuilder::Runs LaneBuilder::add_runs(const std::vector<FeatureRun>& runs,
                                        const std::vector<StageNode>& nodes, std::int32_t& cost) {
  const std::int32_t first_run = static_cast<std::int32_t>(program_.runs.size());
  for (const FeatureRun& run : runs) {
    program_.runs.push_back({run.shape, run.tilted, static_cast<std::int32_t>(program_.nodes.size()),
                             run.count, run.corners, static_cast<std::int32_t>(program_.offsets[0].size())});
    for (std::int32_t i = run.first; i < run.first + run.count; ++i) add_node(nodes[i], cost);
  }
  return {first_run, static_cast<std::int32_t>(program_.runs.size()) - first_run};
}

void LaneBuilder::add_node(const StageNode& node, std::int32_t& cost) {
  check_corners(program_.offsets[0].size());
  const FeatureForm& s = forms_[node.feature];
  program_.nodes.push_back({node.threshold,
                            node.delta,
                            static_cast<std::int16_t>(s.factor),
                            static_cast<std::uint16_t>(node.slot),
                            node.feature,
                            node.subset,
                            {s.lines[0], s.lines[1], s.lines[2]}});
  for (const Corner& c : s.corners) {
    for (int layout = 0; layout < kLaneLayouts; ++layout) {
      program_.offsets[layout].push_back(
          corner_offset(c, static_cast<LaneLayout>(layout), s.tilted, program_.geometry));
    }
    program_.weights.push_back(static_cast<std::int16_t>(c.weight));
  }
  for (int r = 0; r < 3; ++r) {
    program_.rect_weights.push_back(static_cast<std::size_t>(node.feature) < model_.haar.size()
                                        ? model_.haar[node.feature].rects[r].weight
                                        : 0);
  }
  cost += lane_cost(s);
}

std::int32_t LaneBuilder::add_pair(const Tree& tree, int first_node, double unit) {
  const TreeNode& root = model_.nodes[tree.first_node];
  const bool leaf_left = root.left <= 0;
  const int inner = leaf_left ? root.right : root.left;
  const TreeNode& node = model_.nodes[tree.first_node + inner];
  const std::int32_t outer = leaf(tree, leaf_left ? root.left : root.right, unit);
  const std::int32_t left = leaf(tree, node.left, unit), right = leaf(tree, node.right, unit);
  const int slot = tree.first_node - first_node;
  program_.pairs.push_back({static_cast<std::uint16_t>(slot), static_cast<std::uint16_t>(slot + inner),
                            leaf_left ? 0 : ~0u, outer - right, left - right});
  return right;
}

std::int32_t LaneBuilder::add_tree(const Tree& tree, int first_node, double unit) {
  if (tree.node_count == 2) return add_pair(tree, first_node, unit);
  std::vector<LaneStep> path;
  std::vector<std::pair<std::int32_t, std::vector<LaneStep>>> found;
  walk(tree, 0, first_node, unit, path, found);
  const std::int32_t base = found.back().first;
  for (std::size_t i = 0; i + 1 < found.size(); ++i) {
    program_.leaves.push_back({found[i].first - base, static_cast<std::int32_t>(program_.steps.size()),
                               static_cast<std::int32_t>(found[i].second.size())});
    program_.steps.insert(program_.steps.end(), found[i].second.begin(), found[i].second.end());
  }
  return base;
}

// Lists the leaves of a tree with their paths, depth first. The stack is explicit because a tree may be one
// long chain.
void LaneBuilder::walk(const Tree& tree, int root, int first_node, double unit, std::vector<LaneStep>& path,
                       std::vector<std::pair<std::int32_t, std::vector<LaneStep>>>& found) const {
  struct Open {
    int node, next;
  };
  std::vector<Open> open{{root, 0}};
  while (!open.empty()) {
    const int at = open.back().node, side = open.back().next++;
    if (side == 2) {
      open.pop_back();
      if (!path.empty()) path.pop_back();
      continue;
    }
    const TreeNode& node = model_.nodes[tree.first_node + at];
    const int child = side == 0 ? node.left : node.right;
    path.push_back({static_cast<std::uint16_t>(tree.first_node + at - first_node), side == 0});
    if (child > 0) {
      open.push_back({child, 0});
    } else {
      found.emplace_back(leaf(tree, child, unit), path);
      path.pop_back();
    }
  }
}

}  // namespace winnow
