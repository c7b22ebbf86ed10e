// The kernels of `blocks_cuda.cu`, and their arguments.
//
// In:     the grey levels of a batch, whose pixels are square roots (`PyramidView`); the layout of a pass; a
//         model's stages.
// Out:    the pass's integral histograms, survivors and counters.
// Exact:  the same sums and scores as the backend `reference`.
// Memory: the caller owns all of it. Nothing is allocated, and no call waits.
// Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/hog_cascade.h>

#include "hog/blocks/vote_rule.h"
#include "scale/pyramid_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

// A corner has 12 words: one sum for each of nine orientations, and three words of padding. With padding,
// threads load four sums at once.
inline constexpr int kCornerWords = 12;
inline constexpr int kBlockThreads = 256;
inline constexpr int kTileWindows = kBlockThreads;

struct alignas(16) BlockDeviceStage {
  std::int32_t x, y, cell_width, cell_height, shift, min_sum;
  float first, bins_per_response;
  std::int16_t weights[4][kCornerWords];  // [cell][orientation]; 0 after the nine orientations
  std::int16_t table[kHogTableBins];
};

struct BlockDeviceLevel {
  std::int64_t first_corner;  // index of the level's first corner among the corners of one frame in the pass
  std::int64_t first_window;
  Size size;            // in pixels
  Size windows;         // columns and rows of windows
  Size cells;           // columns and rows of cells that the windows cover
  Size apart;           // distance of neighbouring windows in cells: along a row, down a column
  std::int32_t number;  // index of the level in the pyramid
  std::int32_t top;     // the row of cells where the first row of windows begins
};

// The work of one warp or one block of threads on a level. What `first` counts depends on the kernel:
// - Sums along rows: the row of cells that the warp takes.
// - Sums down columns: the first word that the block of threads takes, counted within a row of corners.
// - Windows: the first window that the block of threads judges, counted within the level.
struct BlockPlace {
  std::int64_t first;
  std::int32_t level;
};

// A pass: some levels of as many frames as its memory allows. Each range is a range of `BlockJob::places`.
struct BlockPass {
  std::int64_t corners = 0;                    // corners of one frame
  std::int32_t frames = 0;                     // the most frames that are in the pass at once
  std::int32_t first_row = 0, rows = 0;        // the range for sums along rows of cells
  std::int32_t first_column = 0, columns = 0;  // the range for sums down columns
  std::int32_t first_tile = 0, tiles = 0;      // the range for windows
};

// The work of one pass for some frames of a batch. Pointers point to device memory.
struct BlockJob {
  PyramidView pyramid;
  BlockPass pass;
  std::int32_t first_frame;  // index of the job's first frame in the batch
  std::int32_t grid, stage_count;
  const BlockDeviceLevel* levels;
  const BlockPlace* places;
  const BlockDeviceStage* stages;
  std::uint32_t* corners;
  std::int64_t min_sum;  // the least sum of a survivor
  std::int32_t zero;
  DeviceCount* counts;  // counters of the batch's first frame
  Survivor* survivors;
  std::int32_t counts_per_frame, capacity;
};

// Makes integral histograms: sums votes along rows of cells, then down the columns.
void enqueue_corners(const BlockJob& job, int frames, cudaStream_t stream);
// Judges the windows of a pass. Appends survivors to `job.survivors`, and adds to `job.counts`.
void enqueue_block_windows(const BlockJob& job, int frames, cudaStream_t stream);

}  // namespace winnow
