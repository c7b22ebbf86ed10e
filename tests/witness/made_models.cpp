#include "made_models.h"

#include <algorithm>
#include <cmath>

namespace witness {
namespace {

using namespace winnow;

Box random_upright(Random& random, Size window, int cells) {
  const int w = random.between(1, window.width / cells), h = random.between(1, window.height / cells);
  return {random.between(0, window.width - cells * w), random.between(0, window.height - cells * h), w, h};
}

Box random_tilted(Random& random, Size window) {
  const int w = random.between(1, std::min(window.width - 1, window.height - 1));
  const int h = random.between(1, std::min(window.width, window.height) - w);
  return {random.between(h, window.width - w), random.between(0, window.height - w - h), w, h};
}

// Adds a tree of `count` nodes. Each new node becomes the child at a random open end of the tree. The ends
// that stay open become leaves.
void add_tree(Random& random, int count, int features, double largest, CascadeModel& model) {
  Tree tree;
  tree.first_node = static_cast<std::int32_t>(model.nodes.size());
  tree.node_count = count;
  tree.first_leaf = static_cast<std::int32_t>(model.leaves.size());
  const std::size_t first = model.nodes.size();
  model.nodes.resize(first + static_cast<std::size_t>(count));
  std::vector<std::int32_t*> open;
  for (int n = 0; n < count; ++n) {
    if (n > 0) {
      const std::size_t i = static_cast<std::size_t>(random.below(static_cast<int>(open.size())));
      *open[i] = n;
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    }
    TreeNode& node = model.nodes[first + static_cast<std::size_t>(n)];
    node.feature = random.below(features);
    if (model.kind == FeatureKind::kHaar) {
      node.threshold = random.one_in(5) ? 0.f : static_cast<float>((random.real() - 0.5) * largest);
    } else {
      LbpSubset subset{};
      for (std::int32_t& word : subset) word = static_cast<std::int32_t>(random.next());
      model.subsets.push_back(subset);
    }
    open.push_back(&node.left);
    open.push_back(&node.right);
  }
  for (std::size_t i = 0; i < open.size(); ++i) *open[i] = -static_cast<std::int32_t>(i);
  model.trees.push_back(tree);
}

// Sets leaves so that a stage's sum is OpenCV's limit, a float next to this limit, or the threshold. The
// limit is (float)threshold - 1e-5f. The first tree's leaves give the sum, and all other leaves are 0.
void put_on_limit(Random& random, const Stage& stage, CascadeModel& model) {
  const float limit = stage.threshold - 1e-5f;
  const Tree& first = model.trees[static_cast<std::size_t>(stage.first_tree)];
  for (std::size_t leaf = static_cast<std::size_t>(first.first_leaf); leaf < model.leaves.size(); ++leaf) {
    const bool decides = leaf <= static_cast<std::size_t>(first.first_leaf + first.node_count);
    const float near[] = {limit, std::nextafter(limit, -1e30f), std::nextafter(limit, 1e30f),
                          stage.threshold};
    model.leaves[leaf] = decides ? near[random.below(4)] : 0.f;
  }
}

}  // namespace

HaarFeature random_haar(Random& random, Size window) {
  HaarFeature feature;
  feature.tilted = window.width > 2 && window.height > 2 && random.one_in(3);
  const int rects = random.pick({2, 2, 3});
  for (int r = 0; r < rects; ++r) {
    HaarRect& rect = feature.rects[static_cast<std::size_t>(r)];
    rect.box = feature.tilted ? random_tilted(random, window) : random_upright(random, window, 1);
    rect.weight = static_cast<float>(random.pick({-4, -3, -2, -1, 1, 2, 3, 9}));
  }
  if (random.one_in(3)) feature.rects[1].weight = static_cast<float>(random.real() * 4 - 2) + 0.01f;
  const auto area = [](const HaarRect& r) { return static_cast<float>(r.box.width * r.box.height); };
  if (random.below(3) > 0)  // balanced, so that the value of even ground is about 0
    feature.rects[1].weight = -feature.rects[0].weight * area(feature.rects[0]) / area(feature.rects[1]);
  return feature;
}

CascadeModel first_stages(CascadeModel model, int stages) {
  model.stages.resize(static_cast<std::size_t>(stages));
  model.trees.resize(
      static_cast<std::size_t>(model.stages.back().first_tree + model.stages.back().tree_count));
  const Tree& last = model.trees.back();
  model.nodes.resize(static_cast<std::size_t>(last.first_node + last.node_count));
  model.leaves.resize(static_cast<std::size_t>(last.first_leaf + last.node_count + 1));
  if (!model.subsets.empty()) model.subsets.resize(model.nodes.size());
  return model;
}

CascadeModel random_model(Random random, FeatureKind kind) {
  CascadeModel model;
  model.kind = kind;
  // 15 and 35 times 1.1f, and 30 times 1.05f, become halves only by rounding to float. With these sides, the
  // rounding decides a box's size.
  const auto side = [&] { return random.one_in(3) ? random.pick({15, 30, 35}) : random.between(4, 36); };
  model.window.width = side();
  model.window.height = side();
  // The pixels of such a window may add up to 2^24 and more. The picture must be as large as the window.
  if (random.one_in(8)) model.window = {random.between(250, 300), random.between(240, 290)};
  if (kind == FeatureKind::kLbp) model.rules.flat = FlatRule::kNone;
  const int features = random.between(2, 40);
  for (int i = 0; i < features; ++i) {
    if (kind == FeatureKind::kHaar)
      model.haar.push_back(random_haar(random, model.window));
    else
      model.lbp.push_back({random_upright(random, model.window, 3)});
  }
  const int depth = random.pick({1, 1, 2, 3, 7}), leaf_kind = random.below(4);
  const double largest = random.pick({0.003, 0.03, 0.1});
  const int stages = random.pick({1, 2, 2, 3, 3, 4, 5});
  for (int s = 0; s < stages; ++s) {
    Stage stage;
    stage.first_tree = static_cast<std::int32_t>(model.trees.size());
    stage.tree_count = random.between(1, 8);
    double spread = 0;
    for (int t = 0; t < stage.tree_count; ++t) {
      const int nodes = random.between(1, depth);
      add_tree(random, nodes, features, largest, model);
      for (int leaf = 0; leaf <= nodes; ++leaf) {
        double value = random.real() * 2 - 1;
        if (leaf_kind == 1) value = std::round(value * 4) / 4;                // sums tie with the threshold
        if (leaf_kind == 2) value *= std::pow(10.0, random.between(-12, 4));  // leaves have no common grid
        model.leaves.push_back(static_cast<float>(value));
        spread = std::max(spread, std::abs(value));
      }
    }
    const double threshold = -0.6 * spread * std::sqrt(stage.tree_count);
    stage.threshold = static_cast<float>(leaf_kind == 1 ? std::round(threshold * 4) / 4 : threshold);
    if (leaf_kind == 3) put_on_limit(random, stage, model);
    model.stages.push_back(stage);
  }
  return model;
}

}  // namespace witness
