#include "scale/plan_part.h"

#include <algorithm>

namespace winnow {
namespace {

// Appends `rows` rows of a level to the part, from row `first` on. Only the first `cols` windows of each row
// belong to the part.
void add_rows(const Level& level, std::int64_t first, std::int64_t rows, std::int64_t cols, LevelPlan& part) {
  if (rows <= 0 || cols <= 0) return;
  Level cut = level;
  cut.corner.y += static_cast<int>(first) * level.row_step;
  cut.rows = static_cast<int>(rows);
  cut.cols = static_cast<int>(cols);
  cut.first_window = part.window_count;
  part.window_count += rows * cols;
  part.levels.push_back(cut);
}

}  // namespace

void cut_plan(const LevelPlan& plan, WindowRange range, PlanPart& part) {
  for (LevelPlan* cut : {&part.windows, &part.before}) {
    cut->levels.clear();
    cut->window_count = 0;
  }
  part.first_window = range.first;
  if (range.first >= range.last) return;
  for (const Level& level : plan.levels) {
    const std::int64_t cols = level.cols, all = cols * level.rows;
    const std::int64_t first = std::max<std::int64_t>(range.first - level.first_window, 0),
                       last = std::min(range.last - level.first_window, all);
    if (first >= last) continue;
    const std::int64_t first_row = first / cols, last_row = last / cols;
    add_rows(level, first_row, last_row - first_row, cols, part.windows);
    add_rows(level, last_row, 1, last % cols, part.windows);
    add_rows(level, first_row, 1, first % cols, part.before);
  }
  part.first_window -= part.before.window_count;
}

}  // namespace winnow
