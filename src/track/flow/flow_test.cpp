// Compares `cpu` with `reference`, and `reference` with OpenCV's answers and with numbers worked out by hand.
#include "track/flow/flow.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "base/simd_for_test.h"
#include "track/flow/flow_runner.h"
#include "track/flow/flow_scenes_for_test.h"

namespace winnow {
namespace {

using namespace sample;

TEST(FlowRule, WeightsMakeOneAndTheLastIsTheRemainder) {
  const auto weights = [](float x, float y) {
    const FlowCorner at = flow_corner({x, y});
    return std::array<int, 6>{at.x, at.y, at.weight[0], at.weight[1], at.weight[2], at.weight[3]};
  };
  EXPECT_EQ(weights(3, 5), (std::array{3, 5, 16384, 0, 0, 0}));
  EXPECT_EQ(weights(3.5F, 5.25F), (std::array{3, 5, 6144, 6144, 2048, 2048}));
  EXPECT_EQ(weights(-3.5F, -0.25F), (std::array{-4, -1, 2048, 2048, 6144, 6144}));
  EXPECT_EQ(weights(-3, -7), (std::array{-3, -7, 16384, 0, 0, 0}));
  // Three weights round up, so the last is below 0.
  EXPECT_EQ(weights(0.75F / 16384, 0.7F / 16384), (std::array{0, 0, 16383, 1, 1, -1}));
  EXPECT_EQ(flow_rounded(2.5F), 2);  // halves round to even
  EXPECT_EQ(flow_rounded(3.5F), 4);
}

TEST(FlowRule, MeansRoundHalvesUp) {
  constexpr std::int32_t kLeft[4] = {16384, 0, 0, 0}, kHalf[4] = {8192, 8192, 0, 0};
  EXPECT_EQ(flow_mean<kFlowPatchShift>(kLeft, 255, 9, 9, 9), 255 * 32);
  EXPECT_EQ(flow_mean<kFlowPatchShift>(kHalf, 1, 2, 9, 9), 48);
  EXPECT_EQ(flow_mean<kFlowSlopeShift>(kHalf, 3, 4, 0, 0), 4);
  EXPECT_EQ(flow_mean<kFlowSlopeShift>(kHalf, -3, -4, 0, 0), -3);
}

TEST(FlowRule, AWindowReachesThePictureByLessThanItsSides) {
  const FlowRules rules{.width = 5, .height = 9};
  EXPECT_TRUE(flow_reaches({-5, -9}, rules, 20, 30));
  EXPECT_FALSE(flow_reaches({-5.01F, 0}, rules, 20, 30));
  EXPECT_FALSE(flow_reaches({0, -9.01F}, rules, 20, 30));
  EXPECT_TRUE(flow_reaches({19.99F, 29.99F}, rules, 20, 30));
  EXPECT_FALSE(flow_reaches({20, 0}, rules, 20, 30));
  EXPECT_FALSE(flow_reaches({0, 30}, rules, 20, 30));
  EXPECT_FALSE(flow_reaches({NAN, 0}, rules, 20, 30));
  EXPECT_FALSE(flow_reaches({0, -INFINITY}, rules, 20, 30));
}

TEST(FlowRule, ALevelIsLargerThanTheWindow) {
  const auto levels = [](int width, int height, int wanted) {
    return flow_levels(width, height, {.levels = wanted, .width = 21, .height = 11});
  };
  EXPECT_EQ(levels(1280, 720, 4), 4);
  EXPECT_EQ(levels(1280, 720, 9), 6);  // level 5 has 40 x 23 pixels; a level 6 would be too small
  EXPECT_EQ(levels(42, 100, 4), 1);
  EXPECT_EQ(levels(43, 100, 4), 2);
  EXPECT_EQ(levels(100, 22, 4), 1);
  EXPECT_EQ(levels(100, 23, 4), 2);
  EXPECT_EQ(levels(1, 1, 4), 1);
  EXPECT_EQ(levels(0, 5, 4), 0);
}

TEST(FlowRule, StepsSolveTheNormalEquations) {
  const FlowRules rules{.width = 3, .height = 3};
  const FlowMatrix matrix = flow_matrix({4 << 20, 1 << 20, 2 << 20}, rules);
  ASSERT_TRUE(matrix.textured);
  EXPECT_EQ(matrix.inverse, 1.0F / 7);
  // (4 1; 1 2) (2, -3) = (5, -4), and a step has the opposite sign of the pull.
  const FlowPlace step = flow_step(matrix, {-5 * (1 << 20), 4 * (1 << 20)});
  EXPECT_NEAR(step.x, 2, 1e-6);
  EXPECT_NEAR(step.y, -3, 1e-6);
}

TEST(FlowRule, ASmallEigenvalueOrDeterminantIsNoTexture) {
  // The smaller eigenvalue is 1. Divided by the 15 pixels of the window, it is 2 / 30.
  FlowRules rules{.width = 3, .height = 5, .min_eigen = 2.0F / 30};
  const FlowSums sums{2 << 20, 1 << 20, 2 << 20};
  EXPECT_TRUE(flow_matrix(sums, rules).textured);
  rules.min_eigen = 2.01F / 30;
  EXPECT_FALSE(flow_matrix(sums, rules).textured);
  rules.min_eigen = 0;
  EXPECT_FALSE(flow_matrix({}, rules).textured);
  EXPECT_FALSE(flow_matrix({1 << 20, 1 << 20, 1 << 20}, rules).textured);
  EXPECT_FALSE(flow_matrix({362, 0, 345}, rules).textured);  // the determinant is just below 2^-23
  EXPECT_TRUE(flow_matrix({363, 0, 362}, rules).textured);
}

TEST(FlowRule, ShortStepsAndReturnsStop) {
  EXPECT_TRUE(flow_is_short({0.006F, 0.008F}, 0.0101 * 0.0101));
  EXPECT_FALSE(flow_is_short({0.006F, 0.0082F}, 0.0101 * 0.0101));
  EXPECT_TRUE(flow_is_short({0, 0}, 0));
  EXPECT_TRUE(flow_returns({0.5F, -0.25F}, {-0.495F, 0.255F}));
  EXPECT_FALSE(flow_returns({0.5F, -0.25F}, {-0.48F, 0.25F}));
  EXPECT_FALSE(flow_returns({0.5F, -0.25F}, {-0.5F, 0.23F}));
}

TEST(FlowRule, CorrelationOfPatches) {
  const FlowRules rules{.width = 3, .height = 1};
  const auto ncc = [&](std::array<int, 3> a, std::array<int, 3> b) {
    FlowLikeness sums;
    for (std::size_t i = 0; i < 3; ++i) {
      sums.first += a[i];
      sums.other += b[i];
      sums.first_square += a[i] * a[i];
      sums.other_square += b[i] * b[i];
      sums.product += a[i] * b[i];
    }
    return flow_ncc(sums, rules);
  };
  EXPECT_EQ(ncc({1, 2, 3}, {10, 20, 30}), 1);
  EXPECT_EQ(ncc({1, 2, 3}, {9, 8, 7}), -1);
  EXPECT_EQ(ncc({1, 2, 3}, {5, 9, 5}), 0);
  EXPECT_EQ(ncc({4, 4, 4}, {5, 9, 5}), 0);
  EXPECT_EQ(flow_distance({1, 2}, {4, -2}), 5);
}

// A point with what cv::calcOpticalFlowPyrLK of OpenCV 4.6 answers for it, and with our two measures.
struct Answer {
  FlowPlace point, place;
  int found;
  float error, back_distance, ncc;
};

// Near an edge of a picture, windows contain mirrored pixels, so errors are large.
TEST(Flow, ReferenceAnswersAsOpenCv) {
  const std::vector<Answer> answers = {
      {{60, 50}, {61.545063F, 48.6076164F}, 1, 1.40291953F, 0.00105761F, 0.998524F},
      {{20.25F, 30.5F}, {22.1247597F, 29.1289463F}, 1, 0.913761318F, 0.000321392F, 0.99976F},
      {{100.75F, 71.125F}, {101.993721F, 69.7414398F}, 1, 1.06434238F, 0.00158229F, 0.999517F},
      {{3, 4}, {5.33465719F, 2.61200571F}, 1, 14.8540955F, 0.0421598F, 0.735793F},
      {{127.5F, 93}, {128.52179F, 91.5919037F}, 1, 20.6016865F, 0.0658069F, 0.868971F},
      {{0, 0}, {2.30712652F, -1.40023994F}, 1, 23.4567738F, 0.124693F, 0.632299F},
      {{130, 96}, {130.948898F, 94.5789032F}, 1, 27.2800446F, 0.155133F, 0.865707F},
      {{-8, 40}, {-6.36037064F, 38.5623093F}, 1, 22.5066605F, 0.0703055F, 0.821486F},
      {{66, -14.5F}, {67.7939453F, -15.9103546F}, 0, 0, 0, 0},
      {{-21.5F, -21.5F}, {-19.3638458F, -22.7931347F}, 0, 0, 0, 0},
      {{-10.5F, 50}, {-8.89124107F, 48.6625519F}, 0, 0, 0, 0},
      // In level 0 the first picture's window is too far outside, although coarse levels follow the point.
      {{-11.25F, 60.5F}, {-9.67719269F, 59.1380234F}, 0, 0, 0, 0},
      {{140.75F, 60}, {142.137253F, 58.6567307F}, 0, 0, 0, 0},
      {{141, 60}, {142.416458F, 58.660141F}, 0, 0, 0, 0},
      {{65, 106.75F}, {65.9739151F, 105.32518F}, 0, 0, 0, 0},
      {{-31, 10}, {-29.2893677F, 8.811553F}, 0, 0, 0, 0},
      {{40.3F, 12.7F}, {42.5180511F, 11.330081F}, 1, 0.734623015F, 0.00081939F, 0.999519F}};
  FlowScene scene = flow_scene(131, 97, 37, -22, 3);
  for (const Answer& answer : answers) scene.points.push_back(answer.point);
  const std::vector<FlowResult> results = carried(flow_ref, scene, {.back = true, .ncc = true});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answer& wanted = answers[i];
    EXPECT_EQ(results[i].found, wanted.found) << i;
    EXPECT_NEAR(results[i].place.x, wanted.place.x, 2e-4) << i;
    EXPECT_NEAR(results[i].place.y, wanted.place.y, 2e-4) << i;
    EXPECT_NEAR(results[i].error, wanted.error, 2e-4) << i;
    EXPECT_NEAR(results[i].back_distance, wanted.back_distance, 2e-6) << i;
    EXPECT_NEAR(results[i].ncc, wanted.ncc, 2e-6) << i;
  }
}

TEST(Flow, TheSearchBeginsAtTheShiftOfTheRules) {
  FlowScene scene = flow_scene(240, 180, 40 * 16, -30 * 16, 5);
  for (int y = 60; y < 150; y += 15)
    for (int x = 30; x < 180; x += 20) scene.points.push_back({static_cast<float>(x), static_cast<float>(y)});
  const auto right = [&](const FlowRules& rules) {
    const std::vector<FlowResult> results = carried(flow_ref, scene, rules);
    std::size_t count = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const FlowPlace& from = scene.points[i];
      count += results[i].found != 0 && results[i].back_distance < 0.2F &&
                       std::abs(results[i].place.x - (from.x + 40 - (from.y - 30) / 64)) < 0.25F &&
                       std::abs(results[i].place.y - (from.y - 30)) < 0.25F
                   ? 1
                   : 0;
    }
    return count;
  };
  // One level alone does not reach so far.
  EXPECT_LT(right({.levels = 1, .back = true}), scene.points.size() / 4);
  EXPECT_EQ(right({.levels = 1, .back = true, .shift = {39, -29}}), scene.points.size());
  EXPECT_EQ(right({.levels = 2, .back = true, .shift = {37, -31}}), scene.points.size());
}

