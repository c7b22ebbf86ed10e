// A picture's work dealt to several devices by rows.
// In: its plan, how many rows of windows are judged together on each level. Out: for each part, the rows of
// windows of each level that are its own: every row is in one part, parts are ranges, and their windows are
// as many, but for those of a row of tiles at either end. exact.
#pragma once

#include <functional>
#include <vector>

#include "scale/plan.h"

namespace winnow {

// `together(step)`: rows of windows that may not be parted, on levels of that step. One list a part.
std::vector<std::vector<RowRange>> share_rows(const LevelPlan& plan, int parts,
                                              const std::function<int(int step)>& together);

// Rows of pixels of a level that windows of these rows cover.
RowRange pixel_rows(const Level& level, RowRange windows, Size window);

// Part `part` of `parts` of so many rows.
RowRange equal_share(int rows, int part, int parts);

}  // namespace winnow
