// Gives the cascades and pictures on which every backend's sieve is tested.
//
// In:     `same(cascade, pictures, factor, min_size)`, which compares a backend with the reference. `same`
//         returns an assertion result.
// Out:    a failed assertion for the first scene that differs, with its seed.
// Exact:  the same scenes on every machine, from seeds.
// Memory: a scene lives only during its call of `same`.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <winnow/cascade.h>

#include "model/samples_for_test.h"
#include "sieve/cascades_for_test.h"
#include "sieve/tiles/tile_program.h"

namespace winnow::sample {

// `size_of(random, window)`: the size of the first picture.
template <class SizeOf, class Same>
void random_scene(std::uint64_t seed, SizeOf size_of, Same same) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const Recipe recipe = random_recipe(random);
  const GrayImage first = random_picture(random, size_of(random, recipe.window));
  const GrayImage second = random_picture(
      random, {recipe.window.width + random.between(-1, 20), recipe.window.height + random.between(-1, 20)});
  CascadeModel model = random_cascade(random, recipe, first.view());
  // OpenCV's LBP cascades have no flat windows. With windows that may be flat, another kernel judges an LBP
  // cascade.
  if (recipe.kind == FeatureKind::kLbp && seed % 4 == 0) model.rules.flat = FlatRule::kOpenCvVariance;
  const Cascade cascade(model);
  const double factor = random.one_of(std::vector<double>{1.1, 1.3, 1.5, 2.0});
  // Levels of step 1 begin at scale 2. Some searches have only such levels.
  const Size min_size = random.chance(0.3) ? Size{2 * recipe.window.width, 2 * recipe.window.height} : Size{};
  const std::vector<GrayView> pictures{first.view(), second.view(), first.view()};
  ASSERT_TRUE(same(cascade, pictures, factor, min_size));
}

// Windows so large that sums of rectangles, and all sums of squares, need 32 bits.
template <class Same>
void large_windows(std::uint64_t seeds, int narrowest, Same same) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = seed % 3 == 0 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.window = seed < 5 ? Size{random.between(narrowest, 120), random.between(60, 100)}
                             : Size{random.between(200, 330), random.between(180, 270)};
    recipe.tilted = seed % 2 == 0;
    recipe.fractions = seed == 5;
    const GrayImage picture = random_picture(random, {recipe.window.width + 45, recipe.window.height + 21});
    const Cascade cascade(random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same(cascade, std::vector<GrayView>{picture.view()}, 1.1, Size{}));
  }
}

// Cascades of one stage of one stump, whose windows get every verdict that the first stage can give.
template <class Same>
void one_stage_only(int widest, Same same) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = seed % 2 == 0 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.window = {random.between(3, 12), random.between(3, 12)};
    recipe.stages = 1;
    recipe.most_trees = 1;
    const GrayImage picture = random_picture(random, {random.between(60, widest), random.between(20, 40)});
    const Cascade cascade(random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same(cascade, std::vector<GrayView>{picture.view()}, 1.4, Size{}));
  }
}

// Makes a cascade with one table per stage and a running sum. Most windows are rejected early, some pass all
// stages.
inline CascadeModel soft_cascade(Random& random, GrayView picture, int stages, bool tilted, int grids = 0) {
  Recipe recipe;
  recipe.grids = grids;
  recipe.window = {random.between(16, 26), random.between(16, 26)};
  recipe.stages = stages;
  recipe.most_trees = 1;
  recipe.tilted = tilted;
  recipe.running = recipe.tables = true;
  return random_cascade(random, recipe, picture);
}

// Soft cascades of hundreds of stages on pictures of several tiles, with and without skipped windows
// (`skip_rule.h`).
template <class Same>
void soft_cascades(std::uint64_t seeds, Same same) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const GrayImage picture = random_picture(random, {random.between(200, 330), random.between(150, 260)});
    CascadeModel model = soft_cascade(random, picture.view(), random.between(300, 1000), seed % 3 == 0,
                                      seed % 2 == 0 ? 300 : 0);
    for (const bool skips : {false, true}) {
      SCOPED_TRACE(skips ? "with the skip" : "without the skip");
      model.rules.skip_after_first_stage_reject = skips;
      ASSERT_TRUE(same(Cascade(model), std::vector<GrayView>{picture.view()}, 1.2, Size{}));
    }
  }
}

// Leaves of the largest allowed size. Most thresholds have sums on both sides. With a quarter of the seeds,
// no sum falls below a threshold. With another quarter, no sum reaches the last threshold.
template <class Same>
void extreme_fixed_point(std::uint64_t seeds, Same same) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const GrayImage picture = random_picture(random, {random.between(60, 150), random.between(60, 100)});
    CascadeModel model = soft_cascade(random, picture.view(), 300, false);
    for (Table& table : model.tables) {
      for (float& leaf : table.leaves) leaf = random.chance(0.5) ? -8.f : 32767.f / kScoreUnit;
    }
    for (std::size_t s = 0; s < model.stages.size(); ++s) {
      model.stages[s].threshold =
          seed % 4 == 0 ? -4096.f : -std::floor(20 * std::sqrt(static_cast<float>(s + 1)));
    }
    if (seed % 4 == 1) model.stages.back().threshold = 4096.f;
    ASSERT_TRUE(same(Cascade(model), std::vector<GrayView>{picture.view()}, 1.2, Size{}));
  }
}

