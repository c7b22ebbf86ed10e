// The kernels of `hog_cuda.cu`, and their arguments.
//
// In:     a batch's levels (`PyramidView`, 1 or 3 planes a frame), the layout of a pass, and tables of a
//         model.
// Out:    the pass's blocks, sums of windows, survivors and counters.
// Exact:  the values, sums and scores of `reference`.
// Memory: the caller owns all of it. Nothing is allocated, and no call waits, except in
//         `count_different_votes`. Device memory must live until the stream, or the last launch of its
//         graph, is done. `host_levels` is read only during the call.
// Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "hog/hog_program.h"
#include "hog/rows/gradient_rule.h"
#include "scale/pyramid_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

// The work of one pass for some frames of a batch. Pointers point to device memory, except `host_levels`.
struct HogJob {
  PyramidView pyramid;
  std::int32_t first_frame;  // index of the job's first frame in the batch
  HogPass pass;
  HogShape shape;
  Size step, window_step, block_stride, window_blocks;
  bool aligned, inside;  // as in `HogLayout`
  const HogDeviceLevel* levels;
  const HogDeviceLevel* host_levels;  // the levels in the host's memory, for launches
  const HogStrip* strips;             // strips of the pass
  const HogScoreTile* score_tiles;    // tiles of the pass
  const float* pixel;                 // 256 values, as in `HogForm`
  const float *across, *down;         // cell weights, as in `HogForm`
  const std::int32_t* score_weights;
  const std::uint32_t* weight_pairs;
  float bins_per_degree, length_offset, clip;
  std::int32_t shift, values, pairs;  // `values` and `pairs` are numbers per block
  GradientVote* votes;
  std::uint32_t* words;
  std::int32_t* sums;
  // The least sum of a survivor, and the numbers that convert a sum to a score.
  std::int64_t min_sum;
  double unit, bias;
  DeviceCount* counts;  // counters of the batch's first frame
  Survivor* survivors;
  std::int32_t counts_per_frame, capacity;
};

// Cell weights for the blocks of strips. They are an argument of the kernel, because all threads read the
// same weight at once.
struct HogStripWeights {
  float across[2][2 * kHogStripCell], down[2][2 * kHogStripCell];
};

// Both compute the values of the pass's blocks: `enqueue_strips` strip by strip, `enqueue_blocks` pixel by
// pixel for blocks of any shape.
void enqueue_strips(const HogJob& job, const HogStripWeights& weights, int frames, cudaStream_t stream);
void enqueue_blocks(const HogJob& job, int frames, cudaStream_t stream);
// Both score the windows of the pass: `enqueue_score_tiles` tile by tile, `enqueue_windows` one by one.
void enqueue_score_tiles(const HogJob& job, int frames, cudaStream_t stream);
void enqueue_windows(const HogJob& job, int frames, cudaStream_t stream);
// Appends the windows with sums of at least `min_sum` to the survivors, and adds to the counters.
void enqueue_survivors(const HogJob& job, int frames, cudaStream_t stream);

// For tests: counts the pairs of pixel differences for which `HogQuickMath` (hog_math_cuda.cuh) and
// `IeeeMath` give different votes. Waits for the device.
std::int64_t count_different_votes(bool gamma);

}  // namespace winnow
