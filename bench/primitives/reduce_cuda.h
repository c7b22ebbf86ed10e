// Reduces a list of numbers in device memory, as `reduce.h` defines it, to the sum in 64 bits or both
// extremes.
//
// In:     numbers in device memory, at most as many as planned. More numbers throw kUsage.
// Out:    one value in device memory of the caller's, valid in stream order.
// Exact:  integers.
// Memory: owns one partial result per block, allocated by `plan`, which waits. `enqueue_*` allocate nothing
//         and do not wait.
// Thread: one run at a time on the device.
// Cost:   one launch at the speed of memory. The last block to finish combines the partial results.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/device/cuda_memory.h"
#include "primitives/reduce.h"

namespace winnow {

class DeviceReduce {
 public:
  void plan(std::size_t count);
  void enqueue_sum(std::span<const std::uint32_t> values, std::uint64_t* sum, cudaStream_t stream) const;
  void enqueue_extremes(std::span<const std::uint32_t> values, Extremes* extremes, cudaStream_t stream) const;

 private:
  void require_planned(std::size_t count) const;

  std::size_t count_ = 0;
  int blocks_ = 0;
  DeviceBuffer<std::uint64_t> partials_;
  DeviceBuffer<unsigned> done_;
};

}  // namespace winnow
