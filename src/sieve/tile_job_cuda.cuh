// What the tiles' kernel is given, and where things lie in the memory of its block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "scale/pyramid_cuda.h"
#include "sieve/device_program.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/model_cuda.h"
#include "sieve/tile_places.h"

namespace winnow {

constexpr int kWarps = kTileThreads / 32;
// What the first stages need travels with the launch and are read through the constant cache.
constexpr int kLaunchItems = 456, kLaunchStages = 32, kLaunchRuns = 112;
// Words that a tile tells its right neighbours: two for 32 rows.
constexpr int kNeighbourWords = kMostTileRows / 32 * 2;

struct TileJob {
  TileItem first_items[kTileLayouts][kLaunchItems];
  TileStage first_stages[kLaunchStages];
  TileRun first_runs[kLaunchRuns];
  PyramidView pyramid;
  TileShape shape[kTileLayouts];
  std::int32_t inner[kTileLayouts][4];
  double area;
  float flat_above;
  Size window;
  std::int32_t stage_count, tiles, capacity, counts_per_frame;
  bool flat_windows, skips, tilted;
  const TileStage* stages;
  const TileRun* runs;
  const TileItem* items[kTileLayouts];
  ModelView model[kTileLayouts];
  const TileLevel* levels;
  const TilePlace* places;
  DeviceCount* ticket;
  DeviceCount* neighbours;  // kNeighbourWords a tile
  DeviceCount* counts;
  Survivor* survivors;
};
static_assert(sizeof(TileJob) <= 32764, "what a launch can carry");

// The block's memory: planes, then norms, then two lists of windows.
extern __shared__ __align__(16) unsigned char memory[];

// Planes are read by address, so that a corner costs one addition and one load.
inline __device__ std::uint32_t plane_value(std::uint32_t at) {
  std::uint32_t value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at));
  return value;
}

// Places in a tile are unsigned: dividing them by powers of two is one instruction then.
struct Block {
  TileShape shape;
  int layout;
  std::uint32_t base;             // of `memory`
  std::uint32_t pitch;            // words from a row of windows to the next
  std::uint32_t norms, lists[2];  // places in `memory`

  __device__ Block(const TileJob& job, int of_layout) : shape(job.shape[of_layout]), layout(of_layout) {
    base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
    pitch = static_cast<std::uint32_t>((layout + 1) * shape.stride);
    norms = static_cast<std::uint32_t>(shape.plane_words) * (job.tilted ? 8 : 4);
    lists[0] = norms + static_cast<std::uint32_t>(shape.rows) * kTileCols * 4;
    lists[1] = lists[0] + static_cast<std::uint32_t>(shape.rows) * kTileCols * 2;
  }
  // A window is row * kTileCols + column of its tile.
  __device__ std::uint32_t word_of(std::uint32_t window) const {
    return window / kTileCols * pitch + window % kTileCols;
  }
  __device__ std::uint32_t plane_of(std::uint32_t window) const {
    std::uint32_t at = base + 4 * word_of(window);
    asm volatile("" : "+r"(at));  // as one number: the compiler would add its parts again for every corner
    return at;
  }
  __device__ float& norm(std::uint32_t window) const {
    return reinterpret_cast<float*>(memory + norms)[window];
  }
  __device__ std::uint16_t& listed(int list, std::uint32_t place) const {
    return reinterpret_cast<std::uint16_t*>(memory + lists[list])[place];
  }
  __device__ int column_word(int column) const {
    return layout == 1 ? (column >> 1) + (column & 1) * shape.half : column;
  }
};

// A window's corner in the tile's planes.
struct TileWindow {
  std::uint32_t at;
  float norm;
  __device__ std::uint32_t value(std::int32_t offset) const { return plane_value(at + offset); }
};

}  // namespace winnow
