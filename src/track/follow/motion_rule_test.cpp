// Tests the motion of a face: translations and scales, wrong points, and points at one place.
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
    PointStep step{place(random), 100 + place(random), 0, 0};
    step.to_x = 50 + (step.x - 50) * scale + right;
    step.to_y = 150 + (step.y - 150) * scale + down;
    if (i < wrong) step.to_x += far(random), step.to_y += far(random);
    steps.push_back(step);
  }
  return steps;
}

TEST(Motion, FindsTranslationAndScale) {
  const Motion moved = motion_of(steps_by(1, 7, -3, 0));
  EXPECT_NEAR(moved.x(10), 17, 1e-9);
  EXPECT_NEAR(moved.y(10), 7, 1e-9);
  EXPECT_NEAR(moved.scale, 1, 1e-9);
  const Motion grown = motion_of(steps_by(1.25, 2, 2, 0));
  EXPECT_NEAR(grown.scale, 1.25, 0.03);
  EXPECT_NEAR(grown.x(50), 52, 1.5);
  EXPECT_NEAR(grown.y(150), 152, 1.5);
}

TEST(Motion, AThirdOfThePointsMayBeWrong) {
  const Motion motion = motion_of(steps_by(1, 7, -3, 13));
  EXPECT_NEAR(motion.x(50), 57, 1);
  EXPECT_NEAR(motion.y(50), 47, 1);
  EXPECT_NEAR(motion.scale, 1, 0.1);
}

TEST(Motion, OnePointAndPointsAtOnePlaceHaveNoScale) {
  const std::vector<PointStep> one = {{5, 6, 8, 4}};
  EXPECT_EQ(motion_of(one).scale, 1);
  EXPECT_EQ(motion_of(one).x(5), 8);
  EXPECT_EQ(motion_of(one).y(6), 4);
  const std::vector<PointStep> same(9, PointStep{5, 6, 50, 40});
  EXPECT_EQ(motion_of(same).scale, 1);
}

// The median of an even number of values is the lower of the two in the middle.
TEST(Motion, TheMedianIsALowerOne) {
  const std::vector<PointStep> steps = {{0, 0, 1, 4}, {0, 0, 2, 3}, {0, 0, 3, 2}, {0, 0, 4, 1}};
  EXPECT_EQ(motion_of(steps).x(0), 2);
  EXPECT_EQ(motion_of(steps).y(0), 2);
}

TEST(Motion, PointsThatDoNotHoldDoNotCount) {
  std::vector<PointStep> steps = steps_by(1.25, 7, -3, 0);
  const Motion wanted = motion_of(steps);
  for (int i = 0; i < 60; ++i) steps.insert(steps.begin() + i, {i * 7.0, 5, 900.0 - i, 70, false});
  const Motion motion = motion_of(steps);
  EXPECT_EQ(motion.held, 41);
  EXPECT_EQ(motion.x(10), wanted.x(10));
  EXPECT_EQ(motion.y(10), wanted.y(10));
  EXPECT_EQ(motion.scale, wanted.scale);
  for (PointStep& step : steps) step.holds = false;
  EXPECT_EQ(motion_of(steps).held, 0);
}

TEST(Motion, ABoxMovesAndGrowsAroundItsMiddle) {
  const FaceBox box = moved({10, 20, 30, 40}, {25, 40, 125, 41, 2, 5});
  EXPECT_EQ(box.left, 95);
  EXPECT_EQ(box.top, 1);
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
