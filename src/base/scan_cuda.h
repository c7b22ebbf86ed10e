// Running sums of a list in device memory, modulo 2^32, as `scan.h` defines them.
// In: numbers in device memory, at most as many as planned. Out: as many sums, in device memory of the
// caller's, which may be the numbers' own but must not overlap them otherwise; and the total, where `total`
// is not null: a value in device memory beside both lists. exact. CUB's scan: one pass, each number read and
// written once; a total costs a copy of four bytes, and for an exclusive scan a launch more. Owns CUB's
// working memory, asked for by `plan`; `enqueue_*` ask for none and do not wait. One run at a time. Sizes
// that differ, or more numbers than planned: kUsage.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cuda_memory.h"

namespace winnow {

class DeviceScan {
 public:
  void plan(std::size_t count);
  void enqueue_inclusive(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                         std::uint32_t* total, cudaStream_t stream) const;
  void enqueue_exclusive(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                         std::uint32_t* total, cudaStream_t stream) const;

 private:
  std::size_t count_ = 0;
  DeviceBuffer<std::byte> work_;
};

}  // namespace winnow
