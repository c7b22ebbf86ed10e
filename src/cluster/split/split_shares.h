// Divides the windows of one picture into strips, which ranks judge.
//
// In:     the picture's plan, the number of ranks, and how many strips each should have.
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
// - Windows above an eighth of the picture are in the first share, which is rank 0's. They are few.
// - Windows above a 32nd are in `ranks` further shares.
// - All others are in `strips` more shares for each rank, so that no rank waits long for another.
//
// The shares of a kind have equally many rows of each level, from the top down.
std::vector<SplitShare> split_shares(const LevelPlan& plan, Size picture, Size window, int ranks, int strips);

}  // namespace winnow
