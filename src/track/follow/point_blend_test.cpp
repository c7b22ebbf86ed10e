// Tests how a point is blended: still points stay calm, moved points arrive, and neither overshoots.
#include "track/follow/point_blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace winnow {
namespace {

constexpr double kSide = 200;

// The place of a point after `frames` frames, if flow leaves it where it is and fits lie `apart` to the right.
double place_after(int frames, double apart) {
  PointBlend blend;
  PointPlace place{50, 60};
  for (int i = 0; i < frames; ++i) place = blend.next(place, {50 + apart, 60}, kSide);
  EXPECT_EQ(place.y, 60);
  return place.x - 50;
}

TEST(PointBlend, AMovedPointArrives) {
  const double far = 0.06 * kSide;
  EXPECT_GT(place_after(1, far), 0.8 * far) << "a large step is followed at once";
  EXPECT_GT(place_after(3, far), 0.9 * far);
  const double near = 0.01 * kSide;
  EXPECT_LT(place_after(1, near), 0.4 * near) << "a small step may be noise";
  EXPECT_GT(place_after(8, near), 0.7 * near);
  for (int frames = 1; frames < 12; ++frames)
    for (const double apart : {0.2, 2.0, 12.0, 60.0}) EXPECT_LE(place_after(frames, apart), apart);
}

TEST(PointBlend, AFitThatTremblesMovesAPointLittle) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.007 * kSide);
  PointBlend blend;
  PointPlace place{50, 60};
  double fits = 0, blended = 0, last = 0, last_fit = 0;
  for (int i = 0; i < 400; ++i) {
    const PointPlace fit{50 + noise(random), 60 + noise(random)};
    place = blend.next(place, fit, kSide);
    if (i > 0) {
      fits += std::abs(fit.x - last_fit);
      blended += std::abs(place.x - last);
    }
    last = place.x;
    last_fit = fit.x;
  }
  EXPECT_LT(blended, 0.3 * fits);
  EXPECT_GT(blended, 0) << "it does not stay where it was for ever";
  EXPECT_NEAR(place.x, 50, 0.02 * kSide);
}

// Flow that slips by the same way in every frame does not take the point along.
TEST(PointBlend, SlippingFlowIsHeld) {
  PointBlend blend;
  PointPlace place{50, 60};
  for (int i = 0; i < 50; ++i) place = blend.next({place.x + 0.002 * kSide, place.y}, {50, 60}, kSide);
  EXPECT_LT(place.x, 50 + 0.015 * kSide);
}

// A point that has followed a large step is calm at once: what it has made up for does not count again.
TEST(PointBlend, AfterALargeStepAPointIsCalm) {
  PointBlend blend;
  const PointPlace there = blend.next({0, 0}, {0.06 * kSide, 0.06 * kSide}, kSide);
  const double beside = 0.005 * kSide;
  const PointPlace after = blend.next(there, {there.x + beside, there.y + beside}, kSide);
  EXPECT_LT(after.x - there.x, 0.5 * beside);
  EXPECT_LT(after.y - there.y, 0.5 * beside);
}

TEST(PointBlend, DistancesCountInSidesOfTheBox) {
  PointBlend small, large;
  const PointPlace a = small.next({0, 0}, {2, 1}, 100), b = large.next({0, 0}, {8, 4}, 400);
  EXPECT_DOUBLE_EQ(4 * a.x, b.x);
  EXPECT_DOUBLE_EQ(4 * a.y, b.y);
}

}  // namespace
}  // namespace winnow
