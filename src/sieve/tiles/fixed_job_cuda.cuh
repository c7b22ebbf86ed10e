// What the tiles' kernel of fixed-point cascades is given.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tiles/fixed_tile_program.h"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

// Items of blocks travel with the launch; what comes after them is judged by warps, a lane an item.
constexpr int kLaunchFixedItems = 448, kMostFixedBlocks = 16;
// Stages whose rejects a block counts in its own memory, and tables whose leaves lie there: the first ones.
constexpr int kOwnStages = 128, kOwnTables = 64;

// A window that has passed so many items that the rest is not for its tile's warps, where tiles are few: such
// windows lie side by side, so a few tiles would have them all while other processors have nothing left to
// do.
constexpr int kTileItems = 256;
struct GivenWindow {
  std::int64_t number;  // of the frame's windows
  std::int32_t frame, level;
  std::int32_t x, y;  // in the level
  std::int32_t next;  // item
  std::int32_t sum;   // before it
  float norm;
};

struct FixedGrid : TileGrid {
  std::int32_t item_count;
  bool one_a_stage;  // an item's number is its stage's
  const FixedItem* items[kTileLayouts];
  const FixedPlace* item_places;
  const std::int16_t* leaves;  // kTableBins an item
  GivenWindow* given;
  std::int32_t given_room;  // for so many; 0: tiles judge all
};

struct FixedJob : FixedGrid {
  FixedItem first_items[kTileLayouts][kLaunchFixedItems];
  FixedBlock blocks[kMostFixedBlocks];
  std::int32_t block_count;
};
static_assert(sizeof(FixedJob) <= 32764, "what a launch can carry");

// What a block keeps beside its planes and windows.
struct OwnRejects {
  unsigned rejected[kOwnStages];
  std::int16_t leaves[kOwnTables][kTableBins];
};

inline __device__ int stage_of_item(const FixedGrid& job, int item) {
  return job.one_a_stage ? item : job.item_places[item].stage;
}

inline __device__ void count_rejected(const FixedJob& job, const TileTask& task, OwnRejects& own, int item) {
  const int stage = stage_of_item(job, item);
  if (stage < kOwnStages) {
    atomicAdd(&own.rejected[stage], 1u);
  } else {
    atomicAdd(&task.counts[kReached + 1 + stage], DeviceCount{1});
  }
}

}  // namespace winnow