TEST(Flow, PointsFollowTheShift) {
  FlowScene scene = flow_scene(160, 120, 53, 38, 5);
  for (int y = 30; y < 90; y += 15)
    for (int x = 30; x < 130; x += 20) scene.points.push_back({static_cast<float>(x), static_cast<float>(y)});
  const std::vector<FlowResult> results = carried(flow_ref, scene, {});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const FlowPlace& from = scene.points[i];
    ASSERT_TRUE(results[i].found);
    // The second picture is sheared, so that x moves by a 64th of y less.
    EXPECT_NEAR(results[i].place.x, from.x + 53. / 16 - from.y / 64, 0.15);
    EXPECT_NEAR(results[i].place.y, from.y + 38. / 16, 0.15);
  }
}

TEST(Flow, FlatWindowsAreNotFound) {
  FlowScene scene = flow_scene(60, 50, 0, 0, 2);
  std::fill(scene.before_pixels.begin(), scene.before_pixels.end(), std::uint8_t{90});
  scene.points = {{30, 25}};
  const FlowResult result = carried(flow_ref, scene, {.back = true, .ncc = true})[0];
  EXPECT_FALSE(result.found);
  EXPECT_EQ(result.place.x, 30);
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.ncc, 0);
}

// The second picture is flat. One step finds the point there, but nothing can be followed on the way back.
TEST(Flow, APointThatDoesNotComeBackIsInfinitelyFar) {
  FlowScene scene = flow_scene(60, 50, 0, 0, 2);
  scene.points = {{30, 25}};
  std::fill(scene.now_pixels.begin(), scene.now_pixels.end(), std::uint8_t{90});
  const FlowResult result = carried(flow_ref, scene, {.levels = 1, .iterations = 1, .back = true})[0];
  EXPECT_TRUE(result.found);
  EXPECT_EQ(result.back_distance, INFINITY);
}

