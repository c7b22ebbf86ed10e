// A list of numbers in device memory to one, as `reduce.h` defines it: the sum in 64 bits, or both extremes.
// In: numbers in device memory, at most as many as planned. Out: one value in device memory. exact: integers.
// CUB's reduction, which reads at the speed of memory. Owns CUB's working memory, asked for by `plan`;
// `enqueue_*` ask for none and do not wait. One run at a time. More numbers than planned: kUsage.
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
  std::size_t count_ = 0;
  DeviceBuffer<std::byte> work_;
};

}  // namespace winnow
