#include "sieve/compact_cuda.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_select.cuh>

#include <algorithm>

#include <winnow/error.h>

namespace winnow {
namespace {

struct Lives {
  const std::uint64_t* mask;
  __host__ __device__ bool operator()(std::int64_t i) const { return (mask[i / 64] >> (i % 64) & 1) != 0; }
};

// With `work` == nullptr CUB says only how much it needs.
cudaError_t select(void* work, std::size_t& bytes, const std::int64_t* windows, const std::uint64_t* mask,
                   std::int64_t* out, std::uint64_t* kept, std::size_t count, cudaStream_t stream) {
  const auto flags =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), Lives{mask});
  const auto number = static_cast<std::int64_t>(count);
  // In its own place it must not write what others have yet to read: CUB has another form for that.
  if (windows == out) return cub::DeviceSelect::Flagged(work, bytes, out, flags, kept, number, stream);
  return cub::DeviceSelect::Flagged(work, bytes, windows, flags, out, kept, number, stream);
}

}  // namespace

void DeviceCompact::plan(std::size_t count) {
  std::int64_t any = 0;  // an address that differs from none
  std::size_t in_place = 0, beside = 0;
  check_cuda(select(nullptr, in_place, nullptr, nullptr, nullptr, nullptr, count, nullptr),
             "planning a compaction");
  check_cuda(select(nullptr, beside, nullptr, nullptr, &any, nullptr, count, nullptr),
             "planning a compaction");
  work_.reserve(std::max({in_place, beside, std::size_t{1}}));
  count_ = count;
}

void DeviceCompact::enqueue(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                            std::span<std::int64_t> out, std::uint64_t* kept, cudaStream_t stream) const {
  if (mask.size() < (windows.size() + 63) / 64 || out.size() < windows.size())
    throw Error(ErrorCode::kUsage, "compaction needs a bit and a place for every window");
  if (windows.size() > count_) throw Error(ErrorCode::kUsage, "more windows to compact than were planned");
  if (windows.empty()) {
    check_cuda(cudaMemsetAsync(kept, 0, sizeof(*kept), stream), "clearing a count");
    return;
  }
  std::size_t bytes = work_.size();
  check_cuda(
      select(work_.data(), bytes, windows.data(), mask.data(), out.data(), kept, windows.size(), stream),
      "launching a compaction");
}

}  // namespace winnow
