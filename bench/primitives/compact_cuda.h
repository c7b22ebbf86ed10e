// Keeps the living windows of a list in device memory, as `compact.h` defines them.
//
// In:     window ids, at most as many as planned, and a mask. Both lie in device memory.
// Out:    the ids whose bit is set, at the front of `out`, and their number in `*kept`. Both lie in device
//         memory. The rest of `out` stays as it was, unless `out` is `windows`. kUsage if the mask or `out`
//         is too small, or if there are more windows than planned.
// Exact:  same ids in the same order as every other backend.
// Memory: `out` is the caller's and has room for all of `windows`. It may be the same memory as `windows`,
//         but must not overlap it otherwise. `DeviceCompact` owns the words that tiles publish. `plan`
//         allocates these words and waits. `enqueue` allocates nothing and does not wait.
// Thread: one run at a time.
// Cost:   one launch and one pass. Only living ids are read, in sectors of 32 bytes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/device/cuda_memory.h"

namespace winnow {

class DeviceCompact {
 public:
  void plan(std::size_t count);
  void enqueue(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
               std::span<std::int64_t> out, std::uint64_t* kept, cudaStream_t stream) const;

 private:
  std::size_t count_ = 0;
  DeviceBuffer<unsigned long long> published_;
  DeviceBuffer<unsigned> counters_;  // the next ticket, and the number of tiles that have looked back
};

}  // namespace winnow