TEST(FlowRule, TheWindowOfNccHasTheSameMiddle) {
  const FlowCorner at = flow_corner({20.25F, -7.5F});
  const FlowCorner larger = flow_ncc_corner(at, {.width = 9, .height = 5, .ncc_width = 11, .ncc_height = 31}),
                   smaller = flow_ncc_corner(at, {.ncc_width = 3}), same = flow_ncc_corner(at, {});
  EXPECT_EQ(larger.x, at.x - 1);
  EXPECT_EQ(larger.y, at.y - 13);
  EXPECT_EQ(smaller.x, at.x + 9);
  EXPECT_EQ(smaller.y, at.y);
  EXPECT_EQ(same.x, at.x);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(larger.weight[i], at.weight[i]);
}

// One pixel changes, 5 pixels right of a point. A search in 9 x 9 pixels does not see it.
TEST(Flow, NccMayHaveAWindowOfItsOwn) {
  FlowScene scene = flow_scene(60, 50, 0, 0, 2);
  scene.now_pixels = scene.before_pixels;
  scene.points = {{30, 25}};
  scene.now_pixels[static_cast<std::size_t>(25 * scene.stride + 35)] ^= 64;
  const auto result = [&](Size ncc) {
    FlowRules rules = rules_of({9, 9}, ncc);
    rules.levels = 1;
    return carried(flow_ref, scene, rules)[0];
  };
  const FlowResult own = result({0, 0}), larger = result({11, 11});
  EXPECT_EQ(own.place.x, 30);
  EXPECT_EQ(own.ncc, 1);
  EXPECT_LT(larger.ncc, 0.99);
  EXPECT_EQ(result({9, 11}).ncc, 1) << "the pixel lies beside this window";
  EXPECT_EQ(result({11, 9}).ncc, result({11, 0}).ncc) << "0 is the side of the search";
  EXPECT_EQ(result({7, 7}).ncc, 1);
  EXPECT_TRUE(same_results({own}, {result({9, 9})}));
  EXPECT_EQ(larger.place.x, own.place.x) << "the window of ncc does not change the search";
  EXPECT_EQ(larger.error, own.error);
}

