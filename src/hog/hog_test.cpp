// Checks that all forms of a HOG SVM give one result. Compares the rules with plain formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/simd.h"
#include "base/simd_for_test.h"
#include "hog/hog_lanes.h"
#include "hog/hog_steps.h"
#include "hog/rows/block_rule.h"
#include "hog/rows/gradient_rule.h"
#include "hog/sieves_for_test.h"
#include "image/border.h"
#include "image/texture_for_test.h"
#include "model/hog_model.h"
#include "model/hog_models_for_test.h"

namespace winnow {
namespace {

using sample::colored;
using sample::expect_equal;
using sample::hog_shapes;
using sample::random_hog;
using sample::run_sieve;

TEST(Hog, AllFormsGiveOneAnswer) {
  const sample::GiveTargetBack give_back;
  std::uint64_t seed = 100;
  std::size_t survivors = 0;
  for (const HogShape& shape : hog_shapes()) {
    const DetectorModel model = HogSvm(random_hog(shape, ++seed));
    for (const Size size : {Size{shape.window.width, shape.window.height}, Size{157, 203}, Size{211, 149}}) {
      LevelPlan plan;
      PlanRequest request;
      request.picture = size;
      request.window = shape.window;
      request.scale_factor = 1.3;
      request.rules = model.plan_rules();
      plan_levels(request, plan);
      const GrayImage gray = sample::texture(size.width, size.height, ++seed);
      const RgbImage color = colored(size, ++seed);
      for (const PictureView& picture : {PictureView(gray.view()), PictureView(gray.view(), color.view())}) {
        const auto reference = make_hog_sieve_ref(model);
        const SieveResult all = run_sieve(*reference, picture, plan, -1e6);
        EXPECT_EQ(static_cast<std::int64_t>(all.survivors.size()), plan.window_count);
        const double middle = all.survivors.empty() ? 0 : all.survivors[all.survivors.size() / 2].score;
        for (const double min_score : {-1e6, middle, -std::numeric_limits<double>::infinity()}) {
          const SieveResult wanted = run_sieve(*reference, picture, plan, min_score);
          survivors += wanted.survivors.size();
          for (const std::string& target : simd_targets()) {
            simd_force(target);
            for (const int threads : {1, 3}) {
              const auto sieve = make_hog_sieve_cpu(model, threads);
              const std::string what = target + ", " + std::to_string(threads) + " threads, window " +
                                       std::to_string(shape.window.width);
              expect_equal(wanted, run_sieve(*sieve, picture, plan, min_score), what);
              expect_equal(wanted, run_sieve(*sieve, picture, plan, min_score), what + ", again");
              expect_equal(wanted, run_sieve(*sieve->clone_for_thread(), picture, plan, min_score),
                           what + ", clone");
            }
          }
          simd_force("");
        }
      }
    }
  }
  EXPECT_GT(survivors, 5000u);
}

// Steps are a cell (one lattice), parts of a cell (several lattices), and several cells (a lattice with
// gaps).
TEST(Hog, EveryStepGivesOneAnswer) {
  std::uint64_t seed = 300;
  for (const HogShape& shape : hog_shapes()) {
    if (!lanes_fit(shape)) continue;
    const DetectorModel model = HogSvm(random_hog(shape, ++seed));
    const Size larger{shape.window.width + 37, shape.window.height + 22};
    const GrayImage gray = sample::texture(larger.width, larger.height, ++seed);
    const RgbImage color = colored(larger, ++seed);
    const PictureView picture(gray.view(), color.view());
    const int cell = shape.cell.width;
    for (const int step : {1, 3, cell / 2, cell - 2, cell, cell + 1, 2 * cell, 3 * cell}) {
      if (step < 1) continue;
      const LevelPlan plan = sample::plan_of(model, larger, step);
      const SieveResult all = run_sieve(*make_hog_sieve_ref(model), picture, plan, -1e6);
      EXPECT_EQ(static_cast<std::int64_t>(all.survivors.size()), plan.window_count);
      const double middle = all.survivors[all.survivors.size() / 2].score;
      const auto sieve = make_hog_sieve_cpu(model, 1);
      expect_equal(all, run_sieve(*sieve, picture, plan, -1e6), "step " + std::to_string(step));
      expect_equal(run_sieve(*make_hog_sieve_ref(model), picture, plan, middle),
                   run_sieve(*sieve, picture, plan, middle), "least, step " + std::to_string(step));
    }
  }
}

// Windows extend beyond the picture, and lie at uneven steps or at places that the caller lists.
TEST(Hog, WindowsOutsideGiveOneAnswer) {
  std::uint64_t seed = 500;
  for (const HogShape& shape : hog_shapes()) {
    sample::each_wide_search(
        shape, {21, 13}, seed,
        [](const DetectorModel& model, const PictureView& picture, const LevelPlan& plan) {
          const SieveResult all = run_sieve(*make_hog_sieve_ref(model), picture, plan, -1e6);
          EXPECT_EQ(std::ssize(all.survivors), plan.window_count);
          for (const int threads : {1, 3}) {
            const auto sieve = make_hog_sieve_cpu(model, threads);
            expect_equal(all, run_sieve(*sieve, picture, plan, -1e6));
            expect_equal(all, run_sieve(*sieve, picture, plan, -1e6), "again");
          }
        });
  }
}

// A padded picture has the windows of the same picture with a mirrored border. Gradients of the outermost
// pixels differ, because they read one pixel further. Two more pixels of border hide this difference.
TEST(Hog, PaddingIsABorder) {
  const HogShape shape{{32, 48}, {16, 16}, {8, 8}, {8, 8}};
  const DetectorModel model = HogSvm(random_hog(shape, 8));
  const Size size{57, 66}, padding{16, 8};
  const GrayImage gray = sample::texture(size.width, size.height, 4);
  const int margin = 18;
  GrayImage bordered(size.width + 2 * margin, size.height + 2 * margin);
  add_border(gray.view(), margin, bordered.view());
  LevelPlan plan, whole;
  PlanRequest request;
  request.picture = size;
  request.window = shape.window;
  request.rules = model.plan_rules();
  request.max_levels = 1;
  request.padding = padding;
  plan_levels(request, plan);
  request.picture = bordered.size();
  request.padding = {};
  request.rules.fixed_step = {1, 1};
  plan_levels(request, whole);
  const SieveResult padded = run_sieve(*make_hog_sieve_ref(model), PictureView(gray.view()), plan, -1e6),
                    all = run_sieve(*make_hog_sieve_ref(model), PictureView(std::as_const(bordered).view()),
                                    whole, -1e6);
  const Level& level = plan.levels[0];
  ASSERT_EQ(std::ssize(padded.survivors), std::int64_t{level.cols} * level.rows);
  EXPECT_EQ(level.cols, (57 + 32 - 32) / 8 + 1);
  for (const Survivor& survivor : padded.survivors) {
    const PixelPoint at = window_corner(level, survivor.window);
    const std::int64_t same = std::int64_t{at.y + margin} * whole.levels[0].cols + at.x + margin;
    EXPECT_EQ(survivor.score, all.survivors[static_cast<std::size_t>(same)].score) << at.x << ", " << at.y;
  }
}

// Threads take shares of the levels. Run this test with ThreadSanitizer.
TEST(Hog, ThreadsShareTheLevels) {
  const DetectorModel model = HogSvm(random_hog({{16, 16}, {8, 8}, {4, 4}, {4, 4}}, 9));
  PlanRequest request;
  request.picture = {61, 47};
  request.window = {16, 16};
  request.scale_factor = 1.2;
  request.rules = model.plan_rules();
  LevelPlan plan;
  plan_levels(request, plan);
  EXPECT_GT(plan.levels.size(), 4u);
  const GrayImage gray = sample::texture(61, 47, 3);
  const SieveResult wanted = run_sieve(*make_hog_sieve_ref(model), gray.view(), plan, -1e6);
  const auto sieve = make_hog_sieve_cpu(model, 4);
  for (int round = 0; round < 3; ++round)
    expect_equal(wanted, run_sieve(*sieve, gray.view(), plan, -1e6), "round " + std::to_string(round));
}

// Padding mirrors the level, so the last row that a search reads lies near the first row. The search of the
// next picture must not use a resized row that the sieve still holds.
TEST(Hog, NothingStaysOfThePictureBefore) {
  const DetectorModel model = HogSvm(random_hog({{16, 16}, {8, 8}, {4, 4}, {4, 4}}, 11));
  PlanRequest request;
  request.picture = {40, 23};
  request.window = {16, 16};
  request.scale_factor = 1.05;
  request.rules = model.plan_rules();
  request.padding = {0, 9};
  request.max_levels = 2;
  LevelPlan plan;
  plan_levels(request, plan);
  ASSERT_EQ(plan.levels.size(), 2u);
  const Level& level = plan.levels[1];
  EXPECT_EQ(level.height, 22);  // the first row, -10, mirrors row 10; the last row, 31, mirrors row 11
  EXPECT_EQ((level.rows - 1) * request.rules.fixed_step.height + 16, 22 + 2 * 9);
  const auto sieve = make_hog_sieve_cpu(model, 1);
  for (const std::uint64_t seed : {21, 22}) {
    const GrayImage gray = sample::texture(40, 23, seed);
    expect_equal(run_sieve(*make_hog_sieve_ref(model), gray.view(), plan, -1e6),
                 run_sieve(*sieve, gray.view(), plan, -1e6), "picture " + std::to_string(seed));
  }
}

TEST(Hog, ShapesOfTwoByTwoCellsUseLanes) {
  int fitting = 0;
  for (const HogShape& shape : hog_shapes()) fitting += lanes_fit(shape) ? 1 : 0;
  EXPECT_EQ(fitting, 6);
}

TEST(Hog, AngleIsNearTheArcTangent) {
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const auto side = [&] { return static_cast<float>(random.below(511) - 255); };
    const float dx = side(), dy = i % 10 == 0 ? 0 : side();
    for (const bool directed : {false, true}) {
      const int bins = 9;
      const double period = directed ? 360 : 180;
      const GradientVote vote = gradient_vote(dx, dy, bins, static_cast<float>(bins / period), directed);
      ASSERT_GE(vote.bin, 0);
      ASSERT_LT(vote.bin, bins);
      ASSERT_GE(vote.here, 0);
      ASSERT_GE(vote.next, 0);
      const double length = std::hypot(dx, dy);
      EXPECT_NEAR(vote.here + vote.next, length, 1e-4 * length + 1e-6);
      if (length == 0) continue;
      const double degrees = std::fmod(std::atan2(dy, dx) * 180 / 3.14159265358979323846 + 360, period);
      const double got = (vote.bin + 0.5 + vote.next / length) * period / bins;
      const double apart = std::abs(std::remainder(got - degrees, period));
      EXPECT_LT(apart, 0.31) << dx << " " << dy;
    }
  }
}

TEST(Hog, BlocksAreNormalisedToALengthOfAtMostOne) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    float sums[36];
    const double largest = std::pow(10.0, random.real(-6, 6));
    for (float& sum : sums) sum = static_cast<float>(random.below(4) == 0 ? random.real(0, largest) : 0);
    std::int16_t values[36];
    normalise_block(sums, 36, 3.6f, i % 2 == 0 ? 0.2f : 1e9f, values);
    double squares = 0;
    for (const std::int16_t value : values) {
      ASSERT_GE(value, 0);
      squares += std::pow(std::ldexp(value, -kHogValueBits), 2);
    }
    EXPECT_LT(squares, 1.001);
  }
}

