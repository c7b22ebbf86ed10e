// Tests fixed-point cascades on the backend `cpu`: stages with running sums, and tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <winnow/cascade.h>

#include "model/check.h"
#include "sieve/cascades_for_test.h"
#include "sieve/lanes/sweep.h"
#include "sieve/same_stages_for_test.h"
#include "sieve/scenes_for_test.h"
#include "sieve/stages.h"

namespace winnow {
namespace {

using sample::Random;
using sample::Recipe;
using sample::same_everywhere;
using sample::Tally;

// Soft cascades of more than 300 stages. Only the first six stages, and every tenth stage up to stage 100,
// can reject windows. The thresholds of all other stages are too low for that.
TEST(Stages, LongSoftCascades) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.window = {random.between(12, 28), random.between(12, 28)};
    recipe.running = true;
    recipe.tables = seed % 2 == 0;
    recipe.kind = seed == 3 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.most_nodes = seed == 5 ? 7 : 1;
    recipe.tilted = seed == 6;
    recipe.fractions = seed == 8;
    recipe.stages = random.between(310, 360);
    recipe.grids = seed == 4 ? 200 : 0;
    recipe.most_trees = seed == 7 ? 3 : 1;
    const GrayImage picture = sample::random_picture(random, {kStripWidth + 150, 2 * kBandHeight + 70});
    CascadeModel model = sample::random_cascade(random, recipe, picture.view());
    model.rules.skip_after_first_stage_reject = seed % 4 < 2;
    for (std::size_t s = 6; s < model.stages.size(); ++s) {
      if (s % 10 != 0 || s > 100) model.stages[s].threshold = -4096;
    }
    ASSERT_TRUE(same_everywhere(Cascade(std::move(model)), {picture.view()}, 1.7, {}, &tally));
  }
  EXPECT_GT(tally.survivors, 100);
  EXPECT_LT(tally.survivors, tally.windows / 2);
}

// Windows so large that the sums of some LBP cells need 32 bits.
TEST(Stages, LargeFixedPointWindows) {
  sample::every_kind_of_fixed_point(
      14, {60, 60}, [](const Cascade& cascade, const std::vector<GrayView>& pictures, double scale, Size) {
        return same_everywhere(cascade, pictures, scale, {});
      });
}

// Tables with the largest leaves, with one bin for all values, and with values that are NaN.
TEST(Stages, ExtremeTables) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.window = {random.between(4, 20), random.between(4, 20)};
    recipe.running = seed % 3 != 0;
    recipe.tables = recipe.fractions = true;
    recipe.stages = 40;
    const GrayImage picture = sample::random_picture(random, {70, 60});
    CascadeModel model = sample::random_cascade(random, recipe, picture.view());
    for (std::size_t t = 0; t < model.tables.size(); ++t) {
      Table& table = model.tables[t];
      for (float& leaf : table.leaves) leaf = random.chance(0.5) ? 32767.f / kScoreUnit : -8.f;
      if (t % 3 == 0) table.per_unit = 0;
      if (t % 7 == 0) table.per_unit = std::numeric_limits<float>::max();
      if (t % 5 == 0) table.low = std::numeric_limits<float>::lowest();
    }
    for (std::size_t f = 0; f < model.haar.size(); f += 2) {
      for (HaarRect& rect : model.haar[f].rects) rect.weight = std::clamp(rect.weight * 1e34f, -1e36f, 1e36f);
    }
    for (std::size_t s = 0; s < model.stages.size(); ++s)
      model.stages[s].threshold = s % 4 == 3 ? -8.f * static_cast<float>(s + 1) / 2 : -4096;
    ASSERT_TRUE(same_everywhere(Cascade(std::move(model)), {picture.view()}, 1.5, {}));
  }
}

// Stages with more weak classifiers than a `LaneSegment` holds.
TEST(Stages, LongFixedPointStages) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.window = {random.between(4, 14), random.between(4, 14)};
    recipe.running = seed != 1;
    recipe.tables = seed <= 2;
    recipe.most_nodes = seed > 4 ? 7 : 1;
    recipe.kind = seed == 4 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.stages = seed > 4 ? 2 : 5;
    recipe.grids = seed == 2 ? 4 : 0;
    recipe.most_trees = seed > 4 ? 2500 : 150;
    const GrayImage picture = sample::random_picture(random, {40, 30});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same_everywhere(cascade, {picture.view()}, 1.6, {}));
  }
}

// The picture of `AnAnswerFoundByHand` in stages_test.cpp, judged by two tables with a running sum. The sum
// of window 1 is 1, then 1.5. Both sums equal the thresholds exactly.
TEST(Stages, AFixedPointAnswerFoundByHand) {
  CascadeModel model;
  model.window = {4, 4};
  model.haar = {HaarFeature{{HaarRect{{0, 0, 4, 4}, -1.f}, HaarRect{{2, 0, 2, 4}, 2.f}, HaarRect{}}, false}};
  Table table;
  table.per_unit = 1;
  table.leaves.fill(-1.f);
  table.leaves[4] = 1.f;  // window 1: its value 1600 times its norm 1 / 400 gives bin 4
  model.tables = {table, table};
  model.tables[1].leaves[4] = 0.5f;
  model.stages = {{0, 1, 1.f}, {1, 1, 1.5f}};
  model.rules = opencv_rules(model.kind);
  model.rules.sum = SumRule::kRunning;
  model.rules.threshold_slack = 0;
  GrayImage picture(12, 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 4; x < 8; ++x) picture.row(y)[x] = 200;
  }
  LevelPlan plan;
  plan_levels({picture.size(), model.window, 2.0, {}, {}}, plan);
  for (const bool skips : {true, false}) {
    model.rules.skip_after_first_stage_reject = skips;
    for (const bool reference : {true, false}) {
      SCOPED_TRACE(reference ? "reference" : "cpu");
      const auto sieve = reference ? make_sieve_ref(Cascade(model)) : make_sieve_cpu(Cascade(model), 1);
      SieveResult result;
      sieve->run(picture.view(), plan, result);
      EXPECT_EQ(result.windows, 5);
      EXPECT_EQ(result.flat, skips ? 2 : 3);  // without the skip, window 4 is judged: it is flat
      EXPECT_EQ(result.skipped, skips ? 1 : 0);
      EXPECT_EQ(result.weak, 3);
      EXPECT_EQ(result.reached, (std::vector<std::int64_t>{2, 1, 1}));
      ASSERT_EQ(result.survivors.size(), 1u);
      EXPECT_EQ(result.survivors[0], (Survivor{1, 1.5}));
    }
  }
}

}  // namespace
}  // namespace winnow
