// Judges the windows of one level of a picture with SIMD, one row of windows after the other.
//
// In:     a model, and a picture of square roots of pixels (`take_roots`), which is resized row by row.
// Out:    the windows that pass every stage, with their sums; the number of windows that reached each stage.
// Exact:  the result of `reference`. The float operations are the same; all other sums are of integers.
// Memory: a `BlockScratch` keeps its buffers, which grow to the widest level. Its pointers are not read after
//         the call. The picture is read only during the call. `BlockLanes` does not refer to its model.
// Thread: any; each thread needs its own `BlockScratch`.
//
// Memory never holds a whole level, only the rows of integral histograms that one row of windows needs.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/hog_cascade.h>
#include <winnow/image.h>

#include "hog/blocks/vote_rule.h"
#include "scale/plan.h"
#include "scale/resize.h"

namespace winnow {

inline constexpr int kCornerLanes = 16;  // values of a corner; the values after the nine orientations are 0

// A stage in the form that SIMD lanes read.
struct BlockLaneStage {
  std::int32_t x, y, cell_width, cell_height;  // as in `HogBlock`
  std::int32_t shift;
  // Each item is a pair of 16-bit weights for one orientation: for the two upper cells in `upper`, for the
  // two lower cells in `lower`. The left cell's weight is in the low 16 bits.
  alignas(64) std::int32_t upper[kCornerLanes], lower[kCornerLanes];
  std::int32_t table[kHogTableBins];
  float first, bins_per_response;
  std::int32_t min_sum;
};
struct BlockLanes {
  Size window;  // in cells
  int grid = 4;
  std::vector<BlockLaneStage> stages;
};
BlockLanes make_block_lanes(const HogCascadeModel& model);

struct PassedWindow {
  std::int64_t window;
  std::int32_t sum;
};

struct BlockScratch {
  ResizeColumns columns;
  ResizeRows rows;
  std::vector<std::uint8_t> pixels;              // the pixels of one row of cells, with a border
  std::vector<std::uint32_t> votes, histograms;  // votes of a row of cells; sums at corners
  std::vector<const std::uint32_t*> corners;     // the rows of corners that a row of windows needs
  std::vector<std::int32_t> alive, sums;
  std::vector<std::int64_t> reached;  // the number of windows that reached each stage; calls only add to it
};

// Appends the level's windows that pass every stage with a sum of at least `min_sum`, in rising order.
void judge_level_cpu(const BlockLanes& lanes, GrayView roots, const Level& level, std::int64_t min_sum,
                     BlockScratch& scratch, std::vector<PassedWindow>& passed);

}  // namespace winnow
