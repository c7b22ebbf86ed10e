// Divides the windows of one picture among ranks.
//
// In:     the picture's plan, and the number of ranks.
// Out:    a part of the plan for each rank, and the rows of the picture that the part's windows cover.
// Exact:  each window of the plan is in one part.
// Memory: the caller owns all.
// Thread: any.
#pragma once

#include <vector>

#include "scale/plan.h"
#include "scale/plan_part.h"

namespace winnow {

struct SplitShare {
  PlanPart part;
  RowRange rows;  // of the picture; empty if the part has no windows
};

// `window`: the model's. Rank 0 has all windows that are higher than an eighth of the picture: for few
// windows, they would take much of the picture to every rank. Of all other levels each rank has equally many
// rows, from the top down.
std::vector<SplitShare> split_shares(const LevelPlan& plan, Size picture, Size window, int ranks);

}  // namespace winnow
