// A list of numbers in device memory to one, as `reduce.h` defines it: the sum in 64 bits, or both extremes.
// In: numbers in device memory, at most as many as planned. Out: one value in device memory. exact: integers.
// One launch, at the speed of memory: the block that is done last joins what all have. Owns the blocks'
// parts, asked for by `plan`, which waits; `enqueue_*` ask for none and do not wait. One run at a time. More
// numbers than planned: kUsage.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cuda_memory.h"
#include "base/reduce.h"

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
  DeviceBuffer<std::uint64_t> parts_;
  DeviceBuffer<unsigned> done_;
};

}  // namespace winnow