// Every SIMD target reads whole vectors behind the ends of rows, so every target is tested.
TEST(Flow, CpuGivesTheBitsOfTheReference) {
  const GiveTargetBack restore;
  for (const FlowCase& each : flow_cases()) {
    FlowScene scene = flow_scene(each.width, each.height, 29, -13, 4);
    add_points(scene, 150, 7);
    const std::vector<FlowResult> wanted = carried(flow_ref, scene, each.rules);
    for (const std::string& target : simd_targets()) {
      simd_force(target);
      for (const int threads : {1, 3})
        EXPECT_TRUE(same_results(carried(flow_cpu, scene, each.rules, threads), wanted))
            << each.width << "x" << each.height << ", window " << each.rules.width << "x" << each.rules.height
            << ", ncc " << each.rules.ncc_width << "x" << each.rules.ncc_height << ", " << target << ", "
            << threads << " threads";
    }
  }
}

// The largest sums: black and white stripes of two pixels, moved by one pixel, in windows of 31 x 31. A grey
// part below gives texture in the other direction.
TEST(Flow, TheLargestSumsFitTheirLanes) {
  const GiveTargetBack restore;
  FlowScene scene = flow_scene(120, 90, 0, 0, 5);
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 120; ++x) {
      const std::size_t at = static_cast<std::size_t>(y * scene.stride + x);
      scene.before_pixels[at] = y >= 60 ? 128 : x % 4 < 2 ? 0 : 255;
      scene.now_pixels[at] = y >= 60 ? 128 : (x + 1) % 4 < 2 ? 0 : 255;
    }
  }
  add_points(scene, 80, 3);
  for (const FlowPlace place : {FlowPlace{60, 45}, FlowPlace{61, 45}, FlowPlace{62, 45}})
    scene.points.push_back(place);
  const FlowRules rules{.levels = 1, .width = 31, .height = 31, .min_eigen = 0, .back = true, .ncc = true};
  const std::vector<FlowResult> wanted = carried(flow_ref, scene, rules);
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    EXPECT_TRUE(same_results(carried(flow_cpu, scene, rules), wanted)) << target;
  }
}

