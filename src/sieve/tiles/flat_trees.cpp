#include "sieve/tiles/flat_trees.h"

#include "sieve/feature_runs.h"

namespace winnow {
namespace {

class TreeFlattener {
 public:
  // `first_bit`: the number of the bit for the tree's first node below the root.
  TreeFlattener(const CascadeModel& model, const Tree& tree, double unit, int first_bit)
      : model_(model), tree_(tree), unit_(unit), first_bit_(first_bit) {}

  void add_to(FlatStage& stage, TreeSet& set) const {
    stage.base += leaf_at_right(0);
    set.path |= bits_at_right(node(0).right);
    add_node(0, 0, set);
  }

 private:
  const TreeNode& node(int inside) const { return model_.nodes[tree_.first_node + inside]; }

  // The leaf that a walk from node `inside` reaches if the walk always goes right.
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

  void add_node(int inside, int depth, TreeSet& set) const {
    const TreeNode& n = node(inside);
    const std::uint32_t flipped = bits_at_right(n.left) ^ bits_at_right(n.right);
    set.nodes.push_back({tree_.first_node + inside, depth, leaf_of(n.left) - leaf_of(n.right),
                         make_path_word(inside > 0 ? bit_of(inside) : kRootBit, flipped)});
    for (const int child : {n.left, n.right}) {
      if (child > 0) add_node(child, depth + 1, set);
    }
  }

  const CascadeModel& model_;
  const Tree& tree_;
  double unit_;
  int first_bit_;
};

}  // namespace

bool flatten_trees(const CascadeModel& model, const Stage& stage, double unit, FlatStage& result) {
  result = {};
  int bits = kPathBits;  // the number of bits that the newest set uses
  for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
    const Tree& tree = model.trees[t];
    const int below = tree.node_count - 1;
    if (below > kPathBits) return false;
    if (result.sets.empty() || bits + below > kPathBits) {
      result.sets.emplace_back();
      bits = 0;
    }
    TreeFlattener(model, tree, unit, bits).add_to(result, result.sets.back());
    bits += below;
  }
  return true;
}

}  // namespace winnow
