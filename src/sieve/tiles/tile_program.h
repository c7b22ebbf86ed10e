// Makes a cascade ready for tiles on a device: a block of threads has a tile's integral planes in its shared
// memory, and a thread judges a window.
//
// In:     a checked model that is not fixed-point, and the bytes of shared memory that a block may have.
// Out:    plain arrays, with items for both layouts of a plane: row by row, or even and odd columns apart
//         (levels of step 2). A layout's number is step - 1, and there are no other steps. False if a tile
//         does not fit: the window is too large. kLimit if the features have too many corners.
// Exact:  stage sums are 32-bit integers as in `feature_runs.h`. An undecided window is judged again in
//         doubles, in the file's order.
// Memory: the program is the caller's and does not refer to the model.
//
// - Stages of stumps become `TileItem`s, sorted by shape. The nodes of Haar trees become `TileItem`s, too,
//   and all of them are evaluated (`flat_trees.h`). Other stages are `plain`: walked node by node, as in the
//   reference.
// - Offsets are bytes from the window's corner in the item's plane. The tilted plane follows the upright
//   plane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"

namespace winnow {

constexpr int kTileLayouts = 2;  // kRows for step 1, kSplit for step 2
constexpr int kTileThreads = 512;
constexpr int kTileBlocks = 2;     // blocks that share a multiprocessor, called processor here
constexpr int kMostTileRows = 64;  // so that one bit per row takes two words
constexpr int kTileBands = kTileThreads / 16;
constexpr int kTileCols = 64;  // windows in a row of a tile: two words of verdicts

// The shape of a tile's windows and planes. Strides are odd, so that windows of one column lie in different
// banks.
struct TileShape {
  std::int32_t rows = 0;         // rows of windows
  std::int32_t stride = 0;       // words per row of a plane
  std::int32_t half = 0;         // kSplit: the first word of odd columns
  std::int32_t plane_rows = 0;   // rows of a plane, including the row of zeros
  std::int32_t plane_words = 0;  // words of one plane
  std::int32_t pixels = 0;       // pixels per row
};
TileShape tile_shape(Size window, int step, int rows);

// The part of a tile's shape that holds windows: the whole shape, or less at the end of a level.
struct TileExtent {
  std::uint16_t rows;          // rows of windows
  std::uint16_t halves_a_row;  // half rows, of 32 windows each, in a row: 1 or 2
  std::uint16_t pixels;        // pixels per row
  std::uint16_t band;          // rows of a plane that half a warp integrates
  std::int32_t plane_rows;     // rows of a plane, including the row of zeros
  std::int32_t
      band_reciprocal;  // 2^16 / band, rounded down, + 1: (row * band_reciprocal) >> 16 is row / band
};
// `rows` and `columns`: the rows and columns of windows that the tile really has.
TileExtent tile_extent(const TileShape& shape, int step, int rows, int columns);

// The shared memory of a device, in bytes.
struct TileRoom {
  int block_memory;      // the most that a block may have, declared memory included
  int processor_memory;  // memory of a processor, for all blocks on it
  int block_overhead;    // the bytes of `processor_memory` that a block takes besides its requested bytes
  int declared;          // the bytes that the kernel itself declares, included in `block_overhead`
};

// Makes the program of a cascade's tiles. `make(bytes, program)` makes a program whose blocks request at most
// `bytes`, or returns false if a tile does not fit. If no program fits, `fit_program` returns false and does
// not change `program`. Several blocks share a processor, unless their tiles are lower than `kHighEnough` and
// fewer blocks have tiles at least twice as high. Low tiles waste work: a tile integrates the rows of pixels
// under its last windows, and the tile below integrates these rows again.
template <class Program, class Make>
bool fit_program(const TileRoom& room, Make make, Program& program) {
  constexpr int kHighEnough = 16;  // rows of windows
  const auto rows = [](const Program& of) { return std::min(of.shape[0].rows, of.shape[1].rows); };
  bool fits = false;
  for (int blocks = kTileBlocks; blocks > 0; --blocks) {
    Program next;
    const int bytes =
        std::min(room.block_memory - room.declared, room.processor_memory / blocks - room.block_overhead);
    if (!make(bytes, next)) continue;
    if (!fits || rows(next) >= 2 * rows(program)) program = std::move(next);
    fits = true;
    if (rows(program) >= kHighEnough) break;
  }
  return fits;
}

// One weak classifier, or one node of a tree. Corners are as `FeatureShape` orders them, or the 4 column and
// 4 row offsets of an LBP grid. kEdge: the two corners of weight m stand at 4 and 6. The corner at 4 also
// stands at 5 and 7, where it cancels out. So an edge can be evaluated as a line. kChecker: the centre is
// `ninth`.
struct alignas(32) TileItem {
  std::uint16_t offset[8];
  float threshold;
  std::int32_t delta;   // stumps: left leaf - right leaf, in the stage's units; trees: `FlatNode::delta`
  std::int16_t factor;  // kEdge, kLine: m, the weight of corners 4 to 7; kChecker: +1 or -1
  std::uint16_t ninth;
  std::uint32_t node : 28;  // the node's number in the model
  std::uint32_t shape : 3;
  std::uint32_t plane : 1;  // 0: upright, 1: tilted
};

// Consecutive items of one shape and one plane, and in a stage of trees also of one depth.
struct TileRun {
  FeatureShape shape;
  std::uint8_t plane : 1;
  std::uint8_t inner : 1;  // whether the items are nodes below roots, which only some windows reach
  std::uint16_t count;
  std::int32_t first;
  // Only for the run that begins a set of trees (`flat_trees.h`); else 0:
  std::uint32_t path;  // the bits with which windows enter the set, never 0
  std::uint16_t set_runs, set_items;
};

struct TileStage {
  std::int32_t first_run, run_count;
  std::int32_t first_item, item_count;
  std::int32_t base, reject_below, accept_from;
  std::int32_t first_tree, tree_count;
  float limit;     // `stage_limit`, for sums in doubles
  bool plain;      // whether trees are walked node by node, without items
  bool trees;      // whether the stage has trees of more than one node, as items
  bool spread;     // whether all items have offsets; an item in a run of kRects has none
  bool any_order;  // whether leaves may be added in any order, in doubles
};

// Byte offsets of each feature's corners from the window's corner in the upright plane: 12 for each Haar
// feature, then 16 for each LBP feature. `place(x, y, tilted)` gives one offset.
using CornerOffsets = std::vector<std::int32_t>;
CornerOffsets corner_offsets(const CascadeModel& model,
                             const std::function<std::int32_t(int x, int y, bool tilted)>& place);

// The fields that the programs of all cascades have, fixed-point ones included.
struct TileProgram {
  FeatureKind kind = FeatureKind::kHaar;
  Size window;
  bool tilted = false;
  bool flat_windows = false;
  bool skips = true;
  float flat_above = 0;
  std::int64_t area = 0;                // the window's pixels without the outermost ones
  std::int32_t inner[kTileLayouts][4];  // offsets of the corners of these inner pixels
  TileShape shape[kTileLayouts];
  int block_bytes = 0;  // bytes of shared memory that a block needs
  // The corners of all features, for windows that are judged node by node.
  CornerOffsets corners[kTileLayouts];
};

// `window_bytes`: the bytes of shared memory that a block needs per window of its tile, besides the norm for
// Haar features. Returns false if a tile does not fit, because the model's window is too large. `program`
// must be new.
bool make_tile_program(const CascadeModel& model, int block_bytes, int window_bytes, TileProgram& program);

std::int32_t tile_offset(int x, int y, int layout, bool tilted, const TileShape& shape);

// Writes the offsets of a feature's corners to an item, in the order of `TileItem`.
template <class Item>
void put_corners(const FeatureForm& form, int layout, const TileShape& shape, Item& item) {
  for (std::size_t c = 0; c < form.corners.size(); ++c) {
    (c < 8 ? item.offset[c] : item.ninth) =
        static_cast<std::uint16_t>(tile_offset(form.corners[c].x, form.corners[c].y, layout, false, shape));
  }
  if (form.shape == FeatureShape::kEdge) {  // an edge can be evaluated as a line, too
    item.offset[6] = item.offset[5];
    item.offset[5] = item.offset[7] = item.offset[4];
  }
}

// Bytes per window of a tile: an entry of 16 bits in each of two lists.
constexpr int kTileWindowBytes = 4;
constexpr int kSubsetWords = 8;
// Words of subsets that a thread loads for its block.
constexpr int kSubsetWordsEach = 2;

struct DeviceProgram : TileProgram {
  // LBP: subsets of the first items, as many as fit a block's memory after its lists. Each subset is eight
  // words, with the last code's bit first: code c is bit (255 - c) % 32 of word (255 - c) / 32.
  std::vector<std::uint32_t> own_subsets;
  std::vector<TileStage> stages;
  std::vector<TileRun> runs;
  std::vector<TileItem> items[kTileLayouts];
  std::vector<std::uint32_t>
      path_words;  // per item: `make_path_word`, 0 for stumps; empty if there are no trees
};

// For cascades that are not fixed-point; `fixed_tile_program.h` is for fixed-point ones. Overwrites
// `program`. Returns false if a tile does not fit.
bool make_device_program(const CascadeModel& model, int block_bytes, DeviceProgram& program);

}  // namespace winnow
