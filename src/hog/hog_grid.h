// Computes the values of the blocks of a level with SIMD, for models of any shape.
//
// In:     a `HogForm`; 1 or 3 planes of a picture, which are resized to the level row by row; a grid of
//         blocks.
// Out:    the values of the grid's blocks; the windows whose sum over their blocks is large enough.
// Exact:  the values of `reference`: lanes add in the same order.
// Memory: a `HogGridScratch` keeps its buffers, which grow to the largest level. Its pointers are not read
//         after a call. Form, weights and planes are read only during a call.
// Thread: any; each thread needs its own `HogGridScratch`.
//
// Each row of pixels is summed once for each column of the grid. All blocks of that column use this sum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

#include "hog/hog_form.h"
#include "hog/hog_steps.h"
#include "hog/rows/vote_rows.h"
#include "scale/plan.h"
#include "sieve/stages.h"

namespace winnow {

struct HogGridScratch {
  VoteRows votes;
  BlockGrid grid;
  std::vector<float> row_sums, block_sums, transposed;
  std::vector<const float*> rows;
  std::vector<std::int32_t> pairs;
  std::vector<Survivor> survivors;
};

// The weights of a block's pixel columns for its columns of cells, in groups of four cells:
// [group][pixel column][cell of the group]. Cells that the last group lacks have weight 0.
std::vector<float> grouped_cell_weights(const HogForm& form);

// Fills `grid` with the values of its blocks. `cell_weights`: what `grouped_cell_weights` gives for the form.
void describe_grid_cpu(const HogForm& form, const std::vector<float>& cell_weights,
                       std::span<const GrayView> planes, Size level, BlockGrid& grid,
                       HogGridScratch& scratch);

// Appends the level's survivors to `scratch.survivors`, in rising order.
void hog_grid_level_cpu(const HogForm& form, const std::vector<float>& cell_weights,
                        std::span<const GrayView> planes, const Level& level, std::int64_t min_sum,
                        HogGridScratch& scratch);

}  // namespace winnow