// Fixed-point cascades of every kind: tables with running sums or with a sum per stage, tables followed by
// LBP stumps, stumps alone, and trees.
template <class Same>
void every_kind_of_fixed_point(std::uint64_t seeds, Size least, Same same) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    const int kind = static_cast<int>(seed % 7);
    recipe.kind = kind >= 5 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.tables = kind == 0 || kind == 1;
    recipe.running = kind != 1;
    recipe.most_nodes = kind == 4 || kind == 6 ? 7 : 1;
    recipe.tilted = kind < 5 && random.chance(0.4);
    recipe.fractions = random.chance(0.1);
    recipe.stages = random.between(1, 40);
    recipe.most_trees = random.one_of(std::vector<int>{1, 1, 3, 60});
    if (kind == 0 && random.chance(0.6)) recipe.grids = random.between(1, 40);
    recipe.window = {least.width + random.below(9), least.height + random.below(9)};
    const GrayImage picture = random_picture(
        random, {recipe.window.width + random.below(200), recipe.window.height + random.below(120)});
    const Cascade cascade(random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same(cascade, std::vector<GrayView>{picture.view()}, 1.3, Size{}));
  }
}

// More LBP stumps than the number of subsets that a device's block keeps in shared memory. The first stump
// without a kept subset lies inside a stage or at its start.
template <class Same>
void many_grids(std::uint64_t seeds, Same same) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = FeatureKind::kLbp;
    recipe.stages = random.between(6, 12);
    recipe.most_trees = 60;
    recipe.window = {random.between(20, 28), random.between(20, 28)};
    const GrayImage picture = random_picture(random, {random.between(90, 200), random.between(60, 140)});
    constexpr std::size_t kKept = kSubsetWordsEach * kTileThreads / kSubsetWords;
    CascadeModel model;
    do {
      model = random_cascade(random, recipe, picture.view());
    } while (model.nodes.size() <= kKept);
    if (seed % 3 == 0) model.rules.flat = FlatRule::kOpenCvVariance;
    ASSERT_TRUE(same(Cascade(model), std::vector<GrayView>{picture.view()}, 1.2, Size{}));
  }
}

// Cascades of at least 500 nodes, more than the kLaunchItems that travel with the launch of a kernel. The
// trees of a stage form several `TreeSet`s. Some trees have 28 nodes, the most that are evaluated whole
// (kPathBits + 1), and some have more.
template <class Same>
void many_trees(std::uint64_t seeds, Same same) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.stages = random.between(6, 12);
    recipe.most_trees = 60;
    recipe.most_nodes = random.between(2, 6);
    recipe.tilted = seed % 3 == 0;
    recipe.classic = seed % 2 == 0;
    recipe.fractions = seed % 4 == 1;
    if (seed % 4 == 3) {
      recipe.most_nodes = seed % 8 == 7 ? 30 : 28;
      recipe.classic = true;
    }
    recipe.window = {random.between(16, 26), random.between(16, 26)};
    const GrayImage picture = random_picture(random, {random.between(90, 200), random.between(60, 140)});
    CascadeModel model;
    do {
      model = random_cascade(random, recipe, picture.view());
    } while (model.nodes.size() < 500);
    ASSERT_TRUE(same(Cascade(model), std::vector<GrayView>{picture.view()}, 1.2, Size{}));
  }
}

template <class Same>
void odd_sizes(Same same) {
  Random random(7);
  Recipe recipe;
  recipe.window = {20, 18};
  const GrayImage large = random_picture(random, {64, 48});
  const Cascade cascade(random_cascade(random, recipe, large.view()));
  std::vector<GrayView> pictures{GrayView{}};
  for (const Size size : {Size{1, 1}, Size{19, 18}, Size{20, 17}, Size{20, 18}, Size{21, 18}, Size{20, 19},
                          Size{37, 41}, Size{64, 48}}) {
    pictures.push_back(large.view().crop({0, 0, size.width, size.height}));  // the stride exceeds the width
  }
  ASSERT_TRUE(same(cascade, pictures, 1.05, Size{}));
}

template <class Same>
void samples_of_the_model_room(Same same) {
  Random random(3);
  const GrayImage picture = random_picture(random, {90, 70});
  std::vector<CascadeModel> models = all();
  for (const CascadeModel& model : fixed_point()) models.push_back(model);
  for (const CascadeModel& model : models) {
    SCOPED_TRACE(model.card.name);
    ASSERT_TRUE(same(Cascade(model), std::vector<GrayView>{picture.view()}, 1.1, Size{}));
  }
}

}  // namespace winnow::sample
