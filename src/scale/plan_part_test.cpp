#include "scale/plan_part.h"

#include <gtest/gtest.h>

#include <cstddef>
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

// Checks the part's windows: each row of the ranges, in the plan's order, with its place in the plan.
void expect_part(const LevelPlan& plan, const std::vector<RowRange>& rows, PlanPart& part) {
  cut_plan(plan, rows, part);
  ASSERT_EQ(part.first_windows.size(), part.windows.levels.size());
  std::size_t at = 0;
  std::int64_t next = 0;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const Level& level = plan.levels[l];
    if (rows[l].first >= rows[l].last || level.cols == 0) continue;
    ASSERT_LT(at, part.windows.levels.size());
    const Level& cut = part.windows.levels[at];
    EXPECT_EQ(cut.first_window, next);
    EXPECT_EQ(cut.rows, rows[l].last - rows[l].first);
    EXPECT_EQ(cut.cols, level.cols);
    EXPECT_EQ((Size{cut.width, cut.height}), (Size{level.width, level.height}));
    EXPECT_EQ(cut.scale, level.scale);
    EXPECT_EQ((Size{cut.step, cut.row_step}), (Size{level.step, level.row_step}));
    for (std::int64_t inside = 0; inside < std::int64_t{cut.rows} * cut.cols; ++inside, ++next) {
      const WindowPlace place = place_window(plan, part.first_windows[at] + inside);
      ASSERT_EQ(place.level, static_cast<int>(l));
      EXPECT_EQ(window_corner(cut, inside), (PixelPoint{place.x, place.y})) << inside;
      EXPECT_EQ(window_box(cut, place.x, place.y), window_box(level, place.x, place.y));
    }
    ++at;
  }
  EXPECT_EQ(at, part.windows.levels.size());
  EXPECT_EQ(part.windows.window_count, next);
}

// Every range of one level, with whole, empty or random ranges of the others.
TEST(PlanPart, EveryRangeOfRows) {
  Random random(1);
  PlanPart part;  // one for all ranges, so that its memory is used again
  for (const LevelPlan& plan : plans()) {
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      for (int first = 0; first <= plan.levels[l].rows; first += 1 + first / 4) {
        for (int last = first; last <= plan.levels[l].rows; last += 1 + last / 4) {
          std::vector<RowRange> rows;
          for (const Level& level : plan.levels) {
            const int from = random.below(level.rows + 1);
            rows.push_back({from, from + random.below(level.rows - from + 1)});
          }
          rows[l] = {first, last};
          expect_part(plan, rows, part);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(PlanPart, AllRowsAreThePlan) {
  for (const LevelPlan& plan : plans()) {
    std::vector<RowRange> rows;
    std::size_t with_windows = 0;
    for (const Level& level : plan.levels) {
      rows.push_back({0, level.rows});
      with_windows += level.cols > 0 && level.rows > 0 ? 1 : 0;
    }
    PlanPart part;
    cut_plan(plan, rows, part);
    EXPECT_EQ(part.windows.levels.size(), with_windows);
    EXPECT_EQ(part.windows.window_count, plan.window_count);
    EXPECT_EQ(same_levels(part.windows, plan), with_windows == plan.levels.size());
    if (plan.levels.size() < 2) continue;
    LevelPlan other = plan;
    other.levels.pop_back();
    EXPECT_FALSE(same_levels(other, plan));
    other = plan;
    other.levels[1].corner.y += 1;
    EXPECT_FALSE(same_levels(other, plan));
  }
}

}  // namespace
}  // namespace winnow
