#include "base/reduce_cuda.h"

#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <cuda/std/functional>

#include <winnow/error.h>

namespace winnow {
namespace {

struct Single {
  __device__ Extremes operator()(std::uint32_t value) const { return {value, value}; }
};
struct Join {
  __device__ Extremes operator()(const Extremes& a, const Extremes& b) const {
    return {min(a.least, b.least), max(a.largest, b.largest)};
  }
};

// With `work` == nullptr CUB says only how much it needs.
cudaError_t sum(void* work, std::size_t& bytes, std::span<const std::uint32_t> values, std::uint64_t* out,
                cudaStream_t stream) {
  return cub::DeviceReduce::Reduce(work, bytes, values.data(), out, values.size(),
                                   cuda::std::plus<std::uint64_t>{}, std::uint64_t{0}, stream);
}

cudaError_t extremes(void* work, std::size_t& bytes, std::span<const std::uint32_t> values, Extremes* out,
                     cudaStream_t stream) {
  return cub::DeviceReduce::TransformReduce(work, bytes, values.data(), out, values.size(), Join{}, Single{},
                                            Extremes{}, stream);
}

void require_room(std::size_t count, std::size_t planned) {
  if (count > planned) throw Error(ErrorCode::kUsage, "more numbers to reduce than were planned");
}

}  // namespace

void DeviceReduce::plan(std::size_t count) {
  const std::span<const std::uint32_t> values(static_cast<const std::uint32_t*>(nullptr), count);
  std::size_t for_sum = 0, for_extremes = 0;
  check_cuda(sum(nullptr, for_sum, values, nullptr, nullptr), "planning a sum");
  check_cuda(extremes(nullptr, for_extremes, values, nullptr, nullptr), "planning extremes");
  work_.reserve(std::max({for_sum, for_extremes, std::size_t{1}}));
  count_ = count;
}

void DeviceReduce::enqueue_sum(std::span<const std::uint32_t> values, std::uint64_t* out,
                               cudaStream_t stream) const {
  require_room(values.size(), count_);
  std::size_t bytes = work_.size();
  check_cuda(sum(work_.data(), bytes, values, out, stream), "launching a sum");
}

void DeviceReduce::enqueue_extremes(std::span<const std::uint32_t> values, Extremes* out,
                                    cudaStream_t stream) const {
  require_room(values.size(), count_);
  std::size_t bytes = work_.size();
  check_cuda(extremes(work_.data(), bytes, values, out, stream), "launching extremes");
}

}  // namespace winnow