TEST(Hog, LimitsOfScoresAreLimitsOfSums) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const HogForm form = make_hog_form(random_hog({{32, 32}, {16, 16}, {8, 8}, {8, 8}}, 300 + i));
    const double min_score = random.real(-3, 3);
    const std::int64_t whole = form.min_sum(min_score);
    if (whole > std::numeric_limits<std::int32_t>::max() || whole <= std::numeric_limits<std::int32_t>::min())
      continue;
    EXPECT_GE(form.score(static_cast<std::int32_t>(whole)), min_score);
    EXPECT_LT(form.score(static_cast<std::int32_t>(whole - 1)), min_score);
  }
  const HogForm form = make_hog_form(random_hog({}, 1));
  EXPECT_EQ(form.min_sum(-1e300), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(form.min_sum(1e300), std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1);
}

// Weights of every size fit their bits, and no sum can leave 32 bits.
TEST(Hog, BitsFollowTheWeights) {
  for (const float size : {1e-6f, 1e-3f, 0.4f, 3.f, 1000.f}) {
    HogSvmModel model;
    model.weights.assign(model.shape.values(), size);
    const HogForm form = make_hog_form(model);
    double window = 0;
    for (const std::int16_t weight : form.weights)
      window += std::abs(static_cast<double>(weight)) / 6;  // each value of a block of 36 equal values is 1/6
    EXPECT_LT(window * (1 << kHogValueBits) / (1 << form.shift), 2147483648.0) << size;
    EXPECT_NEAR(std::ldexp(form.weights[0], -form.weight_bits), size, std::ldexp(0.51, -form.weight_bits))
        << size;
  }
}

}  // namespace
}  // namespace winnow
