#include "scale/plan_part.h"

#include <algorithm>
#include <tuple>

namespace winnow {

void cut_plan(const LevelPlan& plan, std::span<const RowRange> rows, PlanPart& part) {
  part.windows.levels.clear();
  part.windows.window_count = 0;
  part.first_windows.clear();
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const Level& level = plan.levels[l];
    if (rows[l].first >= rows[l].last || level.cols <= 0) continue;
    Level cut = level;
    cut.corner.y += rows[l].first * level.row_step;
    cut.rows = rows[l].last - rows[l].first;
    cut.first_window = part.windows.window_count;
    part.windows.window_count += std::int64_t{cut.rows} * cut.cols;
    part.windows.levels.push_back(cut);
    part.first_windows.push_back(level.first_window + std::int64_t{rows[l].first} * level.cols);
  }
}

bool same_levels(const LevelPlan& a, const LevelPlan& b) {
  const auto fields = [](const Level& of) {
    return std::tuple(of.scale, of.factor, of.width, of.height, of.step, of.row_step, of.corner.x,
                      of.corner.y, of.cols, of.rows, of.window.width, of.window.height, of.first_window);
  };
  return std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(),
                    [&](const Level& x, const Level& y) { return fields(x) == fields(y); });
}

}  // namespace winnow
