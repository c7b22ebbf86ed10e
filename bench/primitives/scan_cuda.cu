#include "primitives/scan_cuda.h"

#include <cub/device/device_scan.cuh>

#include <algorithm>

#include <winnow/error.h>

namespace winnow {
namespace {

// With `work` == nullptr CUB only computes how many bytes it needs.
cudaError_t inclusive(void* work, std::size_t& bytes, const std::uint32_t* in, std::uint32_t* out,
                      std::size_t count, cudaStream_t stream) {
  return cub::DeviceScan::InclusiveSum(work, bytes, in, out, count, stream);
}
cudaError_t exclusive(void* work, std::size_t& bytes, const std::uint32_t* in, std::uint32_t* out,
                      std::size_t count, cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(work, bytes, in, out, count, stream);
}

// Completes the total of an exclusive scan: `total` holds the last number, and `before` the sum of all
// numbers before it.
__global__ void add_kernel(std::uint32_t* total, const std::uint32_t* before) { *total += *before; }

void check_room(std::span<const std::uint32_t> in, std::span<const std::uint32_t> out, std::size_t planned) {
  if (in.size() != out.size()) throw Error(ErrorCode::kUsage, "a scan gives as many numbers as it is given");
  if (in.size() > planned) throw Error(ErrorCode::kUsage, "more numbers to scan than were planned");
}

void copy_one(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(to, from, sizeof(*to), cudaMemcpyDeviceToDevice, stream), "copying a total");
}

void clear_one(std::uint32_t* to, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(to, 0, sizeof(*to), stream), "clearing a total");
}

}  // namespace

void DeviceScan::plan(std::size_t count) {
  std::size_t for_inclusive = 0, for_exclusive = 0;
  check_cuda(inclusive(nullptr, for_inclusive, nullptr, nullptr, count, nullptr), "planning a scan");
  check_cuda(exclusive(nullptr, for_exclusive, nullptr, nullptr, count, nullptr), "planning a scan");
  work_.reserve(std::max({for_inclusive, for_exclusive, std::size_t{1}}));
  count_ = count;
}

void DeviceScan::enqueue_inclusive(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                                   std::uint32_t* total, cudaStream_t stream) const {
  check_room(in, out, count_);
  if (in.empty()) {
    if (total != nullptr) clear_one(total, stream);
    return;
  }
  std::size_t bytes = work_.size();
  check_cuda(inclusive(work_.data(), bytes, in.data(), out.data(), in.size(), stream), "launching a scan");
  if (total != nullptr) copy_one(total, &out.back(), stream);
}

void DeviceScan::enqueue_exclusive(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                                   std::uint32_t* total, cudaStream_t stream) const {
  check_room(in, out, count_);
  if (in.empty()) {
    if (total != nullptr) clear_one(total, stream);
    return;
  }
  if (total != nullptr) copy_one(total, &in.back(), stream);  // before an in-place scan overwrites the number
  std::size_t bytes = work_.size();
  check_cuda(exclusive(work_.data(), bytes, in.data(), out.data(), in.size(), stream), "launching a scan");
  if (total == nullptr) return;
  add_kernel<<<1, 1, 0, stream>>>(total, &out.back());
  check_launch("launching a scan's total");
}

}  // namespace winnow
