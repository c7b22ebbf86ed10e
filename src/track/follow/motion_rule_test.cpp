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
    PointStep step{place(random), place(random), 0, 0};
    step.to_x = 50 + (step.x - 50) * scale + right;
    step.to_y = 50 + (step.y - 50) * scale + down;
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

TEST(Motion, TheScaleIsBounded) {
  EXPECT_EQ(motion_of(steps_by(9, 0, 0, 0)).scale, 2);
  EXPECT_EQ(motion_of(steps_by(0.01, 0, 0, 0)).scale, 0.5);
}

}  // namespace
}  // namespace winnow
