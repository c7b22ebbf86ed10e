// The living among a list of windows in device memory, in their order, as `compact.h` defines it.
// In: window ids and a mask, both in device memory, at most as many ids as planned. Out: the ids whose bit is
// set, from the front of device memory of the caller's with room for all of `windows`, which may be the same
// memory but must not overlap it otherwise; and how many they are, a value in device memory. What lies behind
// the last of them is left as it was, unless it is the windows' own memory. exact. One launch and one pass:
// of the windows only the living are read, in parts of 32 bytes. Owns what tiles tell each other, asked for
// by `plan`, which waits; `enqueue` asks for none and does not wait. One run at a time. Too small a mask or
// `out`, or more windows than planned: kUsage.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cuda_memory.h"

namespace winnow {

class DeviceCompact {
 public:
  void plan(std::size_t count);
  void enqueue(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
               std::span<std::int64_t> out, std::uint64_t* kept, cudaStream_t stream) const;

 private:
  std::size_t count_ = 0;
  DeviceBuffer<unsigned long long> told_;
  DeviceBuffer<unsigned> counters_;  // tickets, and tiles that have looked back
};

}  // namespace winnow
