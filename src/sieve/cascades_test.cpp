#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <winnow/cascade.h>

#include "model/check.h"
#include "scale/integral.h"
#include "sieve/cascades_for_test.h"
#include "sieve/stages.h"
#include "sieve/stages_rule.h"

namespace winnow::sample {
namespace {

Box random_rect(Random& random, Size window) {
  const int w = random.between(1, window.width), h = random.between(1, window.height);
  return {random.between(0, window.width - w), random.between(0, window.height - h), w, h};
}

Box random_tilted_rect(Random& random, Size window) {
  const int side = std::min(window.width, window.height);
  const int w = random.between(1, side - 1), h = random.between(1, side - w);
  return {random.between(h, window.width - w), random.between(0, window.height - w - h), w, h};
}

// Draws one of the shapes that trained cascades have, such as two halves, a middle strip or a checkerboard.
// Returns false if the drawn shape is a single cell or does not fit the window.
bool classic_feature(Random& random, Size window, HaarFeature& feature) {
  const int nx = random.between(1, 3), ny = random.between(1, 3);
  if (nx * ny == 1 || window.width < nx || window.height < ny) return false;
  const int w = random.between(1, window.width / nx), h = random.between(1, window.height / ny);
  const int x = random.between(0, window.width - nx * w), y = random.between(0, window.height - ny * h);
  feature.rects[0] = {{x, y, nx * w, ny * h}, -1.f};
  if (nx == 2 && ny == 2) {
    feature.rects[1] = {{x, y, w, h}, 2.f};
    feature.rects[2] = {{x + w, y + h, w, h}, 2.f};
    if (random.chance(0.5)) {
      for (HaarRect& rect : feature.rects) rect.weight = -rect.weight;
    }
    return true;
  }
  const int cell_x = nx == 3 ? 1 : random.below(nx), cell_y = ny == 3 ? 1 : random.below(ny);
  feature.rects[1] = {{x + cell_x * w, y + cell_y * h, w, h}, static_cast<float>(nx * ny)};
  return true;
}

HaarFeature random_haar(Random& random, const Recipe& recipe) {
  const Size window = recipe.window;
  HaarFeature feature;
  if (recipe.classic) {
    while (!classic_feature(random, window, feature)) continue;
    return feature;
  }
  feature.tilted = recipe.tilted && std::min(window.width, window.height) >= 2 && random.chance(0.5);
  if (!feature.tilted && random.chance(0.6) && classic_feature(random, window, feature)) return feature;
  const int rects = random.between(1, 3);
  for (int i = 0; i < rects; ++i) {
    HaarRect& rect = feature.rects[static_cast<std::size_t>(i)];
    rect.box = feature.tilted ? random_tilted_rect(random, window) : random_rect(random, window);
    rect.weight = static_cast<float>(random.between(-4, 4));
    if (random.chance(0.05)) rect.weight = static_cast<float>(random.between(-80, 80));
    if (recipe.fractions) rect.weight = static_cast<float>(random.real(-3, 3));
    if (recipe.fractions && random.chance(0.03)) rect.weight *= 1e30f;
    if (i > 0 && rect.weight == 0) rect.box = {};
  }
  return feature;
}

LbpFeature random_lbp(Random& random, Size window) {
  const int w = random.between(1, window.width / 3), h = random.between(1, window.height / 3);
  return {{random.between(0, window.width - 3 * w), random.between(0, window.height - 3 * h), w, h}};
}

// Makes a tree that grows at random places, with its leaves in random order. In one tree of ten, one leaf
// appears twice.
std::vector<TreeNode> random_tree(Random& random, int nodes) {
  std::vector<TreeNode> tree(static_cast<std::size_t>(nodes));
  std::vector<int> name(static_cast<std::size_t>(nodes)), leaves(static_cast<std::size_t>(nodes) + 1);
  std::iota(name.begin(), name.end(), 0);
  std::iota(leaves.begin(), leaves.end(), 0);
  const auto shuffle = [&](std::vector<int>& list, int from) {
    for (int i = static_cast<int>(list.size()) - 1; i > from; --i) {
      std::swap(list[static_cast<std::size_t>(i)], list[static_cast<std::size_t>(random.between(from, i))]);
    }
  };
  shuffle(name, 1);  // the root stays node 0
  shuffle(leaves, 0);
  std::vector<std::int32_t*> open{&tree[0].left, &tree[0].right};
  for (int i = 1; i < nodes; ++i) {
    const int at = random.below(static_cast<int>(open.size()));
    const int child = name[static_cast<std::size_t>(i)];
    *open[static_cast<std::size_t>(at)] = child;
    open.erase(open.begin() + at);
    open.push_back(&tree[static_cast<std::size_t>(child)].left);
    open.push_back(&tree[static_cast<std::size_t>(child)].right);
  }
  for (std::size_t i = 0; i < open.size(); ++i) *open[i] = -leaves[i];
  if (random.chance(0.1)) *open[0] = *open[1];
  return tree;
}

float random_leaf(Random& random, int style) {
  switch (style) {
    case 0:
      return static_cast<float>(random.between(-32, 32)) / 16;
    case 1:
      return static_cast<float>(random.real(-1, 1));
    case 2:
      return static_cast<float>(random.between(0, 1));
    case 3:
      return static_cast<float>(random.real(-1, 1) * std::pow(10.0, random.between(-40, 6)));
    default:
      return static_cast<float>(random.real(-1e30, 1e30));
  }
}

// A leaf of a fixed-point cascade: a whole number of units.
float random_units(Random& random) {
  const int size = random.chance(0.1) ? 32767 : random.chance(0.5) ? 4096 : 3;
  return static_cast<float>(random.between(-size, size)) / static_cast<float>(kScoreUnit);
}

class Maker {
 public:
  Maker(Random& random, const Recipe& recipe, GrayView picture)
      : random_(random),
        recipe_(recipe),
        sum_(picture.width + 1, picture.height + 1),
        square_(picture.width + 1, picture.height + 1),
        tilted_(picture.width + 1, picture.height + 1) {
    integral_ref(picture, {sum_.view(), square_.view(), tilted_.view()});
    model_.kind = recipe.kind;
    model_.window = recipe.window;
    set_rules();
    find_windows(picture.size());
  }

