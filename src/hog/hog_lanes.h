// Describes and scores one level of a picture with SIMD, band of cells by band of cells.
//
// In:     a form whose blocks are two by two cells, at a stride of one cell; a level as 1 or 3 planes that
// are
//         resized row by row.
// Out:    the windows whose sum reaches a limit.
// Exact:  the sums of `reference`: lanes add in the same order, and sums of whole numbers have none.
// Memory: a scratch a thread, which grows to its widest level and stays.
// Thread: any; each thread needs its own `HogScratch`.
//
// A band is a row of cells. Each row of its pixels votes into sums of the two blocks and two cells that it
// touches. Then the rows of the band are added, which completes the row of blocks that ends with the band.
// That row of blocks goes at once into the sums of all rows of windows that hold it, and is forgotten.
//
// Windows that lie a cell apart share one grid of blocks. Windows at other steps are several such sets, which
// are searched one after the other: four sets if the step is half a cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

#include "hog/hog_form.h"
#include "scale/plan.h"
#include "scale/resize.h"
#include "sieve/stages.h"

namespace winnow {

// The weights of a window, arranged for `hog_level_cpu`.
struct HogLanes {
  HogForm form;
  std::vector<float> beside;            // 4 parts for each column of a cell, for the two blocks that hold it
  std::vector<std::int32_t> pairs;      // two weights each: [column of blocks][pair][row of blocks]
  int pair_count = 0, rows_padded = 0;  // rows of blocks, padded to a multiple of kHogRowsAtOnce
};
inline constexpr int kHogRowsAtOnce = 5;
inline constexpr int kMaxHogLaneBins = 32;

// Whether `hog_level_cpu` does models of this shape.
bool lanes_fit(const HogShape& shape);
HogLanes make_hog_lanes(const HogForm& form);

struct HogScratch {
  std::vector<ResizeColumns> columns;
  std::vector<ResizeRows> rows;
  std::vector<std::uint8_t> bytes;
  std::vector<float> pixels;  // three rows of each plane, with room for the border
  std::vector<float> here, next, sums, row_sums, turned;
  std::vector<std::int32_t> bins, blocks, scores;
  std::vector<Survivor> survivors;
};

// Appends survivors of the level to `scratch.survivors`, in rising order.
void hog_level_cpu(const HogLanes& lanes, std::span<const GrayView> planes, const Level& level,
                   std::int64_t least, HogScratch& scratch);

}  // namespace winnow
