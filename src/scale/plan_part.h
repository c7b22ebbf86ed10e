// Cuts a plan to a range of its windows. The part is a plan, too, so that every sieve can judge it.
//
// In:     a plan, and a range of its windows.
// Out:    `windows`: levels that hold the range, whole rows first, then the beginning of a last row.
//         `before`: the windows of the range's first row that lie before the range. `windows` holds them,
//         too, because which windows OpenCV skips depends on all earlier windows of the row. The result of
//         the range is the result of `windows` minus the result of `before`.
// Exact:  a level of a part is the plan's level, with its corner moved down by whole rows of windows and with
//         fewer rows. A row that is cut has fewer columns. So each window has the pixels that it has in the
//         plan.
// Memory: the caller owns plan and part. `cut_plan` uses the part's memory again.
// Thread: any; a part is plain data.
#pragma once

#include <cstdint>

#include "scale/plan.h"

namespace winnow {

// Windows `first` to `last` - 1 of a plan.
struct WindowRange {
  std::int64_t first = 0, last = 0;
  bool operator==(const WindowRange&) const = default;
};

struct PlanPart {
  LevelPlan windows;
  LevelPlan before;  // one row, or no level
  // Window i of the part is window `first_window` + i of the plan.
  std::int64_t first_window = 0;
};

// The range must lie in the plan, which is not checked. Levels without windows in the range are left out. An
// empty range gives no levels.
void cut_plan(const LevelPlan& plan, WindowRange range, PlanPart& part);

}  // namespace winnow
