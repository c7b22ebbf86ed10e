// Tests how a box follows the flow of its points.
#include "track/tld/box_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace winnow {
namespace {

constexpr RealBox kBox{40, 30, 50, 60};
constexpr Size kFrame{200, 150};

using Change = std::function<void(std::size_t, FlowResult&)>;

// Carries the points by a shift and a growth about the corner of the frame; `change` changes results.
std::optional<RealBox> follow(double right, double down, double growth, const Change& change = {},
                              int enlarged = 1, FlowSigns* signs = nullptr) {
  std::vector<FlowPlace> points;
  grid_points(kBox, points);
  std::vector<FlowResult> flow;
  for (const FlowPlace& point : points) {
    FlowResult result;
    result.place = {static_cast<float>((static_cast<double>(point.x) + 0.5) * growth + right - 0.5),
                    static_cast<float>((static_cast<double>(point.y) + 0.5) * growth + down - 0.5)};
    result.ncc = 0.9F;
    result.found = 1;
    if (change) change(flow.size(), result);
    flow.push_back(result);
  }
  return moved_box(kBox, points, flow, kFrame, enlarged, signs);
}

void expect_near(const std::optional<RealBox>& box, const RealBox& wanted) {
  ASSERT_TRUE(box);
  EXPECT_NEAR(box->x, wanted.x, 1e-3);
  EXPECT_NEAR(box->y, wanted.y, 1e-3);
  EXPECT_NEAR(box->width, wanted.width, 1e-3);
  EXPECT_NEAR(box->height, wanted.height, 1e-3);
}

TEST(BoxMotion, PointsLieInTheBox) {
  std::vector<FlowPlace> points;
  grid_points(kBox, points);
  ASSERT_EQ(points.size(), 100u);
  EXPECT_FLOAT_EQ(points.front().x, 44.5F);
  EXPECT_FLOAT_EQ(points.front().y, 34.5F);
  EXPECT_FLOAT_EQ(points.back().x, 84.5F);
  EXPECT_FLOAT_EQ(points.back().y, 84.5F);
  grid_points({0, 0, 8, 8}, points);
  EXPECT_FLOAT_EQ(points.front().x, 1.5F);
  EXPECT_FLOAT_EQ(points.back().y, 5.5F);
}

TEST(BoxMotion, ABoxMovesAndGrowsWithItsPoints) {
  expect_near(follow(3, -2, 1), {43, 28, 50, 60});
  expect_near(follow(0, 0, 1.1), {44, 33, 55, 66});
  expect_near(follow(-7, 1, 0.9), {29, 28, 45, 54});
}

TEST(BoxMotion, PointsThatDoNotComeBackAreLeftOut) {
  expect_near(follow(3, -2, 1,
                     [](std::size_t i, FlowResult& result) {
                       if (i % 5 >= 2) return;
                       result.place.x += 40;
                       result.back_distance = i % 2 == 0 ? 30.0F : std::numeric_limits<float>::infinity();
                     }),
              {43, 28, 50, 60});
}

TEST(BoxMotion, PointsThatLookDifferentAreLeftOut) {
  expect_near(follow(3, -2, 1,
                     [](std::size_t i, FlowResult& result) {
                       if (i % 2 == 1) return;  // half of the points
                       result.place.y -= 40;
                       result.ncc = 0.2F;
                     }),
              {43, 28, 50, 60});
}

TEST(BoxMotion, FailsIfHalfOfThePointsComeBackFarAway) {
  EXPECT_TRUE(follow(1, 1, 1, [](std::size_t, FlowResult& result) { result.back_distance = 9.9F; }));
  EXPECT_FALSE(follow(1, 1, 1, [](std::size_t, FlowResult& result) { result.back_distance = 10.1F; }));
  const auto far_back = [](std::size_t, FlowResult& result) { result.back_distance = 39.9F; };
  EXPECT_TRUE(follow(1, 1, 1, far_back, 4)) << "the same distance in an enlarged picture";
  EXPECT_FALSE(follow(1, 1, 1, far_back, 3));
}

TEST(BoxMotion, TellsHowWellFlowWent) {
  FlowSigns signs;
  // 80 points are found. 40 of them come back by 3 pixels, and 40 by 5.
  const auto change = [](std::size_t i, FlowResult& result) {
    result.found = i < 80 ? 1 : 0;
    result.back_distance = i < 40 ? 3.0F : 5.0F;
  };
  ASSERT_TRUE(follow(1, 1, 1, change, 1, &signs));
  EXPECT_DOUBLE_EQ(signs.kept, 0.8);
  EXPECT_DOUBLE_EQ(signs.back, 4);
  ASSERT_TRUE(follow(1, 1, 1, change, 2, &signs));
  EXPECT_DOUBLE_EQ(signs.back, 2) << "of an enlarged picture";
}

TEST(BoxMotion, FailsWithoutPointsAndOutsideOfTheFrame) {
  EXPECT_FALSE(follow(1, 1, 1, [](std::size_t i, FlowResult& result) { result.found = i < 3 ? 1 : 0; }));
  EXPECT_FALSE(follow(-95, 0, 1));
  EXPECT_TRUE(follow(-85, 0, 1));
  EXPECT_FALSE(follow(0, 130, 1));
  EXPECT_FALSE(follow(0, 0, 0.07));
}

}  // namespace
}  // namespace winnow
