#include "sieve/tiles/reach.h"

#include "sieve/feature_runs.h"

namespace winnow {
namespace {

class TreeReach {
 public:
  // `first_bit`: the bit of the tree's first node below the root.
  TreeReach(const CascadeModel& model, const Tree& tree, double unit, int first_bit)
      : model_(model), tree_(tree), unit_(unit), first_bit_(first_bit) {}

  void add_to(ReachStage& stage, ReachGroup& group) const {
    stage.base += leaf_at_right(0);
    group.reached |= bits_at_right(node(0).right);
    add_node(0, 0, group);
  }

 private:
  const TreeNode& node(int inside) const { return model_.nodes[tree_.first_node + inside]; }

  // The leaf that a walk reaches from node `inside` if it always goes right.
  std::int32_t leaf_at_right(int inside) const {
    int child = node(inside).right;
    while (child > 0) child = node(child).right;
    return leaf_units(model_, tree_, child, unit_);
  }
  std::int32_t leaf_of(int child) const {
    return child > 0 ? leaf_at_right(child) : leaf_units(model_, tree_, child, unit_);
  }
  std::uint32_t bits_at_right(int child) const {
    std::uint32_t bits = 0;
    for (; child > 0; child = node(child).right) bits |= 1u << bit_of(child);
    return bits;
  }
  int bit_of(int inside) const { return first_bit_ + inside - 1; }

  void add_node(int inside, int depth, ReachGroup& group) const {
    const TreeNode& n = node(inside);
    const std::uint32_t turned = bits_at_right(n.left) ^ bits_at_right(n.right);
    group.nodes.push_back({tree_.first_node + inside, depth, leaf_of(n.left) - leaf_of(n.right),
                           reach_word(inside > 0 ? bit_of(inside) : kRootBit, turned)});
    for (const int child : {n.left, n.right}) {
      if (child > 0) add_node(child, depth + 1, group);
    }
  }

  const CascadeModel& model_;
  const Tree& tree_;
  double unit_;
  int first_bit_;
};

}  // namespace

bool find_reach(const CascadeModel& model, const Stage& stage, double unit, ReachStage& result) {
  result = {};
  int bits = kReachBits;  // bits used in the newest group
  for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
    const Tree& tree = model.trees[t];
    const int below = tree.node_count - 1;
    if (below > kReachBits) return false;
    if (result.groups.empty() || bits + below > kReachBits) {
      result.groups.emplace_back();
      bits = 0;
    }
    TreeReach(model, tree, unit, bits).add_to(result, result.groups.back());
    bits += below;
  }
  return true;
}

}  // namespace winnow
