// Checks the trees of landmarks: the best of the tried splits, leaves worked out by hand, and draws.
#include "train/landmarks/tree_grower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "shape/shape_learner_for_test.h"

namespace winnow {
namespace {

using sample::LearnerScene;

// Eight samples of three pixels and two values. Pixel 0 tells the first three samples from the others. Pixel
// 1 is always the same, and pixel 2 does not depend on the goals.
LearnerScene two_groups() {
  LearnerScene scene;
  scene.pixels = {200, 201, 199, 10,  11,  12,  9,   8,    //
                  100, 100, 100, 100, 100, 100, 100, 100,  //
                  130, 70,  90,  140, 60,  95,  120, 80};
  const std::int32_t first[8] = {1000, 1100, 1200, -1000, -1000, -1000, -1000, -1000};
  for (const std::int32_t goal : first) scene.goals.insert(scene.goals.end(), {goal, 7});
  scene.samples = {8, 3, 2, scene.pixels.data(), scene.goals};
  return scene;
}

const std::vector<ShapePoint> kThreePlaces = {{0, 0}, {0.1F, 0}, {0, 0.1F}};

LandmarkOptions small_trees(int depth, int splits) {
  LandmarkOptions options;
  options.depth = depth;
  options.splits = splits;
  options.rate = 0.5;
  options.calm = 2;
  return options;
}

TEST(TreeGrower, TheBestSplitWinsAndLeavesAreCalmed) {
  const LearnerScene scene = two_groups();
  const auto learner = make_shape_learner_ref();
  learner->begin(scene.samples);
  const LandmarkOptions options = small_trees(1, 200);
  TreeGrower grower(*learner, scene.samples, options, kThreePlaces, 0.2);
  const GrownTree tree = grower.grow(1, 0, 0);
  ASSERT_EQ(tree.splits.size(), 1u);
  ASSERT_EQ(tree.leaves.size(), 4u);
  std::vector<std::int32_t> left(16);
  learner->goals(left);
  const auto leaf_of = [&](std::size_t sample) {
    const std::uint8_t pixels[3] = {scene.pixels[sample], scene.pixels[8 + sample],
                                    scene.pixels[16 + sample]};
    return static_cast<std::size_t>(visit_tree(tree.splits.data(), 1, pixels));
  };
  const std::size_t of_three = leaf_of(0);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(leaf_of(i), i < 3 ? of_three : 1 - of_three) << i;
    // A leaf is rate * sum / (samples + calm), with a rate of 1/2 and a calm of 2. For three samples of sums
    // 3300 and 21, and five of sums -5000 and 35, this gives:
    EXPECT_EQ(tree.leaves[2 * leaf_of(i)], i < 3 ? 330 : -357);
    EXPECT_EQ(tree.leaves[2 * leaf_of(i) + 1], i < 3 ? 2 : 3);
    EXPECT_EQ(left[2 * i], scene.goals[2 * i] - (i < 3 ? 330 : -357)) << "the learner takes leaves away";
  }
}

// One split puts a single sample with a large goal on one side. It wins against a split into two halves
// whose sums are larger.
TEST(TreeGrower, SumsCountForTheirNumberOfSamples) {
  LearnerScene scene;
  scene.pixels = {200, 10,  10,  10,  10,  10,  10,  10,   // tells the first sample from the others
                  100, 100, 100, 100, 100, 100, 100, 100,  //
                  200, 200, 200, 200, 10,  10,  10,  10};  // tells the two halves apart
  for (const int sign : {1, -1}) {
    scene.goals = {1000, 100, 100, 100, -100, -100, -100, -100};
    for (std::int32_t& goal : scene.goals) goal *= sign;
    scene.samples = {8, 3, 1, scene.pixels.data(), scene.goals};
    const auto learner = make_shape_learner_ref();
    learner->begin(scene.samples);
    LandmarkOptions options = small_trees(1, 200);
    options.rate = 1;
    options.calm = 0;
    TreeGrower grower(*learner, scene.samples, options, kThreePlaces, 0.2);
    std::vector<std::int16_t> leaves = grower.grow(1, 0, 0).leaves;
    std::sort(leaves.begin(), leaves.end(), [](int a, int b) { return std::abs(a) < std::abs(b); });
    EXPECT_EQ(leaves, (std::vector<std::int16_t>{static_cast<std::int16_t>(sign > 0 ? -14 : 14),
                                                 static_cast<std::int16_t>(sign * 1000)}));
  }
}

TEST(TreeGrower, EachLeafIsTheCalmedMeanOfItsSamples) {
  for (const int depth : {1, 3, 5}) {
    const LearnerScene scene = sample::random_learner_scene(300, 12, 3, static_cast<unsigned>(depth));
    const auto reference = make_shape_learner_ref(), cpu = make_shape_learner_cpu(2);
    reference->begin(scene.samples);
    cpu->begin(scene.samples);
    LandmarkOptions options = small_trees(depth, 4);
    options.rate = 0.01;
    options.calm = 6.5;
    std::vector<ShapePoint> places;
    for (int i = 0; i < 12; ++i) places.push_back({0.1F * static_cast<float>(i), 0});
    TreeGrower grower(*reference, scene.samples, options, places, 0.3),
        same(*cpu, scene.samples, options, places, 0.3);
    const std::size_t leaves = std::size_t{1} << depth;
    std::vector<std::int32_t> goals = scene.goals;
    for (int number = 0; number < 3; ++number) {
      const GrownTree tree = grower.grow(9, 1, number), twin = same.grow(9, 1, number);
      ASSERT_EQ(tree.splits.size(), leaves - 1);
      ASSERT_EQ(tree.leaves.size(), 3 * leaves);
      EXPECT_EQ(twin.leaves, tree.leaves);
      std::vector<std::int64_t> sums(3 * leaves), counts(leaves);
      std::vector<std::size_t> leaf_of;
      for (std::size_t i = 0; i < 300; ++i) {
        std::uint8_t pixels[12];
        for (std::size_t p = 0; p < 12; ++p) pixels[p] = scene.pixels[p * 300 + i];
        leaf_of.push_back(static_cast<std::size_t>(visit_tree(tree.splits.data(), depth, pixels)));
        ++counts[leaf_of[i]];
        for (std::size_t k = 0; k < 3; ++k) sums[3 * leaf_of[i] + k] += bounded_goal(goals[3 * i + k]);
      }
      for (std::size_t i = 0; i < 3 * leaves; ++i) {
        const double leaf = 0.01 * static_cast<double>(sums[i]) / (static_cast<double>(counts[i / 3]) + 6.5);
        EXPECT_EQ(tree.leaves[i], counts[i / 3] == 0 ? 0 : std::floor(leaf + 0.5)) << "leaf " << i;
      }
      for (std::size_t i = 0; i < 900; ++i) goals[i] -= tree.leaves[3 * leaf_of[i / 3] + i % 3];
      std::vector<std::int32_t> left(900);
      reference->goals(left);
      EXPECT_EQ(left, goals);
    }
  }
}

TEST(TreeGrower, LeavesStayWithin16Bits) {
  LearnerScene scene = two_groups();
  for (std::size_t i = 0; i < 16; ++i) scene.goals[i] = scene.goals[i] > 0 ? kMostGoal : -kMostGoal;
  scene.samples.goals = scene.goals;
  const auto learner = make_shape_learner_ref();
  learner->begin(scene.samples);
  LandmarkOptions options = small_trees(1, 50);
  options.calm = 0;
  TreeGrower grower(*learner, scene.samples, options, kThreePlaces, 0.2);
  const GrownTree tree = grower.grow(1, 0, 0);
  EXPECT_EQ(*std::max_element(tree.leaves.begin(), tree.leaves.end()), 32767);
  EXPECT_EQ(*std::min_element(tree.leaves.begin(), tree.leaves.end()), -32767);
}

TEST(TreeGrower, PixelsThatAreAllTheSameGiveOneLeaf) {
  LearnerScene scene = two_groups();
  std::fill(scene.pixels.begin(), scene.pixels.end(), 50);
  const auto learner = make_shape_learner_ref();
  learner->begin(scene.samples);
  const LandmarkOptions options = small_trees(2, 3);
  TreeGrower grower(*learner, scene.samples, options, kThreePlaces, 0.2);
  const GrownTree tree = grower.grow(1, 0, 0);
  // -85 is -1700 / 2 / (8 + 2). Leaves without samples are 0, even without calm.
  EXPECT_EQ(std::count(tree.leaves.begin(), tree.leaves.end(), 0), 6);
  EXPECT_EQ(std::count(tree.leaves.begin(), tree.leaves.end(), -85), 1);
  EXPECT_EQ(std::count(tree.leaves.begin(), tree.leaves.end(), 3), 1);
}

// Two groups of pixels that lie far apart.
TEST(TreeGrower, PixelsOfASplitLieNearEachOther) {
  const LearnerScene scene = sample::random_learner_scene(100, 8, 1, 3);
  const auto learner = make_shape_learner_ref();
  learner->begin(scene.samples);
  LandmarkOptions options = small_trees(3, 2);
  std::vector<ShapePoint> places;
  for (int i = 0; i < 8; ++i) places.push_back({i < 4 ? 0.0F : 1.0F, 0.02F * static_cast<float>(i % 4)});
  const auto drawn = [&](double closeness) {
    TreeGrower grower(*learner, scene.samples, options, places, closeness);
    std::vector<VisitSplit> splits;
    for (int tree = 0; tree < 40; ++tree) {
      const GrownTree grown = grower.grow(5, 0, tree);
      splits.insert(splits.end(), grown.splits.begin(), grown.splits.end());
    }
    return splits;
  };
  std::set<std::pair<int, int>> pairs;
  for (const VisitSplit& split : drawn(0.05)) {
    EXPECT_NE(split.first, split.second);
    EXPECT_EQ(split.first < 4, split.second < 4) << split.first << ", " << split.second;
    pairs.insert({split.first, split.second});
  }
  EXPECT_EQ(pairs.size(), 24u) << "all pairs of a group are drawn";
  int far = 0;
  for (const VisitSplit& split : drawn(100)) far += (split.first < 4) != (split.second < 4) ? 1 : 0;
  EXPECT_GT(far, 100) << "of 280 splits";
}

TEST(TreeGrower, SeedStageAndTreeGiveOtherTrees) {
  const LearnerScene scene = sample::random_learner_scene(100, 8, 1, 3);
  const std::vector<ShapePoint> places(8);
  const LandmarkOptions options = small_trees(2, 5);
  const auto leaves = [&](std::uint64_t seed, int stage, int tree) {
    const auto learner = make_shape_learner_ref();
    learner->begin(scene.samples);
    return TreeGrower(*learner, scene.samples, options, places, 1).grow(seed, stage, tree).leaves;
  };
  const auto first = leaves(1, 0, 0);
  EXPECT_EQ(leaves(1, 0, 0), first);
  EXPECT_NE(leaves(2, 0, 0), first);
  EXPECT_NE(leaves(1, 1, 0), first);
  EXPECT_NE(leaves(1, 0, 1), first);
}

}  // namespace
}  // namespace winnow
