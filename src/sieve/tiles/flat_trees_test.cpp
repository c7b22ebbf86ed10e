// Compares trees that are evaluated whole with trees that are walked.
#include "sieve/tiles/flat_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "sieve/cascades_for_test.h"
#include "sieve/feature_runs.h"

namespace winnow {
namespace {

using sample::Random;

// `left`: for each node of the model, whether a window goes left there.
std::int32_t walked(const CascadeModel& model, const Stage& stage, double unit,
                    const std::vector<bool>& left) {
  std::int32_t sum = 0;
  for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
    const Tree& tree = model.trees[t];
    int inside = 0;
    do {
      const int node = tree.first_node + inside;
      inside = left[static_cast<std::size_t>(node)] ? model.nodes[node].left : model.nodes[node].right;
    } while (inside > 0);
    sum += leaf_units(model, tree, inside, unit);
  }
  return sum;
}

std::int32_t evaluated(const FlatStage& stage, const std::vector<bool>& left) {
  std::int32_t sum = stage.base;
  for (const TreeSet& set : stage.sets) {
    std::uint32_t path = set.path;
    std::vector<FlatNode> nodes = set.nodes;
    std::ranges::stable_sort(nodes, {}, &FlatNode::depth);
    for (const FlatNode& node : nodes) {
      if (!left[static_cast<std::size_t>(node.node)] || (path & own_bit(node.path_word)) == 0) continue;
      sum += node.delta;
      path ^= flipped_bits(node.path_word);
    }
  }
  return sum;
}

TEST(FlatTrees, SumsAreThoseOfTheWalks) {
  int nodes_below = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    sample::Recipe recipe;
    recipe.window = {20, 20};
    recipe.most_trees = 40;
    recipe.most_nodes = random.between(1, 12);
    const GrayImage picture = sample::random_picture(random, {60, 50});
    const CascadeModel model = sample::random_cascade(random, recipe, picture.view());
    std::vector<bool> left(model.nodes.size());
    for (const Stage& stage : model.stages) {
      const double unit = leaf_unit(model, stage);
      FlatStage found;
      ASSERT_TRUE(flatten_trees(model, stage, unit, found));
      for (int round = 0; round < 50; ++round) {
        for (std::size_t i = 0; i < left.size(); ++i) left[i] = random.chance(round * 0.02);
        ASSERT_EQ(evaluated(found, left), walked(model, stage, unit, left)) << "seed " << seed;
      }
      for (const TreeSet& set : found.sets) {
        std::uint32_t seen = 0;
        for (const FlatNode& node : set.nodes) {
          EXPECT_EQ(node.depth == 0, own_bit(node.path_word) == 1u << kRootBit);
          if (node.depth == 0) continue;
          EXPECT_LT(own_bit(node.path_word), 1u << kPathBits);
          EXPECT_EQ(seen & own_bit(node.path_word), 0u);
          seen |= own_bit(node.path_word);
          ++nodes_below;
        }
      }
    }
  }
  EXPECT_GT(nodes_below, 1000);
}

// A tree of `nodes` nodes. Each node but the root is the right child of the node before, or the left child.
CascadeModel chain(int nodes, bool right) {
  CascadeModel model;
  model.window = {20, 20};
  model.haar.resize(1);
  model.trees.push_back({0, nodes, 0});
  for (int i = 0; i < nodes; ++i) {
    const int next = i + 1 < nodes ? i + 1 : -nodes;
    model.nodes.push_back({right ? -i : next, right ? next : -i, 0, 0.f});
  }
  for (int i = 0; i <= nodes; ++i) model.leaves.push_back(static_cast<float>(1 << i % 5));
  model.stages.push_back({});
  model.stages[0].tree_count = 1;
  return model;
}

TEST(FlatTrees, TreesWithTooManyNodesAreRefused) {
  for (const bool right : {false, true}) {
    FlatStage found;
    const CascadeModel most = chain(kPathBits + 1, right), more = chain(kPathBits + 2, right);
    ASSERT_TRUE(flatten_trees(most, most.stages[0], 1, found));
    EXPECT_EQ(std::popcount(found.sets[0].path), right ? kPathBits + 1 : 1);
    for (int node = 0; node <= kPathBits + 1; ++node) {
      std::vector<bool> left(most.nodes.size(), !right);
      if (node <= kPathBits) left[static_cast<std::size_t>(node)] = right;
      EXPECT_EQ(evaluated(found, left), walked(most, most.stages[0], 1, left)) << node;
    }
    EXPECT_FALSE(flatten_trees(more, more.stages[0], 1, found));
  }
}

TEST(FlatTrees, ASetHasAsManyTreesAsItsBitsHold) {
  CascadeModel model = chain(2, true);
  for (int t = 1; t < 60; ++t) model.trees.push_back({0, 2, 0});
  model.stages[0].tree_count = 60;
  FlatStage found;
  ASSERT_TRUE(flatten_trees(model, model.stages[0], 1, found));
  ASSERT_EQ(found.sets.size(), 3u);
  EXPECT_EQ(found.sets[0].nodes.size(), 2u * kPathBits);
  EXPECT_EQ(found.sets[1].nodes.size(), 2u * kPathBits);
  EXPECT_EQ(found.sets[2].nodes.size(), 2u * (60 - 2 * kPathBits));
}

}  // namespace
}  // namespace winnow
