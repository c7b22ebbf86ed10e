#include "sieve/lane_program.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "sieve/lane_shape.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

constexpr std::int64_t kExactPixels = 1 << 24;  // above this much work, bounds replace exact ranges
// Packed windows must stay in the cache; larger ones are judged where they are.
constexpr std::int64_t kMaxPackedCorners = 1 << 13;
constexpr int kMaxTreeNodes = 64;  // a tree's leaves each list their way from the root
constexpr int kMaxStageNodes = 1 << 15;

std::int32_t corner_offset(const Corner& c, LaneLayout layout, bool tilted, const LaneGeometry& g) {
  switch (layout) {
    case LaneLayout::kRows:
      return c.y * g.stride + c.x;
    case LaneLayout::kSplit:
      return c.y * g.stride + (c.x >> 1) + (c.x & 1) * (g.stride / 2);
    case LaneLayout::kPacked:
      return (c.y * g.patch_width + c.x + (tilted ? g.patch_values : 0)) * g.group;
  }
  return 0;
}

class Builder {
 public:
  Builder(const CascadeModel& model, const LaneGeometry& geometry) : model_(model) {
    program_.kind = model.kind;
    program_.geometry = geometry;
    shape_features();
    for (const Stage& stage : model.stages) add_stage(stage);
    if (model.kind == FeatureKind::kLbp) {
      program_.subset_bytes.resize(model.subsets.size() * 32);
      std::memcpy(program_.subset_bytes.data(), model.subsets.data(), program_.subset_bytes.size());
    }
    if (model.rules.flat == FlatRule::kOpenCvVariance) find_flat_limit();
    program_.wide = model.kind == FeatureKind::kHaar || program_.flat_windows ||
                    std::any_of(shaped_.begin(), shaped_.end(),
                                [](const Shaped& s) { return s.shape == LaneShape::kLbpWide; });
    program_.packs = program_.packed_corners() <= kMaxPackedCorners;
    for (int s = 0; s < static_cast<int>(program_.stages.size()) && program_.packs; ++s) {
      program_.stages[static_cast<std::size_t>(s)].few = few_windows(s);
    }
  }

  LaneProgram take() { return std::move(program_); }

 private:
  void shape_features() {
    const std::int64_t work =
        static_cast<std::int64_t>(model_.haar.size()) * model_.window.width * model_.window.height;
    for (const HaarFeature& f : model_.haar) {
      shaped_.push_back(program_.geometry.wide ? shape_haar_wide(f)
                                               : shape_haar(f, model_.window, work < kExactPixels));
      program_.tilted |= f.tilted;
    }
    for (const LbpFeature& f : model_.lbp) shaped_.push_back(shape_lbp(f));
  }

  // For the next two stages.
  int few_windows(int stage) const {
    const int cost = program_.cost_from(stage), octets = program_.geometry.group / 8;
    int n = 0;
    while (n < 8 && (n + 1) * (program_.pack_cost() + cost / 28) < cost / octets) ++n;
    return n;
  }

  // A norm is flat unless area * norm < 0.1 in double, which is monotone: the largest float that is not flat.
  void find_flat_limit() {
    program_.flat_windows = true;
    const double area = static_cast<double>(model_.window.width - 2) * (model_.window.height - 2);
    float limit = static_cast<float>(0.1 / area);
    while (area * limit < 1e-1) limit = std::nextafter(limit, 1e30f);
    while (!(area * limit < 1e-1)) limit = std::nextafter(limit, 0.f);
    program_.flat_above = limit;
  }

