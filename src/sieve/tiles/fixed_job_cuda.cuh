// Holds the parameters of the tile kernel of fixed-point cascades.
//
// In:     filled by the host for each launch.
// Out:    kernel parameters, with the first items and chunks in constant memory.
// Exact:  nothing is computed here but counters.
// Memory: pointers refer to device memory of the sieve.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sieve/tiles/fixed_tile_program.h"
#include "sieve/tiles/tile_job_cuda.cuh"

namespace winnow {

// The items of chunks are passed as parameters of the kernel's launch. Warps judge all items after the last
// chunk, one item per lane, from device memory.
constexpr int kLaunchFixedItems = 448, kMostFixedChunks = 16;
// A block counts the rejects of the first kOwnStages stages in shared memory, and copies the leaves of the
// first kOwnTables items there.
constexpr int kOwnStages = 128, kOwnTables = 64;

// If tiles are few, a window that has passed kTileItems items is deferred. Such windows often lie side by
// side. A few tiles would otherwise judge all such windows while other processors are idle.
constexpr int kTileItems = 256;
struct DeferredWindow {
  std::int64_t number;  // the window's number in the frame
  std::int32_t frame, level;
  std::int32_t x, y;  // the window's corner in the level
  std::int32_t next;  // the number of the next item to judge
  std::int32_t sum;   // the sum before item `next`
  float norm;
};

struct FixedGrid : TileGrid {
  std::int32_t item_count;
  bool one_a_stage;  // whether each stage has one item
  const FixedItem* items[kTileLayouts];
  const FixedPlace* item_places;
  const std::int16_t* leaves;  // kTableBins per item
  DeferredWindow* deferred;
  std::int32_t deferred_room;  // the capacity of `deferred`; 0: tiles judge all windows
};

struct FixedJob : FixedGrid {
  FixedItem first_items[kTileLayouts][kLaunchFixedItems];
  FixedChunk chunks[kMostFixedChunks];
  std::int32_t chunk_count;
};
static_assert(sizeof(FixedJob) <= 32764, "what a launch can carry");

// The shared memory of a block besides its planes and the data of its windows.
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
