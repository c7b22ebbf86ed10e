// Holds the parameters of the tile kernel, and lays out the shared memory of its block.
//
// In:     a `TileJob`, filled by the host for each launch.
// Out:    addresses in a block's memory, and survivors and counters in device memory.
// Exact:  nothing is computed here but addresses.
// Memory: pointers refer to device memory of the sieve and of the pyramid. The block's shared memory is
//         `memory`.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "scale/pyramid_cuda.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/planes/model_cuda.h"
#include "sieve/tiles/tile_places.h"
#include "sieve/tiles/tile_program.h"

namespace winnow {

constexpr int kWarps = kTileThreads / 32;
// The most items, stages and runs that are parameters of the launch, which are read through the constant
// cache. Later items, stages and runs are read from device memory.
constexpr int kLaunchItems = 416, kLaunchStages = 32, kLaunchRuns = 112;
// Words that a tile publishes for its right neighbours: two per 32 rows.
constexpr int kNeighbourWords = kMostTileRows / 32 * 2;

// The fields of a job for cascades of every kind, fixed-point ones included.
struct TileGrid {
  PyramidView pyramid;
  TileShape shape[kTileLayouts];
  std::int32_t inner[kTileLayouts][4];
  std::int64_t area;
  float flat_above;
  Size window;
  std::int32_t stage_count, tiles, tile_numbers, capacity, counts_per_frame;
  bool flat_windows, skips, tilted;
  bool norms;  // whether windows keep norms: Haar features only
  ModelView model[kTileLayouts];
  const TileLevel* levels;
  const TilePlace* places;
  DeviceCount* ticket;
  DeviceCount* deferred_count;  // number of windows that tiles deferred
  DeviceCount* neighbours;      // kNeighbourWords per tile
  DeviceCount* counts;
  Survivor* survivors;
};

struct TileJob : TileGrid {
  TileItem first_items[kTileLayouts][kLaunchItems];
  TileStage first_stages[kLaunchStages];
  TileRun first_runs[kLaunchRuns];
  std::uint32_t first_path_words[kLaunchItems];
  const TileStage* stages;
  const TileRun* runs;
  const TileItem* items[kTileLayouts];
  const std::uint32_t* path_words;  // one per item
  // LBP: subsets of the first items, which each block copies to its memory.
  const std::uint32_t* own_subsets;
  std::int32_t own_subset_count;
};
static_assert(kSubsetWordsEach * kTileThreads / kSubsetWords <= kLaunchItems,
              "items whose subsets a block has are launched");
static_assert(sizeof(TileJob) <= 32764, "what a launch can carry");

// The block's memory: planes, then norms, then two lists of windows, then sums of windows or subsets.
extern __shared__ __align__(16) unsigned char memory[];

// Reads a plane by address, so that a corner costs one addition and one load.
inline __device__ std::uint32_t plane_value(std::uint32_t at) {
  std::uint32_t value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at));
  return value;
}

// The tile and frame that a block judges.
struct TileTask {
  int frame;
  TilePlace place;
  TileLevel level;
  DeviceCount* counts;  // the frame's counters

  __device__ TileTask(const TileGrid& job, unsigned ticket)
      : frame(static_cast<int>(ticket / static_cast<unsigned>(job.tiles))),
        place(job.places[ticket % static_cast<unsigned>(job.tiles)]),
        level(job.levels[place.level]),
        counts(job.counts + static_cast<std::int64_t>(frame) * job.counts_per_frame) {}
};

// Lays out a block's memory. Places are unsigned, so that division by a power of two is one instruction.
struct Block {
  TileShape shape;
  TileExtent extent;
  int layout;
  std::uint32_t base;             // the address of `memory`
  std::uint32_t pitch;            // words from a row of windows to the next
  std::uint32_t norms, lists[2];  // offsets in `memory`