  void add_stage(const Stage& stage) {
    LaneStage out{};
    out.trees = stage.tree_count;
    out.last = &stage == &model_.stages.back();
    const Tree& first = model_.trees[stage.first_tree];
    const Tree& last = model_.trees[stage.first_tree + stage.tree_count - 1];
    out.nodes = last.first_node + last.node_count - first.first_node;
    out.stumps = out.nodes == out.trees;
    const bool stumps = out.stumps;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      out.always_look |= model_.trees[t].node_count > kMaxTreeNodes;
    }
    out.always_look |= out.nodes > kMaxStageNodes;
    if (out.always_look) {
      out.cost = out.nodes * 64;
      program_.stages.push_back(out);
      return;
    }
    const double unit = leaf_unit(stage);
    add_nodes(stage, first.first_node, stumps, unit, out);
    out.first_leaf = static_cast<std::int32_t>(program_.leaves.size());
    out.first_pair = static_cast<std::int32_t>(program_.pairs.size());
    if (!stumps) {
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

  // Units in 1: a power of two such that no sum of leaves exceeds 2^29.
  double leaf_unit(const Stage& stage) const {
    double bound = 0;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      const Tree& tree = model_.trees[t];
      double largest = 0;
      for (int i = 0; i <= tree.node_count; ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(model_.leaves[tree.first_leaf + i])));
      }
      bound += largest;
    }
    if (bound == 0) return 1;
    return std::ldexp(1.0, 28 - std::ilogb(bound + stage.tree_count * 1e-30));
  }

  std::int32_t leaf(const Tree& tree, int child, double unit) const {
    return static_cast<std::int32_t>(std::llrint(model_.leaves[tree.first_leaf - child] * unit));
  }

  void add_nodes(const Stage& stage, int first_node, bool stumps, double unit, LaneStage& out) {
    struct Item {
      int node;
      std::int32_t delta;
    };
    std::vector<Item> items;
    for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
      const Tree& tree = model_.trees[t];
      for (int n = 0; n < tree.node_count; ++n) {
        Item item{tree.first_node + n, 0};
        if (stumps) {
          const TreeNode& node = model_.nodes[item.node];
          const std::int32_t right = leaf(tree, node.right, unit);
          item.delta = leaf(tree, node.left, unit) - right;
          out.base += right;
        }
        items.push_back(item);
      }
    }
    const auto key = [&](const Item& item) {
      const Shaped& s = shaped_[model_.nodes[item.node].feature];
      return std::tuple(s.tilted, s.shape, s.corners.size());
    };
    std::stable_sort(items.begin(), items.end(),
                     [&](const Item& a, const Item& b) { return key(a) < key(b); });

    out.first_run = static_cast<std::int32_t>(program_.runs.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const TreeNode& node = model_.nodes[items[i].node];
      const Shaped& s = shaped_[node.feature];
      if (i == 0 || key(items[i - 1]) != key(items[i])) {
        program_.runs.push_back({s.shape, s.tilted, static_cast<std::int32_t>(program_.nodes.size()), 0,
                                 static_cast<std::int32_t>(s.corners.size()),
                                 static_cast<std::int32_t>(program_.offsets[0].size())});
      }
      ++program_.runs.back().node_count;
      program_.nodes.push_back({node.threshold,
                                items[i].delta,
                                static_cast<std::int16_t>(s.times),
                                static_cast<std::uint16_t>(items[i].node - first_node),
                                node.feature,
                                items[i].node,
                                {s.lines[0], s.lines[1], s.lines[2]}});
      for (const Corner& c : s.corners) {
        for (int layout = 0; layout < kLaneLayouts; ++layout) {
          program_.offsets[layout].push_back(
              corner_offset(c, static_cast<LaneLayout>(layout), s.tilted, program_.geometry));
        }
        program_.weights.push_back(static_cast<std::int16_t>(c.weight));
      }
      for (int r = 0; r < 3; ++r) {
        program_.rect_weights.push_back(
            model_.kind == FeatureKind::kHaar ? model_.haar[node.feature].rects[r].weight : 0);
      }
      out.cost += lane_cost(s);
    }
    out.run_count = static_cast<std::int32_t>(program_.runs.size()) - out.first_run;
  }

  std::int32_t add_pair(const Tree& tree, int first_node, double unit) {
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

  // Every leaf but the last reached one adds its difference to that one, which every lane starts with.
  std::int32_t add_tree(const Tree& tree, int first_node, double unit) {
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

  // Depth first with a stack of our own: a tree may be one long chain.
  void walk(const Tree& tree, int root, int first_node, double unit, std::vector<LaneStep>& path,
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

  const CascadeModel& model_;
  std::vector<Shaped> shaped_;
  LaneProgram program_;
};

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

LaneProgram make_lane_program(const CascadeModel& model, const LaneGeometry& geometry) {
  return Builder(model, geometry).take();
}

}  // namespace winnow
