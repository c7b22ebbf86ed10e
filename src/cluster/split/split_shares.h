// Divides the windows of one picture into strips, which ranks judge.
//
// In:     the picture's plan, the number of ranks, and how often each should take low windows.
// Out:    parts of the plan, each with the rows of the picture that its windows cover.
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

// `window`: the model's. Windows are dealt by their height, since a strip needs the rows below it that its
// windows cover:
//
// - Windows above an eighth of the picture are few, and need many rows. They are the first share, which is
//   rank 0's. It holds lower ones, too, as long as it has at most half of a rank's part of all windows.
// - All others are dealt in `rounds`, with a share for each rank in each round. A round has half of the rows
//   that are left, and the last one all. So the shares at the end are small, and no rank waits long for
//   another.
//
// The shares of a round have equally many rows of each level, from the top down.
std::vector<SplitShare> split_shares(const LevelPlan& plan, Size picture, Size window, int ranks, int rounds);

}  // namespace winnow
