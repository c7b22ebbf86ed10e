#include "scale/plan_part.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace winnow {
namespace {

PlanRules hog_rules(Size steps) {
  PlanRules rules;
  rules.scale = ScaleRule::kOpenCvHog;
  rules.step = StepRule::kFixed;
  rules.fixed_step = steps;
  rules.any_place = true;
  return rules;
}

// Plans of cascades with steps 1 and 2, with one window per row, and with one window per column. Plans of HOG
// with two steps, with padding, with levels without windows, and with listed places.
std::vector<LevelPlan> plans() {
  std::vector<PlanRequest> requests{{{97, 61}, {20, 18}, 1.3, {}, {}},
                                    {{20, 70}, {20, 18}, 1.1, {}, {}},
                                    {{70, 18}, {20, 18}, 1.1, {}, {}},
                                    {{20, 18}, {20, 18}, 1.1, {}, {}},
                                    {{90, 80}, {20, 18}, 1.2, {44, 40}, {}}};
  requests.push_back({{61, 83}, {16, 24}, 1.4, {}, {}, hog_rules({5, 7})});
  requests.back().padding = {9, 11};
  requests.push_back({{61, 83}, {16, 24}, 1.4, {}, {}, hog_rules({8, 8})});
  requests.back().locations = {{3, 5}, {0, 0}, {45, 59}, {3, 5}};
  std::vector<LevelPlan> all;
  for (const PlanRequest& request : requests) {
    all.emplace_back();
    plan_levels(request, all.back());
    EXPECT_GT(all.back().window_count, 0);
  }
  LevelPlan holes = all.front();  // a plan whose first, second and last level have no windows
  holes.levels[0].cols = holes.levels[1].rows = holes.levels.back().cols = 0;
  holes.window_count = 0;
  for (Level& level : holes.levels) {
    level.first_window = holes.window_count;
    holes.window_count += std::int64_t{level.cols} * level.rows;
  }
  all.push_back(holes);
  return all;
}

// Checks that the part's windows are `first` to `last` - 1 of the plan, each with its place in the plan.
void expect_windows(const LevelPlan& plan, const LevelPlan& part, std::int64_t first, std::int64_t last) {
  std::int64_t next = 0;
  for (const Level& cut : part.levels) {
    EXPECT_EQ(cut.first_window, next);
    ASSERT_GT(cut.rows, 0);
    ASSERT_GT(cut.cols, 0);
    for (std::int64_t inside = 0; inside < std::int64_t{cut.rows} * cut.cols; ++inside, ++next) {
      const WindowPlace place = place_window(plan, first + next);
      const Level& level = plan.levels[static_cast<std::size_t>(place.level)];
      EXPECT_EQ(window_corner(cut, inside), (PixelPoint{place.x, place.y})) << first + next;
      EXPECT_EQ(window_box(cut, place.x, place.y), window_box(level, place.x, place.y));
      EXPECT_EQ((Size{cut.width, cut.height}), (Size{level.width, level.height}));
      EXPECT_EQ(cut.scale, level.scale);
      EXPECT_EQ((Size{cut.step, cut.row_step}), (Size{level.step, level.row_step}));
      EXPECT_EQ(cut.corner.x, level.corner.x);
    }
  }
  EXPECT_EQ(part.window_count, next);
  EXPECT_EQ(next, last - first);
}

void expect_part(const LevelPlan& plan, WindowRange range, PlanPart& part) {
  SCOPED_TRACE(testing::Message() << "windows " << range.first << " to " << range.last << " of "
                                  << plan.window_count);
  cut_plan(plan, range, part);
  if (range.first == range.last) {
    EXPECT_TRUE(part.windows.levels.empty() && part.before.levels.empty());
    EXPECT_EQ(part.windows.window_count + part.before.window_count, 0);
    return;
  }
  const WindowPlace place = place_window(plan, range.first);
  const Level& level = plan.levels[static_cast<std::size_t>(place.level)];
  const std::int64_t row = range.first - (range.first - level.first_window) % level.cols;
  EXPECT_EQ(part.first_window, row);
  expect_windows(plan, part.windows, row, range.last);
  expect_windows(plan, part.before, row, range.first);
  EXPECT_LE(part.before.levels.size(), 1u);
  for (const Level& cut : part.before.levels) EXPECT_EQ(cut.rows, 1);
  // Only the last level of the range may occur twice.
  EXPECT_LE(part.windows.levels.size(), static_cast<std::size_t>(place_window(plan, range.last - 1).level) -
                                            static_cast<std::size_t>(place.level) + 2);
}

TEST(PlanPart, EveryRangeHasItsWindows) {
  PlanPart part;  // one for all ranges, so that its memory is used again
  for (const LevelPlan& plan : plans()) {
    if (plan.window_count > 60) continue;
    for (std::int64_t first = 0; first <= plan.window_count; ++first) {
      for (std::int64_t last = first; last <= plan.window_count; ++last)
        expect_part(plan, {first, last}, part);
    }
  }
}

TEST(PlanPart, RandomRangesHaveTheirWindows) {
  Random random(1);
  PlanPart part;
  for (const LevelPlan& plan : plans()) {
    const auto any = [&](std::int64_t count) { return random.below(static_cast<int>(count) + 1); };
    for (int i = 0; i < 60; ++i) {
      const std::int64_t first = i == 0 ? 0 : any(plan.window_count),
                         last = i < 2 ? plan.window_count : first + any(plan.window_count - first);
      expect_part(plan, {first, last}, part);
    }
    for (const Level& level : plan.levels) {
      const std::int64_t windows = std::int64_t{level.cols} * level.rows;
      expect_part(plan, {level.first_window, level.first_window + windows}, part);
    }
  }
}

TEST(PlanPart, TheWholeRangeIsThePlan) {
  for (const LevelPlan& plan : plans()) {
    PlanPart part;
    cut_plan(plan, {0, plan.window_count}, part);
    std::size_t with_windows = 0;
    for (const Level& level : plan.levels) with_windows += level.cols > 0 && level.rows > 0 ? 1 : 0;
    EXPECT_EQ(part.windows.levels.size(), with_windows);
    EXPECT_TRUE(part.before.levels.empty());
    EXPECT_EQ(part.first_window, 0);
  }
}

}  // namespace
}  // namespace winnow
