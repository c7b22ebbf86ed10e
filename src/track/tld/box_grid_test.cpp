// Tests the windows of a grid: their sizes, places, numbers and bounds.
#include "track/tld/box_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace winnow {
namespace {

TEST(BoxGrid, WindowsGrowByAFifth) {
  LevelPlan plan;
  plan_boxes({400, 300}, {50, 40}, 24, plan);
  std::vector<Size> sizes;
  for (const Level& level : plan.levels) sizes.push_back(level.window);
  // 40 / 1.2^3 = 23.1 is too small; 50 * 1.2^11 would be 371 x 297, but growth ends at 1.2^10.
  EXPECT_EQ(sizes, (std::vector<Size>{{35, 28},
                                      {42, 33},
                                      {50, 40},
                                      {60, 48},
                                      {72, 58},
                                      {86, 69},
                                      {104, 83},
                                      {124, 100},
                                      {149, 119},
                                      {179, 143},
                                      {215, 172},
                                      {258, 206},
                                      {310, 248}}));
}

TEST(BoxGrid, StepsAreATenthOfTheShorterSide) {
  LevelPlan plan;
  plan_boxes({100, 80}, {30, 64}, 24, plan);
  ASSERT_FALSE(plan.levels.empty());
  for (const Level& level : plan.levels) {
    EXPECT_EQ(level.step, std::max(1, (std::min(level.window.width, level.window.height) + 5) / 10));
    EXPECT_EQ(level.row_step, level.step);
    EXPECT_EQ(level.scale, 1);
  }
  plan_boxes({100, 80}, {4, 4}, 4, plan);
  EXPECT_EQ(plan.levels.front().step, 1);
  EXPECT_EQ(plan.levels.front().window, (Size{4, 4})) << "the least side itself is searched";
}

TEST(BoxGrid, EveryWindowHasANumberAndLiesInTheFrame) {
  LevelPlan plan;
  const Size frame{97, 61};
  plan_boxes(frame, {31, 24}, 20, plan);
  std::set<Box> seen;
  bool right = false, bottom = false;
  for (std::int64_t window = 0; window < plan.window_count; ++window) {
    const Box box = grid_box(plan, window);
    EXPECT_TRUE(box.x >= 0 && box.y >= 0 && box.x + box.width <= frame.width &&
                box.y + box.height <= frame.height);
    EXPECT_TRUE(seen.insert(box).second) << window;
    const int step = plan.levels[static_cast<std::size_t>(place_window(plan, window).level)].step;
    right = right || box.x + box.width + step > frame.width;
    bottom = bottom || box.y + box.height + step > frame.height;
  }
  EXPECT_TRUE(right && bottom) << "no window reaches the far edges";
}

TEST(BoxGrid, LeavesOutWindowsThatAreTooLargeForTheSums) {
  LevelPlan plan;
  plan_boxes({3000, 3000}, {300, 300}, 24, plan);
  for (const Level& level : plan.levels)
    EXPECT_LE(std::int64_t{level.window.width} * level.window.height, kMostWindowArea);
  EXPECT_EQ(plan.levels.back().window, (Size{432, 432}));
  plan_boxes({20, 20}, {40, 40}, 24, plan);
  EXPECT_TRUE(plan.levels.empty());
  EXPECT_EQ(plan.window_count, 0);
}

}  // namespace
}  // namespace winnow