  CascadeModel make() {
    const int features = random_.between(1, 12);
    for (int i = 0; i < features; ++i) {
      if (recipe_.kind == FeatureKind::kHaar) model_.haar.push_back(random_haar(random_, recipe_));
      if (recipe_.kind == FeatureKind::kLbp) model_.lbp.push_back(random_lbp(random_, recipe_.window));
    }
    for (int s = 0; s < recipe_.stages; ++s) add_stage(recipe_.kind, recipe_.tables);
    for (int i = 0; i < std::min(recipe_.grids, 9); ++i)
      model_.lbp.push_back(random_lbp(random_, recipe_.window));
    for (int s = 0; s < recipe_.grids; ++s) add_stage(FeatureKind::kLbp, false);
    make_canonical(model_);
    return std::move(model_);
  }

 private:
  bool fixed_point() const { return recipe_.running || recipe_.tables; }

  void set_rules() {
    ModelRules& rules = model_.rules;
    rules = opencv_rules(recipe_.kind);
    if (random_.chance(0.5) || fixed_point()) rules.threshold_slack = 0;
    if (recipe_.running) rules.sum = SumRule::kRunning;
    if (random_.chance(0.1)) rules.skip_after_first_stage_reject = false;
    if (random_.chance(0.1))
      rules.flat = rules.flat == FlatRule::kNone ? FlatRule::kOpenCvVariance : FlatRule::kNone;
    if (std::min(recipe_.window.width, recipe_.window.height) < 3) rules.flat = FlatRule::kNone;
  }

  // Finds some windows of the picture that are not flat.
  void find_windows(Size picture) {
    const Size w = recipe_.window;
    for (int i = 0; i < 150; ++i) {
      const int x = random_.between(0, picture.width - w.width),
                y = random_.between(0, picture.height - w.height);
      WindowSums window{sum_.row(y) + x, tilted_.row(y) + x, picture.width + 1, 1.f};
      if (model_.rules.flat == FlatRule::kOpenCvVariance) {
        const auto inner = [&](const Image<std::uint32_t>& plane) {
          const std::uint32_t *top = plane.row(y + 1) + x, *bottom = plane.row(y + w.height - 1) + x;
          return top[1] - top[w.width - 1] - bottom[1] + bottom[w.width - 1];
        };
        const WindowNorm norm =
            window_norm(static_cast<double>(w.width - 2) * (w.height - 2), inner(sum_), inner(square_));
        if (norm.flat) continue;
        window.norm = norm.factor;
      }
      living_.push_back({window, 0});
    }
  }

