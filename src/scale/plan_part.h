// Cuts a plan to some of its rows of windows. The part is a plan, too, so that every sieve can judge it.
//
// In:     a plan, and for each of its levels a range of rows of windows.
// Out:    a plan of these rows, and the numbers that its windows have in the whole plan.
// Exact:  a level of a part is the plan's level, with its corner moved down by whole rows of windows and with
//         fewer rows. So each window has the pixels that it has in the plan. Rows are whole, because which
//         windows OpenCV skips depends on all earlier windows of the row.
// Memory: the caller owns plan and part. `cut_plan` uses the part's memory again.
// Thread: any; a part is plain data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scale/plan.h"

namespace winnow {

struct PlanPart {
  LevelPlan windows;
  // For each level of `windows`, the number that its first window has in the whole plan. Windows of a level
  // keep their order.
  std::vector<std::int64_t> first_windows;
};

// `rows` has a range for each level of the plan, within the level, which is not checked. Levels without
// windows in their range are left out.
void cut_plan(const LevelPlan& plan, std::span<const RowRange> rows, PlanPart& part);

// Whether two plans have the same levels.
bool same_levels(const LevelPlan& a, const LevelPlan& b);

}  // namespace winnow
