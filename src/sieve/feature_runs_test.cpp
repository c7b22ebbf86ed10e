#include "sieve/feature_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include <winnow/error.h>

#include "sieve/cascades_for_test.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

using sample::Random;

std::vector<FeatureForm> shapes_of(const CascadeModel& model) {
  std::vector<FeatureForm> shapes;
  for (const HaarFeature& feature : model.haar) shapes.push_back(shape_haar_wide(feature));
  for (const LbpFeature& feature : model.lbp) shapes.push_back(shape_lbp(feature));
  return shapes;
}

CascadeModel cascade(std::uint64_t seed, FeatureKind kind) {
  Random random(seed);
  sample::Recipe recipe;
  recipe.kind = kind;
  recipe.window = {20, 24};
  recipe.stages = 5;
  const GrayImage picture = sample::random_picture(random, {60, 60});
  return sample::random_cascade(random, recipe, picture.view());
}

TEST(FeatureRuns, EveryNodeIsInOneRunOfItsShape) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CascadeModel model = cascade(seed, seed % 2 == 0 ? FeatureKind::kHaar : FeatureKind::kLbp);
    const std::vector<FeatureForm> shapes = shapes_of(model);
    for (const Stage& stage : model.stages) {
      const SummedStage sum = sum_stage(model, stage, shapes);
      ASSERT_FALSE(sum.needs_doubles);
      ASSERT_EQ(static_cast<int>(sum.nodes.size()), sum.node_count);
      std::int32_t next = 0;
      for (const FeatureRun& run : sum.runs) {
        EXPECT_EQ(run.first, next);
        EXPECT_GT(run.count, 0);
        next += run.count;
        for (std::int32_t i = run.first; i < next; ++i) {
          const StageNode& node = sum.nodes[static_cast<std::size_t>(i)];
          const FeatureForm& form = shapes[static_cast<std::size_t>(node.feature)];
          EXPECT_EQ(form.shape, run.shape);
          EXPECT_EQ(form.tilted, run.tilted);
          EXPECT_EQ(static_cast<std::int32_t>(form.corners.size()), run.corners);
          EXPECT_EQ(node.threshold, model.nodes[static_cast<std::size_t>(node.subset)].threshold);
          if (i > run.first) {
            EXPECT_LT(sum.nodes[static_cast<std::size_t>(i) - 1].subset, node.subset);
          }
        }
      }
      EXPECT_EQ(next, sum.node_count);
    }
  }
}

// Rounding changes a sum by at most half a unit per tree. Both integer limits keep at least that distance
// from the exact limit.
TEST(FeatureRuns, LimitsLeaveRoomForWhatIsRounded) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CascadeModel model = cascade(seed, FeatureKind::kHaar);
    const std::vector<FeatureForm> shapes = shapes_of(model);
    for (const Stage& stage : model.stages) {
      const SummedStage sum = sum_stage(model, stage, shapes);
      const double limit = static_cast<double>(stage_limit(stage, model.rules)) * sum.unit;
      if (std::abs(limit) > 1e9) continue;
      EXPECT_LE(sum.reject_below, limit - 0.5 * stage.tree_count);
      EXPECT_GE(sum.accept_from, limit + 0.5 * stage.tree_count);
      if (!sum.stumps) continue;
      std::int32_t right = 0;
      for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
        const Tree& tree = model.trees[static_cast<std::size_t>(t)];
        right +=
            leaf_units(model, tree, model.nodes[static_cast<std::size_t>(tree.first_node)].right, sum.unit);
      }
      EXPECT_EQ(sum.base, right);
    }
  }
}

TEST(FeatureRuns, TooManyCornersAreRefused) {
  EXPECT_NO_THROW(check_corners(std::size_t{1} << 25));
  EXPECT_THROW(check_corners((std::size_t{1} << 25) + 1), Error);
}

}  // namespace
}  // namespace winnow