  // The value that a node compares with its threshold.
  float value(const HaarFeature& feature, const WindowSums& w) const {
    std::uint32_t sums[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const Box& r = feature.rects[i].box;
      const auto at = [&](int x, int y) { return (feature.tilted ? w.tilted : w.sum)[y * w.stride + x]; };
      sums[i] = feature.tilted
                    ? at(r.x, r.y) - at(r.x - r.height, r.y + r.height) - at(r.x + r.width, r.y + r.width) +
                          at(r.x + r.width - r.height, r.y + r.width + r.height)
                    : at(r.x, r.y) - at(r.x + r.width, r.y) - at(r.x, r.y + r.height) +
                          at(r.x + r.width, r.y + r.height);
    }
    return haar_value(feature, sums[0], sums[1], sums[2]) * w.norm;
  }

  void add_node(TreeNode node, FeatureKind kind) {
    const bool haar = kind == FeatureKind::kHaar;
    node.feature = random_.below(static_cast<int>(haar ? model_.haar.size() : model_.lbp.size()));
    if (haar && !living_.empty()) {
      const float met =
          value(model_.haar[static_cast<std::size_t>(node.feature)], random_.one_of(living_).window);
      if (std::isfinite(met)) node.threshold = met;
    }
    if (!haar) {
      LbpSubset subset{};
      for (std::int32_t& word : subset) word = static_cast<std::int32_t>(random_.bits());
      if (random_.chance(0.3)) {
        for (std::int32_t& word : subset) word |= static_cast<std::int32_t>(random_.bits());
      }
      model_.subsets.push_back(subset);
    }
    model_.nodes.push_back(node);
  }

  // Adds a table. The first bin begins at the value of one window, and the value of a second window sets the
  // width of the bins. Most bins therefore have windows.
  void add_table() {
    Table table;
    table.feature = random_.below(static_cast<int>(model_.haar.size()));
    if (!living_.empty()) {
      const auto met = [&] {
        const float v =
            value(model_.haar[static_cast<std::size_t>(table.feature)], random_.one_of(living_).window);
        return std::isfinite(v) ? v : 0.f;
      };
      const float low = met(), high = met();
      table.low = low;
      const float per_unit = std::abs(static_cast<float>(random_.between(1, 40)) / (high - low));
      if (std::isfinite(per_unit)) table.per_unit = per_unit;
    }
    for (float& leaf : table.leaves) leaf = random_units(random_);
    model_.tables.push_back(table);
  }

  void add_stage(FeatureKind kind, bool tables) {
    Stage stage;
    stage.first_tree = static_cast<std::int32_t>(model_.weak_count());
    stage.tree_count = random_.between(1, recipe_.most_trees);
    const int style = random_.chance(0.02) ? 4 : random_.below(4);
    for (int t = 0; t < stage.tree_count; ++t) {
      if (tables) {
        add_table();
        continue;
      }
      const int nodes = recipe_.tables ? 1 : random_.between(1, recipe_.most_nodes);
      model_.trees.push_back({static_cast<std::int32_t>(model_.nodes.size()), nodes,
                              static_cast<std::int32_t>(model_.leaves.size())});
      for (const TreeNode& node : random_tree(random_, nodes)) add_node(node, kind);
      for (int l = 0; l <= nodes; ++l)
        model_.leaves.push_back(fixed_point() ? random_units(random_) : random_leaf(random_, style));
    }
    find_threshold(stage);
    model_.stages.push_back(stage);
  }

