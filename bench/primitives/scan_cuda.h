// Computes the running sums of a list in device memory, modulo 2^32, as `scan.h` defines them.
//
// In:     numbers in device memory, at most as many as planned. More numbers, or lists of different sizes,
//         throw kUsage.
// Out:    as many sums in device memory. If `total` is not null, the total at that address in device memory.
// Exact:  integers modulo 2^32.
// Memory: the caller owns the lists and the total. The lists may be the same memory, but must not overlap
//         otherwise; the total must overlap neither. `DeviceScan` owns CUB's working memory, which `plan`
//         allocates. `enqueue_*` allocate nothing and do not wait.
// Thread: one run at a time on the device.
// Cost:   CUB's scan: one pass that reads and writes each number once. A total costs a copy of four bytes,
//         and for an exclusive scan one launch more.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/device/cuda_memory.h"

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
