// Judges one level of a picture with SIMD, row of windows by row of windows.
//
// In:     a model, and the roots of a picture, which are resized row by row.
// Out:    the windows that pass every stage, with their sums; the number of windows that reached each stage.
// Exact:  the result of `reference`. The float operations are the same; the other sums are of integers.
// Memory: a scratch keeps its buffers, which grow to the widest level. Pointers in a scratch are not read
//         after the call. Roots are read only during the call. Lanes do not refer to their model.
// Thread: any; each needs its own `BlockScratch`.
//
// No level exists as a whole. Only the rows of integral histograms that one row of windows needs are kept.
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

// A stage as lanes compute it.
struct BlockLaneStage {
  std::int32_t x, y, cell_width, cell_height;  // as in `HogBlock`
  std::int32_t shift;
  // For each orientation a pair of 16-bit weights: of both upper cells in `upper`, of both lower cells in
  // `lower`.
  alignas(64) std::int32_t upper[kCornerLanes], lower[kCornerLanes];
  std::int32_t table[kHogTableBins];
  float first, bins_per_response;
  std::int32_t min_sum;
};
struct BlockLanes {
  Size window;  // in steps of the grid
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
  std::vector<std::uint8_t> pixels;              // the rows of pixels around a row of cells, with a border
  std::vector<std::uint32_t> votes, histograms;  // votes of a row of cells; sums at corners
  std::vector<const std::uint32_t*> corners;     // the rows of corners that a row of windows needs
  std::vector<std::int32_t> alive, sums;
  std::vector<std::int64_t> reached;  // per stage the windows that reached it; calls add, and never clear
};

// Appends the level's windows that pass every stage with a sum of at least `min_sum`, in rising order.
void judge_level_cpu(const BlockLanes& lanes, GrayView roots, const Level& level, std::int64_t min_sum,
                     BlockScratch& scratch, std::vector<PassedWindow>& passed);

}  // namespace winnow
