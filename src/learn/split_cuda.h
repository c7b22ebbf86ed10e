// Finds the best split among many features on a device.
//
// In:     rows of bytes, candidates and weights in device memory.
// Out:    `blocks` splits in device memory, one per thread block. The host chooses the best with `better`. A
//         thread block that finds no split writes a gain below 0.
// Exact:  integer sums, added in any order. Gains and ties follow `split_rule.h`.
// Memory: the caller owns everything. Nothing is allocated, and no call waits.
// Cost:   each byte is read once, and the weights are read once for four rows. 162,336 rows of 10,000 samples
//         are 1.6e9 bytes (0.4 ms at 4.3 TB/s) and as many additions in shared memory. A warp makes 32
//         additions in one step, which gives 5.1e7 steps. In each step about three lanes access the same
//         bank. At 4 to 7 clocks a step, an H200 (132 multiprocessors at 1.75 GHz) should take 0.9 to 1.5 ms.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "learn/split.h"

namespace winnow {

struct SplitJob {
  const std::uint8_t* rows;
  std::size_t pitch;             // bytes of a row: a multiple of 64
  bool by_feature;               // true: row f belongs to feature f; false: row i belongs to candidate i
  const int* candidates;         // features in rising order
  int count;                     // number of candidates
  const std::uint32_t* weights;  // `pitch` weights; 0 beyond the last sample
  std::uint32_t positives;       // number of positives
  Weights all;                   // the sums of all weights
  BoostKind boost;
};

// The number of thread blocks that keeps a device with this many multiprocessors busy.
int split_blocks(SplitKind kind, int processors);
// `blocks`: the number of thread blocks, and of splits in `found`; 1 or more.
void enqueue_splits(SplitKind kind, const SplitJob& job, Split* found, int blocks, cudaStream_t stream);

}  // namespace winnow