  // Makes the sum of a living window the stage's limit, and drops the windows with smaller sums. The loop
  // looks for a threshold for which `stage_limit` gives exactly that sum.
  void find_threshold(Stage& stage) {
    if (living_.empty()) return;
    for (Living& w : living_) w.sum = stage_sum(model_, stage, w.window, recipe_.running ? w.sum : 0);
    std::sort(living_.begin(), living_.end(), [](const Living& a, const Living& b) { return a.sum < b.sum; });
    const double fraction =
        random_.chance(0.2) ? 0 : random_.real(0, recipe_.stages > 10 && !model_.stages.empty() ? 0.1 : 0.7);
    const double wanted =
        living_[static_cast<std::size_t>(fraction * static_cast<double>(living_.size() - 1))].sum;
    stage.threshold = static_cast<float>(wanted) + model_.rules.threshold_slack;
    for (const float direction : {-1e30f, 1e30f}) {
      if (stage_limit(stage, model_.rules) == static_cast<float>(wanted)) break;
      Stage other = stage;
      other.threshold = std::nextafter(stage.threshold, direction);
      if (stage_limit(other, model_.rules) == static_cast<float>(wanted)) stage = other;
    }
    const float limit = stage_limit(stage, model_.rules);
    std::erase_if(living_, [&](const Living& w) { return stage_rejects(w.sum, limit); });
  }

  Random& random_;
  const Recipe recipe_;
  Image<std::uint32_t> sum_, square_, tilted_;
  struct Living {
    WindowSums window;
    double sum;
  };
  std::vector<Living> living_;
  CascadeModel model_;
};

}  // namespace

Recipe random_recipe(Random& random) {
  Recipe recipe;
  if (random.chance(0.3)) recipe.kind = FeatureKind::kLbp;
  const int size = random.below(20);
  const int least = recipe.kind == FeatureKind::kLbp ? 3 : 1;
  const int small = size == 0 ? 60 : size == 1 ? 40 : least, large = size == 0 ? 120 : size == 1 ? 100 : 40;
  recipe.window = {random.between(small, large), random.between(small, large)};
  recipe.stages = random.between(1, 6);
  recipe.most_trees = random.one_of(std::vector<int>{1, 2, 5, 10, 20});
  recipe.most_nodes = random.one_of(std::vector<int>{1, 1, 1, 2, 2, 3, 8});
  if (random.chance(0.01)) recipe.most_nodes = 100;
  recipe.tilted = random.chance(0.3);
  recipe.fractions = random.chance(0.2);
  recipe.running = random.chance(0.3);
  recipe.tables = recipe.kind == FeatureKind::kHaar && random.chance(0.25);
  if (recipe.running || recipe.tables) recipe.most_nodes = std::min(recipe.most_nodes, 7);
  // Soft cascades check their sum after every one or two weak classifiers.
  if (recipe.running && random.chance(0.7)) {
    recipe.stages = random.between(1, 60);
    recipe.most_trees = random.between(1, 2);
  }
  if (recipe.running && recipe.tables && std::min(recipe.window.width, recipe.window.height) >= 3 &&
      random.chance(0.5))
    recipe.grids = random.between(1, 50);
  return recipe;
}

CascadeModel random_cascade(Random& random, const Recipe& recipe, GrayView picture) {
  return Maker(random, recipe, picture).make();
}

}  // namespace winnow::sample

namespace winnow {
namespace {

TEST(RandomCascades, AreAcceptedAndLetSomeThrough) {
  std::int64_t windows = 0, passed = 0, rejected_first = 0, flat = 0;
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    sample::Random random(static_cast<std::uint64_t>(seed));
    const sample::Recipe recipe = sample::random_recipe(random);
    const Size size{recipe.window.width + 20, recipe.window.height + 20};
    const GrayImage picture = sample::random_picture(random, size);
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    LevelPlan plan;
    plan_levels({size, recipe.window, 1.2, {}, {}}, plan);
    SieveResult result;
    make_sieve_ref(cascade)->run(picture.view(), plan, result);
    windows += result.windows;
    passed += result.reached.back();
    rejected_first += result.reached[0] - result.reached[1];
    flat += result.flat;
  }
  EXPECT_GT(passed, windows / 50);
  EXPECT_GT(rejected_first, windows / 20);
  EXPECT_GT(flat, 0);
}

}  // namespace
}  // namespace winnow
