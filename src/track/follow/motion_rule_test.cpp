// Tests the motion of a box: translations and scales, wrong points, and points at one place.
#include "track/follow/motion_rule.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "track/follow/host_median.h"

namespace winnow {
namespace {

Motion motion_of(const std::vector<PointStep>& steps) {
  std::vector<double> values;
  HostMedian median(static_cast<int>(steps.size()), values);
  return motion_of([&](int i) { return steps[static_cast<std::size_t>(i)]; }, median);
}

std::vector<PointStep> steps_by(double scale, double right, double down, std::size_t wrong) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(20, 80), far(-300, 300);
  std::vector<PointStep> steps;
  for (std::size_t i = 0; i < 41; ++i) {
    PointStep step{{place(random), 100 + place(random)}, {}};
    step.to = {50 + (step.from.x - 50) * scale + right, 150 + (step.from.y - 150) * scale + down};
    if (i < wrong) step.to.x += far(random), step.to.y += far(random);
    steps.push_back(step);
  }
  return steps;
}

TEST(Motion, FindsTranslationAndScale) {
  const Motion moved = motion_of(steps_by(1, 7, -3, 0));
  EXPECT_NEAR(moved({10, 0}).x, 17, 1e-9);
  EXPECT_NEAR(moved({0, 10}).y, 7, 1e-9);
  EXPECT_NEAR(moved.scale, 1, 1e-9);
  const Motion grown = motion_of(steps_by(1.25, 2, 2, 0));
  EXPECT_NEAR(grown.scale, 1.25, 0.03);
  EXPECT_NEAR(grown({50, 0}).x, 52, 1.5);
  EXPECT_NEAR(grown({0, 150}).y, 152, 1.5);
}

TEST(Motion, AThirdOfThePointsMayBeWrong) {
  const Motion motion = motion_of(steps_by(1, 7, -3, 13));
  EXPECT_NEAR(motion({50, 0}).x, 57, 1);
  EXPECT_NEAR(motion({0, 50}).y, 47, 1);
  EXPECT_NEAR(motion.scale, 1, 0.1);
}

TEST(Motion, OnePointAndPointsAtOnePlaceHaveNoScale) {
  const std::vector<PointStep> one = {{{5, 6}, {8, 4}}};
  EXPECT_EQ(motion_of(one).scale, 1);
  EXPECT_EQ(motion_of(one)({5, 0}).x, 8);
  EXPECT_EQ(motion_of(one)({0, 6}).y, 4);
  const std::vector<PointStep> same(9, PointStep{{5, 6}, {50, 40}});
  EXPECT_EQ(motion_of(same).scale, 1);
}

// The median of an even number of values is the lower of the two in the middle.
TEST(Motion, TheMedianIsALowerOne) {
  const std::vector<PointStep> steps = {{{}, {1, 4}}, {{}, {2, 3}}, {{}, {3, 2}}, {{}, {4, 1}}};
  EXPECT_EQ(motion_of(steps)({0, 0}).x, 2);
  EXPECT_EQ(motion_of(steps)({0, 0}).y, 2);
}

TEST(Motion, PointsThatDoNotHoldDoNotCount) {
  std::vector<PointStep> steps = steps_by(1.25, 7, -3, 0);
  const Motion wanted = motion_of(steps);
  for (int i = 0; i < 60; ++i) steps.insert(steps.begin() + i, {{i * 7.0, 5}, {900.0 - i, 70}, false});
  const Motion motion = motion_of(steps);
  EXPECT_EQ(motion.held, 41);
  EXPECT_EQ(motion({10, 0}).x, wanted({10, 0}).x);
  EXPECT_EQ(motion({0, 10}).y, wanted({0, 10}).y);
  EXPECT_EQ(motion.scale, wanted.scale);
  for (PointStep& step : steps) step.holds = false;
  EXPECT_EQ(motion_of(steps).held, 0);
}

TEST(Motion, ABoxMovesAndGrowsAroundItsMiddle) {
  const RealBox box = moved({10, 20, 30, 40}, {{25, 40}, {125, 41}, 2, 5});
  EXPECT_EQ(box.x, 95);
  EXPECT_EQ(box.y, 1);
  EXPECT_EQ(box.width, 60);
  EXPECT_EQ(box.height, 80);
}

TEST(Motion, APointHoldsIfItComesBackNearItsBeginning) {
  EXPECT_TRUE(holds(true, 1, {0, 0, 20, 20}));
  EXPECT_FALSE(holds(true, 1.1F, {0, 0, 20, 20}));
  EXPECT_TRUE(holds(true, 2, {0, 0, 20, 100}));
  EXPECT_FALSE(holds(true, 2.1F, {0, 0, 100, 20}));
  EXPECT_FALSE(holds(false, 0, {0, 0, 100, 20}));
}

TEST(Motion, TheScaleIsBounded) {
  EXPECT_EQ(motion_of(steps_by(9, 0, 0, 0)).scale, 2);
  EXPECT_EQ(motion_of(steps_by(0.01, 0, 0, 0)).scale, 0.5);
}

}  // namespace
}  // namespace winnow
