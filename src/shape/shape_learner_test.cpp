// Compares the learner of `reference` with sums worked out by hand, and the learner of `cpu` with
// `reference`.
#include "shape/shape_learner.h"

#include <gtest/gtest.h>

#include "base/simd_for_test.h"
#include "shape/shape_learner_for_test.h"

namespace winnow {
namespace {

using namespace sample;

TEST(ShapeLearner, AddsUpTheLeftSide) {
  // Two pixels of three samples, and two numbers of a leaf.
  const std::vector<std::uint8_t> pixels = {10, 20, 30, 5, 20, 10};
  const std::vector<std::int32_t> goals = {1, -1, 10, -10, 3 * kMostGoal, -3 * kMostGoal};
  const auto learner = make_shape_learner_ref();
  learner->begin({3, 2, 2, pixels.data(), goals});
  SplitSums sums;
  // Pixel 0 minus pixel 1 is 5, 0 and 20 in the three samples.
  learner->try_splits(0, std::vector<VisitSplit>{{0, 1, 4}, {0, 1, 5}, {1, 0, -1}, {0, 0, -1}}, sums);
  EXPECT_EQ(sums.counts, (std::vector<std::int32_t>{2, 1, 1, 3}));
  EXPECT_EQ(sums.sums, (std::vector<std::int64_t>{kMostGoal + 1, -kMostGoal - 1, kMostGoal, -kMostGoal, 10,
                                                  -10, kMostGoal + 11, -kMostGoal - 11}));
  learner->split(std::vector<VisitSplit>{{0, 1, 4}});  // samples 0 and 2 go left
  learner->try_splits(1, std::vector<VisitSplit>{{0, 1, 5}, {0, 0, -1}}, sums);
  EXPECT_EQ(sums.counts, (std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(sums.sums, (std::vector<std::int64_t>{kMostGoal, -kMostGoal, 10, -10}));
  learner->add_leaves(std::vector<std::int16_t>{7, 8, -9, 4});
  std::vector<std::int32_t> left(6);
  learner->goals(left);
  EXPECT_EQ(left, (std::vector<std::int32_t>{-6, -9, 19, -14, 3 * kMostGoal - 7, -3 * kMostGoal - 8}));
  learner->try_splits(0, std::vector<VisitSplit>{{0, 0, -1}}, sums);  // all samples are in the root again
  EXPECT_EQ(sums.counts, (std::vector<std::int32_t>{3}));
}

TEST(ShapeLearner, CpuGivesTheSumsOfTheReference) {
  const GiveTargetBack restore;
  const auto reference = make_shape_learner_ref();
  unsigned seed = 0;
  for (const LearnerCase& each : learner_cases()) {
    const LearnerScene scene = random_learner_scene(each.count, each.pixels, each.values, ++seed);
    for (const std::string& target : simd_targets()) {
      simd_force(target);
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(target + ", case " + std::to_string(seed));
        const auto cpu = make_shape_learner_cpu(threads);
        expect_same_trees(*reference, *cpu, scene, each.depth, each.tries, seed);
      }
    }
  }
}

}  // namespace
}  // namespace winnow
