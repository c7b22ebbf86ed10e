// Lays out the work of a HOG SVM on a device: where blocks and sums of all levels lie in memory, which strips
// and tiles threads take, and weights in the order in which threads read them.
//
// In:     a `HogForm`, a level plan, the number of frames, and limits.
// Out:    levels, passes and tiles. Every block that a window needs is in one strip, every window sum is in
//         one pass, and passes follow the order of the windows.
// Exact:  integers.
// Memory: plain data, owned by the caller.
// Thread: any.
//
// A device works on the levels of a batch in passes, so that blocks take bounded memory. A pass is some
// levels of some frames. A word holds a pair of values of a block. The first words of all blocks lie side by
// side, then the second words of all blocks, and so on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/device/host_device.h"
#include "hog/hog_form.h"
#include "scale/plan.h"

namespace winnow {

// A grid of blocks and windows on a level: of the whole level, or of one of its lattices. Indices
// `first_word`, `first_sum` and `first_vote` count from the start of a frame's data in the grid's pass.
struct HogDeviceLevel {
  std::int64_t first_word = 0;                  // the first word of its blocks
  std::int64_t first_sum = 0;                   // the first sum of its windows
  std::int64_t first_vote = 0;                  // the first vote of its pixels, if votes are kept
  std::int32_t width = 0, height = 0;           // the level's size in pixels
  std::int32_t block_cols = 0, block_rows = 0;  // columns and rows of blocks that windows need
  std::int32_t cols = 0, rows = 0;              // columns and rows of places for windows
  std::int32_t number = 0;                      // index of the level in the plan
  std::int32_t x = 0, y = 0;                    // the first block's corner, in pixels of the level
  Size area;                                    // the size in pixels of the area that its blocks cover
  // As in `Lattice`. `step`: the distance of neighbouring windows in places. `period`: the same distance in
  // windows of the level.
  Size step{1, 1}, period{1, 1};
  std::int32_t window_cols = 0;   // columns of windows of the level
  std::int64_t first_window = 0;  // number of the grid's first window in the plan

  WINNOW_HOST_DEVICE std::int64_t blocks() const { return std::int64_t{block_cols} * block_rows; }
};

// The blocks of one warp: up to kHogStripBlocks columns, and the rows from `first_row` to before `last_row`.
struct HogStrip {
  std::int32_t level = 0, first_col = 0, first_row = 0, last_row = 0;
};

// The work of one block of threads: kHogScoreItems items of a level, from `first_item` on. Item
// row * cols + column stands for one row of blocks in one column of windows.
struct HogScoreTile {
  std::int64_t first_item = 0;
  std::int32_t level = 0;
};

struct HogPass {
  std::int32_t first_level = 0, last_level = 0;         // range of `HogLayout::levels`, without `last_level`
  std::int32_t frames = 1;                              // frames that are in the pass at once
  std::int64_t windows = 0;                             // windows of one frame
  std::int64_t words = 0, sums = 0, votes = 0;          // words, sums and votes of one frame
  std::uint32_t first_strip = 0, strips = 0;            // without strips, blocks are computed pixel by pixel
  std::uint32_t first_score_tile = 0, score_tiles = 0;  // without tiles, windows are scored one by one
};

struct HogLayout {
  Size step;            // distance of neighbouring blocks of a grid, in pixels
  Size window_step;     // distance of neighbouring windows, in blocks of the grid
  Size block_stride;    // distance of neighbouring blocks of a window, in blocks of the grid
  bool aligned = true;  // every grid begins at a multiple of kHogStripCell pixels
  bool inside = true;   // no grid extends beyond its level
  std::vector<HogDeviceLevel> levels;
  std::vector<HogPass> passes;
  std::vector<HogStrip> strips;
  std::vector<HogScoreTile> score_tiles;
  std::int64_t words = 0, sums = 0, votes = 0;  // the most that any pass needs for all of its frames
};

inline constexpr int kHogStripBlocks = 31, kHogStripCell = 8, kHogStripBins = 9;
inline constexpr int kHogScoreRows = 8;              // rows of windows whose sums a thread adds up
inline constexpr std::int64_t kHogScoreItems = 256;  // items of a tile
inline constexpr int kMostHogScoreBytes = 48 << 10;  // the most bytes of weights for a block of threads

// Whether warps can compute blocks in strips. Blocks must be two by two cells of 8 x 8 pixels, lie a cell
// apart, and have 9 bins. If so, each lattice of a level is a grid.
bool strips_fit(const HogShape& shape);
// Whether threads can score rows of windows. Every block of the grid must begin a window, blocks of a window
// must be neighbours, and the weights must fit kMostHogScoreBytes.
bool score_tiles_fit(const HogShape& shape, const HogLayout& layout);

// The number of words of a block. Each word holds a pair of values.
inline int hog_pairs(const HogShape& shape) { return (shape.block_values() + 1) / 2; }
inline int hog_score_bands(const HogShape& shape) {
  return (shape.blocks().height + kHogScoreRows - 1) / kHogScoreRows;
}
// The bytes of the weights for kHogScoreRows rows of a window's blocks.
inline std::int64_t hog_score_bytes(const HogShape& shape) {
  return std::int64_t{8} * kHogScoreRows * shape.blocks().width * hog_pairs(shape);
}

struct HogLimits {
  // The most bytes of a pass: its blocks, sums and votes. Levels or frames beyond the limit go into other
  // passes.
  std::int64_t pass_bytes = std::int64_t{512} << 20;
  int strip_rows = 8;  // the most rows of blocks in a strip
};

// Lays out the work for batches of `batch` frames, 1 or more.
HogLayout lay_hog(const HogForm& form, const LevelPlan& plan, int batch, const HogLimits& limits);

// Weights for score tiles: [group of rows][column of blocks][pair][first or second value][row of the group].
// A group is kHogScoreRows rows of a window's blocks. Weights beyond the window's last row are 0.
std::vector<std::int32_t> hog_score_weights(const HogForm& form);
// Weights for single windows, two in a word: [column of blocks][row of blocks][pair].
std::vector<std::uint32_t> hog_weight_pairs(const HogForm& form);

}  // namespace winnow
