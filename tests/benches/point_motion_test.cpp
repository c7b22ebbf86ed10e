// Tests the motion by which the rival of a follower moves its box.
#include "follow/opencv/point_motion.h"

#include <gtest/gtest.h>

namespace bench {
namespace {

struct Place {
  float x = 0, y = 0;
};
using Places = std::vector<Place>;

TEST(PointMotion, IsTheMotionAndGrowthOfMostPoints) {
  const Places from = {{0, 0}, {4, 0}, {0, 4}, {4, 4}, {2, 2}, {9, 9}};
  Places to;
  for (const Place& place : from) to.push_back({2 * place.x + 3, 2 * place.y - 1});
  to[4] = {90, 70};  // slipped
  const PointMotion motion = point_motion(from, to, {1, 1, 1, 1, 1, 0});
  EXPECT_EQ(motion.points, 5U);
  EXPECT_EQ(motion.scale, 2);
  EXPECT_EQ(motion.right, 7);
  EXPECT_EQ(motion.down, 3);
}

TEST(PointMotion, IsNoneWithoutFoundPoints) {
  const Places places = {{1, 2}, {3, 4}};
  const PointMotion motion = point_motion(places, places, {0, 0});
  EXPECT_EQ(motion.points, 0U);
  EXPECT_EQ(motion.right, 0);
  EXPECT_EQ(motion.down, 0);
  EXPECT_EQ(motion.scale, 1);
}

TEST(PointMotion, OfPointsInOnePlaceDoesNotGrow) {
  const Places from = {{1, 1}, {1, 1}}, to = {{2, 1}, {5, 1}};
  EXPECT_EQ(point_motion(from, to, {1, 1}).scale, 1);
}

}  // namespace
}  // namespace bench
