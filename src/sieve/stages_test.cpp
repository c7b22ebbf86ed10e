#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <winnow/cascade.h>

#include "model/check.h"
#include "scale/integral.h"
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

testing::AssertionResult same(const Cascade& cascade, const std::vector<GrayView>& pictures, double factor,
                              Size min_size) {
  return same_everywhere(cascade, pictures, factor, min_size);
}

// Most pictures are a little larger than the window. Some pictures have several strips of columns, some
// several bands of rows, and some both (lanes/sweep.h).
Size random_size(Random& random, Size window) {
  const int kind = random.below(30);
  const int wide = window.width + random.between(0, 60), tall = window.height + random.between(0, 60);
  if (kind == 0) return {2 * kStripWidth + random.between(0, 300), tall};
  if (kind == 1) return {wide, window.height + 3 * kBandHeight + random.between(0, 60)};
  if (kind == 2)
    return {kStripWidth + window.width + random.between(-3, 70), window.height + kBandHeight + 30};
  return {wide, tall};
}

// Sanitizers make each cascade a hundred times slower, so tests with sanitizers run fewer cascades.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kCascades = 16;
#else
constexpr std::uint64_t kCascades = 320;
#endif

TEST(Stages, RandomCascadesGiveOneAnswerEverywhere) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= kCascades; ++seed) {
    ++tally.cascades;
    sample::random_scene(
        seed, random_size,
        [&](const Cascade& cascade, const std::vector<GrayView>& pictures, double factor, Size min_size) {
          return same_everywhere(cascade, pictures, factor, min_size, &tally);
        });
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(tally.cascades, kCascades * 15 / 16);
  EXPECT_GT(tally.survivors, tally.windows / 50);
  EXPECT_GT(tally.skipped, tally.windows / 50);
  EXPECT_GT(tally.flat, 0);
}

TEST(Stages, PicturesOfSeveralStripsAndBands) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = seed % 3 == 0 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.window = {random.between(5, 30), random.between(5, 30)};
    recipe.most_nodes = seed % 2 == 0 ? 2 : 1;
    recipe.tilted = seed == 4;
    const GrayImage picture =
        sample::random_picture(random, {2 * kStripWidth + 2 * recipe.window.width + 3, 3 * kBandHeight + 31});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    const Size min_size = seed % 2 == 0 ? Size{} : Size{2 * recipe.window.width, 2 * recipe.window.height};
    ASSERT_TRUE(same_everywhere(cascade, {picture.view()}, 1.9, min_size));
  }
}

TEST(Stages, LargeWindows) { sample::large_windows(8, 80, same); }

// Windows are taller than a band of rows, and the first strip has the full width. When the planes move on,
// the rows that stay are copied to a place that overlaps their old place.
TEST(Stages, TallWindowsInWideStrips) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.kind = seed == 3 ? FeatureKind::kLbp : FeatureKind::kHaar;
    recipe.window = {random.between(10, 20), kBandHeight + random.between(20, 60)};
    recipe.tilted = seed == 4;
    const GrayImage picture =
        sample::random_picture(random, {kStripWidth + 40, recipe.window.height + 2 * kBandHeight + 21});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same_everywhere(cascade, {picture.view()}, 1.6, {}));
  }
}

// On levels of step 2, neighbouring bands of windows one row high have no row of pixels in common.
TEST(Stages, WindowsOneRowHigh) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Recipe recipe;
    recipe.window = {random.between(1, 6), 1};
    const GrayImage picture = sample::random_picture(random, {60, 4 * kBandHeight + 30});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    ASSERT_TRUE(same_everywhere(cascade, {picture.view()}, 1.3, {}));
  }
}

TEST(Stages, OneStageOnly) { sample::one_stage_only(150, same); }
TEST(Stages, ManyGrids) { sample::many_grids(8, same); }
TEST(Stages, ManyTrees) { sample::many_trees(8, same); }

TEST(Stages, OddSizes) { sample::odd_sizes(same); }

TEST(Stages, SamplesOfTheModelRoom) { sample::samples_of_the_model_room(same); }