  __device__ Block(const TileGrid& job, const TileTask& task)
      : Block(job, task.level.layout, task.place.extent) {}
  __device__ Block(const TileGrid& job, int of_layout, const TileExtent& of_extent)
      : shape(job.shape[of_layout]), extent(of_extent), layout(of_layout) {
    base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
    pitch = static_cast<std::uint32_t>((layout + 1) * shape.stride);
    norms = static_cast<std::uint32_t>(shape.plane_words) * (job.tilted ? 8 : 4);
    lists[0] = norms + (job.norms ? static_cast<std::uint32_t>(shape.rows) * kTileCols * 4 : 0);
    lists[1] = lists[0] + static_cast<std::uint32_t>(shape.rows) * kTileCols * 2;
  }
  // `rows`, `halves`: the rows and half rows of windows that exist in the tile. `half(i)`: the number that
  // the i-th of these half rows has in a whole tile.
  __device__ std::uint32_t rows() const { return extent.rows; }
  __device__ std::uint32_t halves() const { return rows() * extent.halves_a_row; }
  __device__ std::uint32_t half(std::uint32_t i) const { return extent.halves_a_row == 2 ? i : 2 * i; }
  // Words from the corner of the tile's first window to the corner of `window`. A window's number in its tile
  // is row * kTileCols + column.
  __device__ std::uint32_t word_of(std::uint32_t window) const {
    return window / kTileCols * pitch + window % kTileCols;
  }
  __device__ std::uint32_t plane_of(std::uint32_t window) const {
    std::uint32_t at = base + 4 * word_of(window);
    asm volatile("" : "+r"(at));  // keeps `at` one number; else the compiler adds its terms again per corner
    return at;
  }
  template <FeatureKind kKind>
  __device__ float norm(std::uint32_t window) const {
    if constexpr (kKind == FeatureKind::kLbp) return 1.f;
    return reinterpret_cast<const float*>(memory + norms)[window];
  }
  template <FeatureKind kKind>
  __device__ void keep_norm(std::uint32_t window, float norm) const {
    if constexpr (kKind == FeatureKind::kHaar) reinterpret_cast<float*>(memory + norms)[window] = norm;
  }
  // The slot of a window's norm and sum. Windows whose corners lie in different banks also have slots in
  // different banks.
  __device__ std::uint32_t slot_of(std::uint32_t window) const {
    return window / kTileCols * kTileCols + word_of(window) % kTileCols;
  }
  // The sum of a window, for cascades with running sums. Sums lie after the lists.
  __device__ int& sum(std::uint32_t slot) const {
    return reinterpret_cast<int*>(memory + lists[1] +
                                  static_cast<std::uint32_t>(shape.rows) * kTileCols * 2)[slot];
  }
  // The entry of a window in a list. LBP windows have no norms, so their entry is the word of their corner.
  template <FeatureKind kKind>
  __device__ std::uint32_t entry(std::uint32_t window) const {
    return kKind == FeatureKind::kLbp ? word_of(window) : window;
  }
  template <FeatureKind kKind>
  __device__ std::uint32_t entry_word(std::uint32_t entry) const {
    return kKind == FeatureKind::kLbp ? entry : word_of(entry);
  }
  template <FeatureKind kKind>
  __device__ std::uint32_t entry_plane(std::uint32_t entry) const {
    if constexpr (kKind == FeatureKind::kHaar) return plane_of(entry);
    return base + 4 * entry;
  }
  template <FeatureKind kKind>
  __device__ std::uint32_t entry_window(std::uint32_t entry) const {
    return kKind == FeatureKind::kLbp ? entry / pitch * kTileCols + entry % pitch : entry;
  }
  // Subsets lie after the lists, in memory that held the sums of bands until the planes were made.
  __device__ std::uint32_t subsets() const {
    return lists[1] + static_cast<std::uint32_t>(shape.rows) * kTileCols * 2;
  }
  // The address of an item's subset.
  __device__ std::uint32_t subset(int item) const {
    return base + subsets() + static_cast<std::uint32_t>(item) * (4 * kSubsetWords);
  }
  // Uses `?:`, because the compiler puts `lists` in local memory if `list` is its index.
  __device__ std::uint16_t& listed(int list, std::uint32_t place) const {
    return reinterpret_cast<std::uint16_t*>(memory + (list == 0 ? lists[0] : lists[1]))[place];
  }
  __device__ int column_word(int column) const {
    return layout == 1 ? (column >> 1) + (column & 1) * shape.half : column;
  }
};

// The row and column of a tile's window in its level, and its number in the frame.
struct PlacedWindow {
  int row, col;
  std::int64_t number;

  __device__ PlacedWindow(const TileTask& task, std::uint32_t window)
      : row(static_cast<int>(task.place.y * task.level.tile_rows + window / kTileCols)),
        col(static_cast<int>(task.place.x * kTileCols + window % kTileCols)),
        number(task.level.first_window + static_cast<std::int64_t>(row) * task.level.cols + col) {}
};

// Keeps a window that passed all stages. `number`: its number in the frame. `counts`: the frame's counters.
inline __device__ void keep_survivor(const TileGrid& job, int frame, DeviceCount* counts, std::int64_t number,
                                     double score) {
  const DeviceCount slot = atomicAdd(&counts[kFound], DeviceCount{1});
  if (slot >= static_cast<DeviceCount>(job.capacity)) return;
  job.survivors[static_cast<std::int64_t>(frame) * job.capacity + static_cast<std::int64_t>(slot)] = {number,
                                                                                                      score};
}
inline __device__ void keep_window(const TileGrid& job, const TileTask& task, std::uint32_t window,
                                   double score) {
  keep_survivor(job, task.frame, task.counts, PlacedWindow(task, window).number, score);
}

// A window, given by the address of its corner in the tile's planes.
struct TileWindow {
  std::uint32_t at;
  float norm;
  __device__ std::uint32_t value(std::int32_t offset) const { return plane_value(at + offset); }
};

}  // namespace winnow
