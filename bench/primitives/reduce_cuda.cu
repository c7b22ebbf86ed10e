#include "primitives/reduce_cuda.h"

#include <algorithm>

#include <winnow/error.h>

namespace winnow {
namespace {

// kBlocks blocks fill a multiprocessor. Each thread has kReads reads of four numbers in flight.
constexpr int kThreads = 512, kBlocks = 3, kReads = 8;

struct Sum {
  using Result = std::uint64_t;
  static __device__ Result of_none() { return 0; }
  static __device__ Result of(uint4 four) { return Result{four.x} + four.y + (Result{four.z} + four.w); }
  static __device__ Result join(Result a, Result b) { return a + b; }
  static __device__ Result from_lane(Result value, int distance) {
    return __shfl_down_sync(~0u, value, distance);
  }
};

struct LeastAndLargest {
  using Result = Extremes;
  static __device__ Result of_none() { return {~0u, 0}; }
  static __device__ Result of(uint4 four) {
    return {min(min(four.x, four.y), min(four.z, four.w)), max(max(four.x, four.y), max(four.z, four.w))};
  }
  static __device__ Result join(const Result& a, const Result& b) {
    return {min(a.least, b.least), max(a.largest, b.largest)};
  }
  static __device__ Result from_lane(const Result& value, int distance) {
    return {__shfl_down_sync(~0u, value.least, distance), __shfl_down_sync(~0u, value.largest, distance)};
  }
};

// The result for one number.
inline __device__ std::uint64_t of_one(Sum, std::uint32_t value) { return value; }
inline __device__ Extremes of_one(LeastAndLargest, std::uint32_t value) { return {value, value}; }

// Combines the results of a block's threads. The first thread gets the result.
template <class Kind>
__device__ typename Kind::Result join_block(typename Kind::Result own) {
  __shared__ typename Kind::Result warps[kThreads / 32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) own = Kind::join(own, Kind::from_lane(own, distance));
  if (lane == 0) warps[warp] = own;
  __syncthreads();
  own = lane < kThreads / 32 ? warps[lane] : Kind::of_none();
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) own = Kind::join(own, Kind::from_lane(own, distance));
  return own;
}

// Each block writes its result to `partials`. The last block to finish combines all results, and sets `done`
// to zero again.
template <class Kind>
__global__ void __launch_bounds__(kThreads)
    reduce_kernel(const std::uint32_t* values, std::size_t count, typename Kind::Result* partials,
                  unsigned* done, typename Kind::Result* out) {
  __shared__ bool last;
  const std::size_t head = min(count, (16 - reinterpret_cast<std::uintptr_t>(values) % 16) / 4 % 4);
  const std::size_t fours = (count - head) / 4, tail = (count - head) % 4;
  const auto* from = reinterpret_cast<const uint4*>(values + head);
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
  auto own = Kind::of_none();
  std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  for (; i + (kReads - 1) * step < fours; i += kReads * step) {
    uint4 four[kReads];
#pragma unroll
    for (int k = 0; k < kReads; ++k) four[k] = from[i + k * step];
#pragma unroll
    for (int k = 0; k < kReads; ++k) own = Kind::join(own, Kind::of(four[k]));
  }
  for (; i < fours; i += step) own = Kind::join(own, Kind::of(from[i]));
  if (blockIdx.x == 0) {  // the numbers before and after the aligned groups of four
    if (threadIdx.x < head) own = Kind::join(own, of_one(Kind{}, values[threadIdx.x]));
    if (threadIdx.x < tail) own = Kind::join(own, of_one(Kind{}, values[head + 4 * fours + threadIdx.x]));
  }
  own = join_block<Kind>(own);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = own;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  own = Kind::of_none();
  for (unsigned block = threadIdx.x; block < gridDim.x; block += kThreads)
    own = Kind::join(own, partials[block]);
  own = join_block<Kind>(own);
  if (threadIdx.x == 0) *out = own;
}

template <class Kind>
void enqueue(std::span<const std::uint32_t> values, void* partials, unsigned* done,
             typename Kind::Result* out, int most_blocks, cudaStream_t stream) {
  const std::size_t wanted = (values.size() + kThreads * 4 - 1) / (kThreads * 4);
  const auto blocks =
      static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, static_cast<std::size_t>(most_blocks)));
  reduce_kernel<Kind><<<blocks, kThreads, 0, stream>>>(
      values.data(), values.size(), static_cast<typename Kind::Result*>(partials), done, out);
  check_launch("launching a reduction");
}

static_assert(sizeof(Extremes) == sizeof(std::uint64_t), "parts of either kind have the same room");

}  // namespace

void DeviceReduce::plan(std::size_t count) {
  blocks_ = 0;  // stays 0 if an allocation fails
  const int blocks = kBlocks * current_processors();
  partials_.reserve(static_cast<std::size_t>(blocks));
  done_.reserve(1);
  check_cuda(cudaMemset(done_.data(), 0, sizeof(unsigned)), "planning a reduction");
  check_cuda(cudaStreamSynchronize(nullptr), "planning a reduction");
  count_ = count;
  blocks_ = blocks;
}

void DeviceReduce::require_planned(std::size_t count) const {
  if (count > count_ || blocks_ == 0)
    throw Error(ErrorCode::kUsage, "more numbers to reduce than were planned");
}

void DeviceReduce::enqueue_sum(std::span<const std::uint32_t> values, std::uint64_t* out,
                               cudaStream_t stream) const {
  require_planned(values.size());
  enqueue<Sum>(values, partials_.data(), done_.data(), out, blocks_, stream);
}

void DeviceReduce::enqueue_extremes(std::span<const std::uint32_t> values, Extremes* out,
                                    cudaStream_t stream) const {
  require_planned(values.size());
  enqueue<LeastAndLargest>(values, partials_.data(), done_.data(), out, blocks_, stream);
}

}  // namespace winnow