// A picture whose answer is worked out by hand: windows of 4 x 4 on 12 x 4 pixels. The one stump wants the
// left half of a window darker than the right half.
TEST(Stages, AnAnswerFoundByHand) {
  CascadeModel model;
  model.window = {4, 4};
  model.haar = {HaarFeature{{HaarRect{{0, 0, 4, 4}, -1.f}, HaarRect{{2, 0, 2, 4}, 2.f}, HaarRect{}}, false}};
  model.nodes = {{0, -1, 0, 0.f}};  // left if the right half is darker
  model.leaves = {-1.f, 1.f};
  model.trees = {{0, 1, 0}};
  model.stages = {{0, 1, 0.5f}};
  model.rules = opencv_rules(model.kind);
  GrayImage picture(12, 4);
  // Each row is 0 0 0 0 | 200 200 200 200 | 0 0 0 0. Windows begin at columns 0, 2, 4, 6 and 8 (step 2).
  for (int y = 0; y < 4; ++y) {
    for (int x = 4; x < 8; ++x) picture.row(y)[x] = 200;
  }
  LevelPlan plan;
  plan_levels({picture.size(), model.window, 2.0, {}, {}}, plan);
  ASSERT_EQ(plan.levels.size(), 1u);
  ASSERT_EQ(plan.window_count, 5);
  for (const bool reference : {true, false}) {
    SCOPED_TRACE(reference ? "reference" : "cpu");
    const auto sieve = reference ? make_sieve_ref(Cascade(model)) : make_sieve_cpu(Cascade(model), 1);
    SieveResult result;
    sieve->run(picture.view(), plan, result);
    // Window 0 is all dark and window 2 (columns 4 to 7) all bright, so both are flat. Window 1 passes.
    // Window 3 is rejected, so window 4 is skipped.
    EXPECT_EQ(result.windows, 5);
    EXPECT_EQ(result.flat, 2);
    EXPECT_EQ(result.skipped, 1);
    EXPECT_EQ(result.reached, (std::vector<std::int64_t>{2, 1}));
    ASSERT_EQ(result.survivors.size(), 1u);
    EXPECT_EQ(result.survivors[0], (Survivor{1, 1.0}));
  }
}

// `stage_sum` reads 32-bit sums, or adds up the 16-bit sums of a rectangle's pieces. Pictures are white, for
// the largest sums, or bright noise. The thresholds are the feature's exact value and the next float.
TEST(Stages, SumsOfPiecesEqualWideOnes) {
  constexpr int kSide = 140;
  Random random(11);
  Image<std::uint32_t> sum(kSide + 1, kSide + 1), tilted(kSide + 1, kSide + 1);
  std::vector<std::uint16_t> low, tilted_low;
  int left = 0, judged = 0;
  for (int i = 0; i < 3000; ++i) {
    if (i % 500 == 0) {
      GrayImage picture(kSide, kSide);
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x)
          picture.row(y)[x] = static_cast<std::uint8_t>(i % 1000 == 0 ? 255 : 255 - random.below(90));
      }
      integral_ref(picture.view(), {sum.view(), {}, tilted.view()});
      low.clear(), tilted_low.clear();
      for (int y = 0; y <= kSide; ++y) {
        for (int x = 0; x <= kSide; ++x) {
          low.push_back(static_cast<std::uint16_t>(sum.row(y)[x]));
          tilted_low.push_back(static_cast<std::uint16_t>(tilted.row(y)[x]));
        }
      }
    }
    HaarFeature feature;
    feature.tilted = i % 2 != 0;
    const int most = random.chance(0.5) ? 24 : 66;
    const auto rect = [&] {
      const int w = random.between(1, most), h = random.between(1, most);
      if (!feature.tilted) return Box{random.between(0, kSide - w), random.between(0, kSide - h), w, h};
      return Box{random.between(h, kSide - w), random.between(0, kSide - w - h), w, h};
    };
    feature.rects[0] = {rect(), -1.f};
    feature.rects[1] = {rect(), 1.f};
    CascadeModel model;
    model.window = {kSide, kSide};
    model.haar = {feature};
    model.leaves = {-1.f, 1.f};
    model.trees = {{0, 1, 0}};
    model.stages = {{0, 1, 0.f}};
    const auto value = [&](const HaarRect& r) {
      const auto& plane = feature.tilted ? tilted : sum;
      const auto at = [&](int x, int y) { return plane.row(r.box.y + y)[r.box.x + x]; };
      const int w = r.box.width, h = r.box.height;
      return feature.tilted ? at(0, 0) - at(-h, h) - at(w, w) + at(w - h, w + h)
                            : at(0, 0) - at(w, 0) - at(0, h) + at(w, h);
    };
    const float exact =
        static_cast<float>(value(feature.rects[1])) - static_cast<float>(value(feature.rects[0]));
    for (const float threshold : {exact, std::nextafter(exact, std::numeric_limits<float>::max())}) {
      model.nodes = {{0, -1, 0, threshold}};
      const WindowSums wide{sum.row(0), tilted.row(0), kSide + 1, 1.f};
      const WindowSums narrow{nullptr, nullptr, kSide + 1, 1.f, low.data(), tilted_low.data()};
      const double wanted = stage_sum(model, model.stages[0], wide);
      ASSERT_EQ(stage_sum(model, model.stages[0], narrow), wanted)
          << (feature.tilted ? "tilted " : "") << feature.rects[0].box.width << "x"
          << feature.rects[0].box.height << ", " << feature.rects[1].box.width << "x"
          << feature.rects[1].box.height;
      left += wanted < 0 ? 1 : 0;
      ++judged;
    }
  }
  EXPECT_EQ(left, judged / 2);
}

}  // namespace
}  // namespace winnow
