// A cascade made ready for a device that judges windows tile by tile: a tile's integral plane lies in the
// memory of a block, one thread judges one window.
// In: a checked model and the bytes of memory that a block may have. Out: plain arrays, for each of the two
// layouts of a plane (row by row; even and odd columns apart, for levels of step 2). exact: a stage's sum is
// a 32-bit integer as in `feature_runs.h`, and what it leaves undecided is looked at again in doubles, in the
// file's order.
//
// - Stages of stumps become `TileItem`s, sorted by shape. So do stages of Haar trees, all of whose nodes are
//   evaluated (`reach.h`). All other stages are `plain`, walked node by node as the reference does.
// - Offsets are bytes from the window's corner in its plane; a tilted feature's plane follows the upright
//   one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"

namespace winnow {

constexpr int kTileLayouts = 2;  // kRows for step 1, kSplit for step 2
constexpr int kTileThreads = 512;
constexpr int kTileBlocks = 2;     // that share a processor
constexpr int kMostTileRows = 64;  // two words of rows
constexpr int kTileBands = kTileThreads / 16;
constexpr int kTileCols = 64;  // windows in a row of a tile: two words of verdicts

// Where a tile's windows and their planes lie. Strides are odd, so that windows of one column are in
// different banks.
struct TileShape {
  std::int32_t rows = 0;         // of windows
  std::int32_t stride = 0;       // words in a row of a plane
  std::int32_t half = 0;         // kSplit: where odd columns begin
  std::int32_t plane_rows = 0;   // with the row of zeros
  std::int32_t plane_words = 0;  // of one plane
  std::int32_t pixels = 0;       // in a row
};
TileShape tile_shape(Size window, int step, int rows);

// What of a tile there is: all of it, or less where its level ends.
struct TilePart {
  std::uint16_t rows;          // of windows
  std::uint16_t halves_a_row;  // 32 windows each
  std::uint16_t pixels;        // in a row
  std::uint16_t band;          // rows of a plane that half a warp integrates
  std::int32_t plane_rows;     // with the row of zeros
  std::int32_t band_part;      // 2^16 / band, rounded up: (row * band_part) >> 16 is row / band
};
TilePart tile_part(const TileShape& shape, int step, int rows, int columns);

// Corners as `FeatureShape` orders them (kEdge: those of larger weight at 4 and 6, and one corner twice at 5
// and 7, so that it may be taken for a line; kChecker: the centre is the ninth), or the 4 column and 4 row
// offsets of an LBP grid.
struct alignas(32) TileItem {
  std::uint16_t offset[8];
  float threshold;
  std::int32_t delta;  // left leaf - right leaf, in the stage's units
  std::int16_t times;  // kEdge, kLine: of the corners of larger weight; kChecker: its sign
  std::uint16_t ninth;
  std::uint32_t node : 28;  // of the model
  std::uint32_t shape : 3;
  std::uint32_t plane : 1;  // 1: tilted
};

// Consecutive items of one shape and one plane; in a stage of trees of one depth, too.
struct TileRun {
  FeatureShape shape;
  std::uint8_t plane : 1;
  std::uint8_t inner : 1;  // nodes below roots: an item counts only if its node is come to
  std::uint16_t count;
  std::int32_t first;
  // Of the run that begins a group of trees; else 0.
  std::uint32_t reached;  // the group's bits at first, of which one is set
  std::uint16_t group_runs, group_items;
};

struct TileStage {
  std::int32_t first_run, run_count;
  std::int32_t first_item, item_count;
  std::int32_t base, reject_below, accept_from;
  std::int32_t first_tree, tree_count;
  float limit;
  bool plain;
  bool trees;      // of more than one node, as items
  bool spread;     // its items all have offsets
  bool any_order;  // leaves added in double give the same bits in any order
};

// Byte offsets of each feature's corners from its window's (Haar: 12, LBP: 16). `place(x, y, tilted)` gives
// one.
using CornerOffsets = std::vector<std::int32_t>;
CornerOffsets corner_offsets(const CascadeModel& model,
                             const std::function<std::int32_t(int x, int y, bool tilted)>& place);

// What every cascade's tiles have.
struct TileProgram {
  FeatureKind kind = FeatureKind::kHaar;
  Size window;
  bool tilted = false;
  bool flat_windows = false;
  bool skips = true;
  float flat_above = 0;
  std::int64_t area = 0;                // of the window without its outermost pixels,
  std::int32_t inner[kTileLayouts][4];  // and its corners, as `corners` below
  TileShape shape[kTileLayouts];
  int block_bytes = 0;  // of memory that a block needs
  // For what is judged node by node.
  CornerOffsets corners[kTileLayouts];
};

// `window_bytes`: what a block keeps for each window of its tile, but for the norm that Haar features want.
// False if a tile of this model does not fit: its window is too large.
bool make_tile_program(const CascadeModel& model, int block_bytes, int window_bytes, TileProgram& program);

std::int32_t tile_offset(int x, int y, int layout, bool tilted, const TileShape& shape);

// Offsets of a feature's corners, as `TileItem` has them.
template <class Item>
void put_corners(const Shaped& shaped, int layout, const TileShape& shape, Item& item) {
  for (std::size_t c = 0; c < shaped.corners.size(); ++c) {
    (c < 8 ? item.offset[c] : item.ninth) = static_cast<std::uint16_t>(
        tile_offset(shaped.corners[c].x, shaped.corners[c].y, layout, false, shape));
  }
  if (shaped.shape == FeatureShape::kEdge) {  // as a line, too
    item.offset[6] = item.offset[5];
    item.offset[5] = item.offset[7] = item.offset[4];
  }
}

// Places in two lists of windows.
constexpr int kTileWindowBytes = 4;
constexpr int kSubsetWords = 8;
// Words of subsets that a thread brings its block.
constexpr int kSubsetWordsEach = 2;

struct DeviceProgram : TileProgram {
  // LBP: subsets of the first items, as many as a block has room for after its lists; eight words each, the
  // last code's bit first.
  std::vector<std::uint32_t> own_subsets;
  std::vector<TileStage> stages;
  std::vector<TileRun> runs;
  std::vector<TileItem> items[kTileLayouts];
  std::vector<std::uint32_t> reach;  // `reach_word` of an item, 0 for stumps; empty if there are no trees
};

// Not of a fixed-point cascade: for those there is `fixed_tile_program.h`. False as above.
bool make_device_program(const CascadeModel& model, int block_bytes, DeviceProgram& program);

}  // namespace winnow
