// Makes samples and splits for tests of learners, and compares learners.
//
// Exact:  the same for the same seed.
// Memory: a `LearnerScene` owns what its samples point at.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "shape/shape_learner.h"

namespace winnow::sample {

struct LearnerScene {
  std::vector<std::uint8_t> pixels;
  std::vector<std::int32_t> goals;
  ShapeSamples samples;
};

inline LearnerScene random_learner_scene(std::size_t count, int pixels, int values, unsigned seed) {
  std::mt19937 random(seed);
  LearnerScene scene;
  for (std::size_t i = 0; i < count * static_cast<std::size_t>(pixels); ++i)
    scene.pixels.push_back(static_cast<std::uint8_t>(random() & 255));
  std::uniform_int_distribution<std::int32_t> goal(-2 * kMostGoal, 2 * kMostGoal);
  for (std::size_t i = 0; i < count * static_cast<std::size_t>(values); ++i)
    scene.goals.push_back(i % 3 == 0 ? goal(random) : goal(random) / 1000);
  scene.samples = {count, pixels, values, scene.pixels.data(), scene.goals};
  return scene;
}

inline std::vector<VisitSplit> random_splits(std::size_t count, int pixels, std::mt19937& random) {
  std::vector<VisitSplit> splits;
  for (std::size_t i = 0; i < count; ++i) {
    const auto pixel = [&] { return static_cast<std::uint16_t>(random() % static_cast<unsigned>(pixels)); };
    const std::uint16_t first = pixel();
    splits.push_back({first, pixel(), static_cast<std::int16_t>(static_cast<int>(random() % 512) - 256)});
  }
  return splits;
}

// Grows two trees of random splits with both learners, and compares all sums and goals.
inline void expect_same_trees(ShapeLearner& wanted, ShapeLearner& got, const LearnerScene& scene, int depth,
                              int tries, unsigned seed) {
  std::mt19937 random(seed);
  const int pixels = scene.samples.pixels;
  const auto values = static_cast<std::size_t>(scene.samples.values);
  wanted.begin(scene.samples);
  got.begin(scene.samples);
  SplitSums wanted_sums, got_sums;
  for (int tree = 0; tree < 2; ++tree) {
    for (int level = 0; level < depth; ++level) {
      const std::size_t nodes = std::size_t{1} << level;
      const auto splits = random_splits(nodes * static_cast<std::size_t>(tries), pixels, random);
      wanted.try_splits(level, splits, wanted_sums);
      got.try_splits(level, splits, got_sums);
      EXPECT_EQ(got_sums.counts, wanted_sums.counts) << "level " << level;
      EXPECT_EQ(got_sums.sums, wanted_sums.sums) << "level " << level;
      const auto chosen = random_splits(nodes, pixels, random);
      wanted.split(chosen);
      got.split(chosen);
    }
    std::vector<std::int16_t> leaves;
    for (std::size_t i = 0; i < values << depth; ++i) leaves.push_back(static_cast<std::int16_t>(random()));
    wanted.add_leaves(leaves);
    got.add_leaves(leaves);
  }
  std::vector<std::int32_t> wanted_goals(scene.goals.size()), got_goals(scene.goals.size());
  wanted.goals(wanted_goals);
  got.goals(got_goals);
  EXPECT_EQ(got_goals, wanted_goals);
}

struct LearnerCase {
  std::size_t count;
  int pixels, values, depth, tries;
};

// In some cases the samples just fill chunks, nearly fill chunks, or are one more. In some cases the numbers
// of a leaf fill whole vectors. Some cases have one sample, or many nodes.
inline std::vector<LearnerCase> learner_cases() {
  return {{1, 2, 1, 1, 1},      {257, 9, 32, 4, 20},   {512, 30, 33, 3, 7}, {1025, 40, 136, 2, 33},
          {700, 12, 68, 8, 3},  {300, 5, 16, 3, 70},   {2000, 8, 5, 5, 4},  {256, 3, 64, 1, 64},
          {5, 300, 10, 4, 100}, {1300, 20, 31, 4, 32}, {1500, 30, 1, 3, 40}};
}

}  // namespace winnow::sample
