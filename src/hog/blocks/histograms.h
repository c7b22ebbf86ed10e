// Sums gradient votes over cells of any size: integral histograms of a level.
//
// In:     a level of a picture whose pixels are square roots (`root_pixel`); the grid.
// Out:    for each corner of the grid and each of nine orientations, the sum of all votes above and to the
//         left, modulo 2^32. Differences of corners are exact at any size of the picture.
// Exact:  integers, so that the order of addition does not matter.
// Memory: the caller owns all of it. Pointers that `at` gives are valid as long as the list of sums.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "hog/blocks/vote_rule.h"

namespace winnow {

struct IntegralHistograms {
  Size cells;                       // whole cells of the grid in the level
  std::vector<std::uint32_t> sums;  // nine sums for each corner; corners lie row by row
  // The nine sums at corner (x, y). Corners go from (0, 0) to (cells.width, cells.height).
  const std::uint32_t* at(int x, int y) const {
    return sums.data() + (static_cast<std::ptrdiff_t>(y) * (cells.width + 1) + x) * kVoteBins;
  }
};
IntegralHistograms integrate_votes_ref(GrayView level, int grid);

// Writes the square roots of the pixels (`root_pixel`) to `roots`. Memory of `roots` is used again.
void take_roots(GrayView picture, GrayImage& roots);

}  // namespace winnow
