// The form of a HOG SVM for a device. It has the places of the blocks and sums of all levels, the strips and
// tiles that threads take, and weights in the order in which threads read them.
//
// In:     a form, a level plan, the number of frames, and limits.
// Out:    levels, passes and tiles. Every block that a window needs is in one strip, every window sum is in
//         one pass, and passes follow the order of the windows.
// Exact:  integers.
// Memory: plain data, owned by the caller.
// Thread: any.
//
// A device describes and scores the levels of a batch pass by pass, so that blocks take bounded memory. A
// pass is some levels of some frames. Blocks lie value pair by value pair: a word holds two values of a
// block, and the words of neighbouring blocks lie together.
#pragma once

#include <cstdint>
#include <vector>

#include "base/device/host_device.h"
#include "hog/hog_form.h"
#include "scale/plan.h"

namespace winnow {

// A grid of blocks and windows on a level: the whole level, or one of its lattices. Offsets are counted from
// the start of one frame's data in the grid's pass.
struct HogDeviceLevel {
  std::int64_t first_word = 0;  // the first word of its blocks
  std::int64_t first_sum = 0;   // the first sum of its windows
  std::int64_t first_vote = 0;  // the first vote of its pixels, if votes are kept
  std::int32_t width = 0, height = 0;
  std::int32_t block_cols = 0, block_rows = 0;  // the blocks that windows need
  std::int32_t cols = 0, rows = 0;              // places of windows
  std::int32_t number = 0;                      // the number of the level
  std::int32_t x = 0, y = 0;                    // the first block's corner, in pixels of the level
  Size area;                                    // the size of the pixels that its blocks need
  // `step`: the distance of windows among the places (`Lattice`). `period`: the number of the level's windows
  // from one window of the grid to the next.
  Size step{1, 1}, period{1, 1};
  std::int32_t window_cols = 0;
  std::int64_t first_window = 0;  // counted among the plan's windows

  WINNOW_HOST_DEVICE std::int64_t blocks() const { return std::int64_t{block_cols} * block_rows; }
};

// Up to kHogStripBlocks columns and some rows of blocks, for one warp.
struct HogStrip {
  std::int32_t level = 0, first_col = 0, first_row = 0, last_row = 0;
};

// A tile is a range of a level's items. Item row * cols + column is a row of blocks and a column of
// windows.
struct HogScoreTile {
  std::int64_t first_item = 0;
  std::int32_t level = 0;
};

struct HogPass {
  std::int32_t first_level = 0, last_level = 0;         // places in `HogLayout::levels`
  std::int32_t frames = 1;                              // frames that are in the pass at once
  std::int64_t windows = 0;                             // windows of one frame
  std::int64_t words = 0, sums = 0, votes = 0;          // words, sums and votes of one frame
  std::uint32_t first_strip = 0, strips = 0;            // without strips, blocks are described pixel by pixel
  std::uint32_t first_score_tile = 0, score_tiles = 0;  // without tiles, windows are scored one by one
};

struct HogLayout {
  Size step;            // from block to block of the grid, in pixels
  Size window_step;     // from window to window, in blocks of the grid
  Size block_stride;    // from one block of a window to the next, in blocks of the grid
  bool aligned = true;  // every grid begins at a multiple of kHogStripCell pixels
  bool inside = true;   // no grid extends beyond its level
  std::vector<HogDeviceLevel> levels;
  std::vector<HogPass> passes;
  std::vector<HogStrip> strips;
  std::vector<HogScoreTile> score_tiles;
  std::int64_t words = 0, sums = 0, votes = 0;  // the most of any pass, with all of its frames
};

inline constexpr int kHogStripBlocks = 31, kHogStripCell = 8, kHogStripBins = 9;
inline constexpr int kHogScoreRows = 8;              // rows of windows whose sums a thread adds up
inline constexpr std::int64_t kHogScoreItems = 256;  // items of a tile
inline constexpr int kMostHogScoreBytes = 48 << 10;  // bytes of the weights that a block of threads keeps

// Whether warps describe strips of blocks: blocks of two by two cells of 8 x 8 pixels, a cell apart, with 9
// bins. If so, each lattice of a level is a grid.
bool strips_fit(const HogShape& shape);
// Whether threads score rows of windows. Every block of the grid must begin a window, blocks of a window must
// be neighbours, and the weights must fit kMostHogScoreBytes.
bool score_tiles_fit(const HogShape& shape, const HogLayout& layout);

// Words of a block: pairs of values.
inline int hog_pairs(const HogShape& shape) { return (shape.block_values() + 1) / 2; }
inline int hog_score_bands(const HogShape& shape) {
  return (shape.blocks().height + kHogScoreRows - 1) / kHogScoreRows;
}
// Bytes of the weights of kHogScoreRows rows of windows.
inline std::int64_t hog_score_bytes(const HogShape& shape) {
  return std::int64_t{8} * kHogScoreRows * shape.blocks().width * hog_pairs(shape);
}

struct HogLimits {
  // The most bytes of a pass: its blocks, sums and votes. Levels or frames beyond the limit go into other
  // passes.
  std::int64_t pass_bytes = std::int64_t{512} << 20;
  int strip_rows = 8;  // the most rows of blocks in a strip
};

// `batch`: 1 or more.
HogLayout lay_hog(const HogForm& form, const LevelPlan& plan, int batch, const HogLimits& limits);

// Weights for score tiles: [group of rows][column of blocks][pair][first or second value][row of the group],
// 0 beyond the window's last row.
std::vector<std::int32_t> hog_score_weights(const HogForm& form);
// Weights for single windows, two in a word: [column of blocks][row of blocks][pair].
std::vector<std::uint32_t> hog_weight_pairs(const HogForm& form);

}  // namespace winnow
