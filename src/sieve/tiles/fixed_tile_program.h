// Makes a fixed-point cascade (`CascadeModel::fixed_point`) ready for tiles on a device.
//
// In:     a checked fixed-point model, the bytes of shared memory that a block of threads may have, and the
//         most items in chunks.
// Out:    plain arrays, with items for both layouts of a plane. False if a tile does not fit.
// Exact:  verdicts and scores are those of `reference`: sums and limits are integers, so the order of
//         additions does not matter.
// Memory: the program is the caller's and does not refer to the model.
//
// - A weak classifier is an item. Items stand in the file's order. The last item of a stage has the stage's
//   limit.
// - A chunk is a number of consecutive stages. After a chunk, the living windows are packed again. Inside a
//   chunk each window is checked against every stage's limit.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/tiles/tile_program.h"

namespace winnow {

// How an item finds its leaf.
enum class FixedShape : std::uint8_t {
  kEdge,  // a Haar feature's value from corners, as in `TileItem`
  kLine,
  kChecker,
  kFeature,  // any other Haar feature, from its rectangles; `index` is its number
  kTree,     // a tree of more than one node; `index` is its number
  kGrid,     // an LBP feature and its subset
};

constexpr std::int32_t kNoLimit = std::numeric_limits<std::int32_t>::min();

struct alignas(32) FixedItem {
  union {
    std::uint16_t offset[8];
    std::uint32_t index;
  };
  union {
    float low;           // tables
    float threshold;     // Haar stumps
    std::uint32_t node;  // LBP: the node's number in the model
  };
  union {
    float per_unit;        // tables
    std::int16_t leaf[2];  // stumps: the left and the right leaf, in units of 1 / kScoreUnit
  };
  std::int32_t limit;  // in units of 1 / kScoreUnit: smaller sums are rejected. kNoLimit inside a stage
  std::int8_t factor;
  std::uint8_t shape : 4;  // FixedShape
  std::uint8_t fresh : 1;  // whether the sum starts anew at this item
  std::uint8_t plane : 1;  // 0: upright, 1: tilted
  std::uint16_t ninth;
};
static_assert(sizeof(FixedItem) == 32);

struct FixedChunk {
  std::int32_t first, end;  // items `first` to `end` - 1
};

// The stage of an item, and the item at which the stage's sum begins.
struct FixedPlace {
  std::int32_t stage;
  std::int32_t first;  // the item at which the sum starts at zero; -1: sums run on from stage to stage
};

struct FixedProgram : TileProgram {
  // Whether sums continue from stage to stage, whether there are tables, and whether trees follow the tables.
  bool running = false, tables = false, mixed = false;
  std::vector<FixedItem> items[kTileLayouts];
  std::vector<FixedPlace> places;    // one per item
  std::vector<std::int16_t> leaves;  // kTableBins per item, if there are tables
  std::vector<FixedChunk> chunks;    // at most `most_items` items in all, or only one chunk
};

// `block_bytes`: the shared memory that a block may have. `most_items`: the most items in all chunks
// together. A chunk has at least one stage, so the first chunk alone may have more items.
// `make_fixed_tile_program` returns false if a tile does not fit, and `program` is then not usable.
struct FixedRoom {
  int block_bytes, most_items;
};
bool make_fixed_tile_program(const CascadeModel& model, FixedRoom room, FixedProgram& program);

}  // namespace winnow
