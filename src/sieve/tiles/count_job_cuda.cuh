// What the tiles' kernel of cascades that count is given.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tiles/count_tile_program.h"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

// Items of blocks travel with the launch; what comes after them is judged by warps, a lane an item.
constexpr int kLaunchCountItems = 448, kMostCountBlocks = 16;
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

struct CountGrid : TileGrid {
  std::int32_t item_count;
  bool one_a_stage;  // an item's number is its stage's
  const CountItem* items[kTileLayouts];
  const CountPlace* item_places;
  const std::int16_t* leaves;  // kTableBins an item
  GivenWindow* given;
  std::int32_t given_room;  // for so many; 0: tiles judge all
};

struct CountJob : CountGrid {
  CountItem first_items[kTileLayouts][kLaunchCountItems];
  CountBlock blocks[kMostCountBlocks];
  std::int32_t block_count;
};
static_assert(sizeof(CountJob) <= 32764, "what a launch can carry");

// What a block keeps beside its planes and windows.
struct OwnCounts {
  unsigned rejected[kOwnStages];
  std::int16_t leaves[kOwnTables][kTableBins];
};

inline __device__ int stage_of_item(const CountGrid& job, int item) {
  return job.one_a_stage ? item : job.item_places[item].stage;
}

inline __device__ void count_rejected(const CountJob& job, const TileTask& task, OwnCounts& own, int item) {
  const int stage = stage_of_item(job, item);
  if (stage < kOwnStages) {
    atomicAdd(&own.rejected[stage], 1u);
  } else {
    atomicAdd(&task.counts[kReached + 1 + stage], DeviceCount{1});
  }
}

}  // namespace winnow
