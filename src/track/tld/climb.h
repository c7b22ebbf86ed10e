// Moves and scales a box, step by step, to where a score is greatest.
//
// In:     a box, a score of boxes, and the finest step.
// Out:    a box whose score no box beside it exceeds.
// Exact:  a fixed order of trials; a later trial wins only with a greater score.
// Memory: nothing is allocated.
// Thread: any, as the score allows.
// Cost:   six scores for each step.
#pragma once

#include <winnow/box.h>

#include "track/tld/object_patch.h"

namespace winnow {

struct Climbed {
  RealBox box;
  double score = 0;
};

// A step is that part of a patch's pixel, which is a 15th of the box. It is halved when nothing beside is
// better.
template <class Score>
Climbed climb(const RealBox& from, double finest, const Score& score) {
  constexpr int kMostMoves = 12;
  constexpr double kGrowth = 0.05;  // of the box with a whole step
  Climbed best{from, score(from)};
  int moves = 0;
  for (double step = 1; step >= finest && moves < kMostMoves;) {
    const RealBox at = best.box;
    const double right = at.width / kPatchSide * step, down = at.height / kPatchSide * step;
    const auto scaled = [&](double by) {
      return RealBox{at.x - (by - 1) / 2 * at.width, at.y - (by - 1) / 2 * at.height, at.width * by,
                     at.height * by};
    };
    const RealBox beside[] = {{at.x + right, at.y, at.width, at.height},
                              {at.x - right, at.y, at.width, at.height},
                              {at.x, at.y + down, at.width, at.height},
                              {at.x, at.y - down, at.width, at.height},
                              scaled(1 + step * kGrowth),
                              scaled(1 / (1 + step * kGrowth))};
    const double before = best.score;
    for (const RealBox& box : beside) {
      const double now = score(box);
      if (now > best.score) best = {box, now};
    }
    if (best.score > before)
      ++moves;
    else
      step /= 2;
  }
  return best;
}

}  // namespace winnow
