// Computes the blocks of one level of a picture and scores its windows with SIMD, one row of cells after the
// other.
//
// In:     a `HogForm` whose blocks are two by two cells, at a stride of one cell. 1 or 3 planes of a picture,
//         which are resized to the level row by row.
// Out:    the windows whose sum is at least a limit.
// Exact:  the sums of `reference`: lanes add floats in the same order, and sums of integers have no order.
// Memory: a `HogScratch` keeps its buffers, which grow to the widest level. Its pointers are not read after
//         the call. Planes are read only during the call. `HogLanes` does not refer to the `HogForm`.
// Thread: any; each thread needs its own `HogScratch`.
//
// A band is a row of cells. The votes of each row of pixels are summed along x: a pixel votes for both cells
// of each block that holds its column. Then the rows of the band are added up, which completes the row of
// blocks that ends with the band. That row of blocks is added at once to the sums of all rows of windows that
// hold it, and is not kept.
//
// Windows that lie a cell apart share one grid of blocks, a lattice (hog/lattice.h). Windows at another step
// form several lattices: four if the step is half a cell. One walk down the pixels serves all lattices. A
// pixel votes once, and lattices with the same columns share the sums of each row of pixels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

#include "hog/hog_form.h"
#include "hog/hog_steps.h"
#include "hog/lattice.h"
#include "hog/rows/vote_rows.h"
#include "scale/plan.h"
#include "sieve/stages.h"

namespace winnow {

// The weights of a window, arranged for `hog_level_cpu`.
struct HogLanes {
  HogForm form;
  std::vector<float> beside;        // for each column of pixels in a cell, 4 weights: two blocks hold the
                                    // column, and in each block it votes for two cells
  std::vector<std::int32_t> pairs;  // two weights each: [column of blocks][pair][row of blocks]
  int pair_count = 0, rows = 0;     // `pair_count`: pairs of a block; `rows`: rows of blocks of a window
};
inline constexpr int kHogRowsAtOnce = 5;
inline constexpr int kMaxHogLaneBins = 32;

// Whether `hog_level_cpu` can judge models of this shape.
bool lanes_fit(const HogShape& shape);
HogLanes make_hog_lanes(const HogForm& form);

// The values that lattices with the same x share. `cells` and `blocks` are numbers in one row.
struct HogLaneColumn {
  int cells = 0, blocks = 0;
  int row_length = 0, row_pitch = 0;         // length and stride of a row of sums
  int pitch = 0;                             // stride of a row of blocks; windows may read a few lanes beyond
                                             // the last block
  std::size_t first_row = 0, first_sum = 0;  // where its sums begin in `HogScratch::row_sums` and `sums`
};

struct HogScratch {
  VoteRows votes;
  std::vector<Lattice> lattices;
  std::vector<HogLaneColumn> columns;
  std::vector<float> row_sums, sums, transposed;
  std::vector<std::int32_t> blocks, dealt, scores;
  std::vector<const float*> bands;
  std::vector<int> numbers;
  std::vector<std::int32_t*> rows_of_windows;
  std::vector<Survivor> survivors;
};

// Appends the level's survivors to `scratch.survivors`, in rising order.
void hog_level_cpu(const HogLanes& lanes, std::span<const GrayView> planes, const Level& level,
                   std::int64_t min_sum, HogScratch& scratch);
// Fills `grid`, whose steps must divide a cell, with the values of its blocks on a level.
void describe_lanes_cpu(const HogLanes& lanes, std::span<const GrayView> planes, Size level, BlockGrid& grid,
                        HogScratch& scratch);

}  // namespace winnow
