// A fixed-point cascade (`CascadeModel::fixed_point`) made ready for tiles of a device. Its sums are
// integers, so no order of addition changes them, and limits are integers too: nothing is left for a second
// look. In: a checked fixed-point model, and the bytes of memory that a block may have. Out: plain arrays,
// items for each of the two layouts of a plane. exact.
//
// - A weak classifier is an item; items stand in the file's order. The last of a stage has that stage's
// limit.
// - Blocks are consecutive stages after which the living windows are packed together again. Inside a block
// each
//   window is held to every stage's limit.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/tiles/device_program.h"

namespace winnow {

// How an item finds what it is worth.
enum class FixedShape : std::uint8_t {
  kEdge,  // a Haar feature's value by corners as `TileItem` has them
  kLine,
  kChecker,
  kFeature,  // any other Haar feature, by its rectangles: `index` is its number
  kTree,     // of more than one node: `index` is its number
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
    std::uint32_t node;  // LBP: of the model
  };
  union {
    float per_unit;        // tables
    std::int16_t leaf[2];  // stumps: left and right
  };
  std::int32_t limit;  // sums below are rejected; kNoLimit inside a stage
  std::int8_t times;
  std::uint8_t shape : 4;  // FixedShape
  std::uint8_t fresh : 1;  // sums begin at zero again
  std::uint8_t plane : 1;  // 1: tilted
  std::uint16_t ninth;
};
static_assert(sizeof(FixedItem) == 32);

struct FixedBlock {
  std::int32_t first, end;  // items
};

// Where an item stands.
struct FixedPlace {
  std::int32_t stage;
  std::int32_t first;  // item whose sum begins at zero; -1: before all
};

struct FixedProgram : TileProgram {
  bool running = false, tables = false, mixed = false;
  std::vector<FixedItem> items[kTileLayouts];
  std::vector<FixedPlace> places;
  std::vector<std::int16_t> leaves;  // kTableBins an item, if there are tables
  std::vector<FixedBlock> blocks;    // of at most `most_items` items in all; one at least
};

// The part of `most_items` that blocks cover may be less than the cascade. A block is one stage at least, so
// one may be larger. False if a tile does not fit.
struct FixedRoom {
  int block_bytes, most_items;
};
bool make_fixed_tile_program(const CascadeModel& model, FixedRoom room, FixedProgram& program);

}  // namespace winnow