TEST(Flow, ARunnerCarriesByTheRulesOfEachCall) {
  FlowScene scene = flow_scene(160, 120, 29, -13, 4);
  add_points(scene, 60, 7);
  for (const auto& runner : {make_flow_runner_ref(), make_flow_runner_cpu(2)}) {
    runner->keep(scene.before(), {.levels = 2});
    runner->keep(scene.now(), {.levels = 1});
    for (const FlowRules& rules : {FlowRules{.levels = 4, .iterations = 3}, FlowRules{.levels = 1},
                                   FlowRules{.levels = 16, .width = 5, .height = 5}}) {
      std::vector<FlowResult> got(scene.points.size());
      runner->carry(scene.points, rules, got.data());
      EXPECT_TRUE(same_results(got, carried(flow_ref, scene, rules))) << rules.levels;
    }
  }
}

// A result does not depend on the other points of a call.
TEST(Flow, PointsDoNotMeet) {
  FlowScene scene = flow_scene(90, 70, 20, 9, 6);
  add_points(scene, 150, 2);
  const std::vector<FlowResult> together = carried(flow_cpu, scene, {.back = true}, 2);
  const std::vector<FlowPlace> points = scene.points;
  for (std::size_t i = points.size(); i-- > 0;) {
    scene.points = {points[i]};
    EXPECT_TRUE(same_results(carried(flow_cpu, scene, {.back = true}), {together[i]})) << i;
  }
}

}  // namespace
}  // namespace winnow
