// The kernels of `blocks_cuda.cu`, and their arguments.
//
// In:     a batch's grey levels of roots (`PyramidView`), the layout of a pass, and a model's stages.
// Out:    the pass's integral histograms, survivors and counters.
// Exact:  the sums and scores of `reference`.
// Memory: all of it is the caller's. Nothing is allocated, and no call waits.
// Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/hog_cascade.h>

#include "hog/blocks/vote_rule.h"
#include "scale/pyramid_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

// The words of a corner: nine sums and three words of padding. Padding lets threads load four sums at once.
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
  std::int64_t first_corner;  // the level's first corner, counted among the corners of one frame in the pass
  std::int64_t first_window;
  Size size;            // in pixels
  Size windows;         // columns and rows
  Size cells;           // the cells that the windows cover
  Size apart;           // steps of the grid from one window to the next: in a row, in a column
  std::int32_t number;  // the level's number in the pyramid
  std::int32_t top;     // the row of cells where the first row of windows begins
};

// What one warp or one block of threads works on. A warp takes the row of cells `first`. A block of threads
// takes some words of a row of corners from word `first` on, or some of the level's windows from window
// `first` on.
struct BlockPlace {
  std::int64_t first;
  std::int32_t level;
};

// Some levels of as many frames as the memory of a pass allows.
struct BlockPass {
  std::int64_t corners = 0;              // corners of one frame
  std::int32_t frames = 0;               // the most frames that are in the pass at once
  std::int32_t first_row = 0, rows = 0;  // the places of rows of cells, in the list of places
  std::int32_t first_column = 0, columns = 0;
  std::int32_t first_tile = 0, tiles = 0;
};

// The work of one pass for some frames of a batch. Pointers are to device memory.
struct BlockJob {
  PyramidView pyramid;
  BlockPass pass;
  std::int32_t first_frame;  // counted among the batch's frames
  std::int32_t grid, stage_count;
  const BlockDeviceLevel* levels;
  const BlockPlace* places;
  const BlockDeviceStage* stages;
  std::uint32_t* corners;
  std::int64_t min_sum;  // the least sum of a survivor
  std::int32_t zero;
  DeviceCount* counts;  // counters of the first frame
  Survivor* survivors;
  std::int32_t counts_per_frame, capacity;
};

// Makes integral histograms: sums votes along rows of cells, then down the columns.
void enqueue_corners(const BlockJob& job, int frames, cudaStream_t stream);
// Judges the windows of a pass. Appends the survivors, and adds to the counters.
void enqueue_block_windows(const BlockJob& job, int frames, cudaStream_t stream);

}  // namespace winnow
