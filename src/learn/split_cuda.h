// `split.h` on a device: the best split of each share of the candidates.
// In: rows of bytes, candidates and weights in device memory. Out: `blocks` splits in device memory, one a
// thread block, of which the host takes the best by `better`; a share without any has a gain below 0.
// exact: sums of weights are integers, added in any order; gains and ties are the rule's. Owns nothing, does
// not wait. Bytes are read once, weights once for four rows. 162,336 rows of 10,000 samples are 1.6e9 bytes
// (0.4 ms at 4.3 TB/s) and as many additions in shared memory: 5.1e7 of a warp, about three lanes of which
// meet in a bank. At 4 to 7 clocks each 0.9 to 1.5 ms are expected of an H200's 132 processors at 1.75 GHz.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "learn/split.h"

namespace winnow {

struct SplitJob {
  const std::uint8_t* rows;
  std::size_t pitch;  // a multiple of 64
  bool by_feature;    // row f is of feature f; else row i is of candidate i
  const int* candidates;
  int count;                     // of them; they rise
  const std::uint32_t* weights;  // `pitch` of them, 0 behind the last sample
  std::uint32_t positives;
  Weights all;
  BoostKind boost;
};

// Thread blocks that keep the device busy.
int split_blocks(SplitKind kind, int processors);
void enqueue_splits(SplitKind kind, const SplitJob& job, Split* found, int blocks, cudaStream_t stream);

}  // namespace winnow
