// Tests measures of boxes in real coordinates with numbers worked out by hand.
#include "base/real_box.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(RealBox, SidesMiddlesAndAreas) {
  const RealBox box = real_box({10, -20, 30, 41});
  EXPECT_EQ(box, (RealBox{10, -20, 30, 41}));
  EXPECT_EQ(middle_x(box), 25);
  EXPECT_EQ(middle_y(box), 0.5);
  EXPECT_EQ(side_of(box), 41);
  EXPECT_EQ(side_of({0, 0, 3, 2}), 3);
  EXPECT_EQ(area_of({7, 7, 1.5, 4}), 6);
}

TEST(RealBox, SharedAreas) {
  EXPECT_EQ(shared_area({0, 0, 10, 10}, {4, 7, 20, 20}), 18);
  EXPECT_EQ(shared_area({4, 7, 20, 20}, {0, 0, 10, 10}), 18);
  EXPECT_EQ(shared_area({0, 0, 10, 10}, {10, 0, 10, 10}), 0);
  EXPECT_EQ(shared_area({0, 0, 10, 10}, {20, 20, 5, 5}), 0) << "two negative lengths are no area";
}

TEST(RealBox, IntersectionOverUnion) {
  EXPECT_DOUBLE_EQ(overlap_of({0, 0, 10, 10}, {0, 0, 10, 10}), 1);
  EXPECT_DOUBLE_EQ(overlap_of({0, 0, 10, 10}, {5, 0, 10, 10}), 50. / 150);
  EXPECT_DOUBLE_EQ(overlap_of({0, 0, 10, 10}, {2.5, 2.5, 5, 5}), 0.25);
  EXPECT_DOUBLE_EQ(overlap_of({0, 0, 10, 10}, {10, 0, 10, 10}), 0);
  EXPECT_DOUBLE_EQ(overlap_of({0, 0, 0, 0}, {0, 0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(overlap_of({2000000000, 0, 2000000000, 1}, {0, 0, 1, 1}), 0);
}

}  // namespace
}  // namespace winnow
