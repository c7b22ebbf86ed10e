// Adds up goals on a device, as shape/shape_learner.h declares; its opening comment holds here.
//
// A block of threads takes a chunk of samples and sorts it by nodes. The block takes up to 32 splits at a
// time, and sets a bit for each sample and split. A warp then adds up one split. Each lane of the warp adds
// one number of the leaf.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "shape/shape_learner.h"

namespace winnow {
namespace {

constexpr int kThreads = 512, kWarps = kThreads / 32;
constexpr int kChunk = 256;  // samples that a block takes
static_assert(kChunk <= static_cast<int>(kGoalsIn32Bits));
constexpr int kMostNodes = 1 << (kMostLearnerDepth - 1);

struct LearnerView {
  std::size_t count;
  int values;
  const std::uint8_t* pixel;
  const std::int32_t* goals;
  const std::uint8_t* node;
};

__device__ bool goes_left(const LearnerView& view, const VisitSplit& split, std::size_t sample) {
  return static_cast<int>(view.pixel[split.first * view.count + sample]) -
             static_cast<int>(view.pixel[split.second * view.count + sample]) >
         split.threshold;
}

struct ChunkMemory {
  std::int32_t goals[kChunk][32];  // 32 goals of each sample
  std::uint32_t left[kChunk];      // for each sample a bit per split
  std::uint16_t sample[kChunk];    // the samples of the chunk, sorted by nodes
  std::uint8_t node[kChunk];       // the nodes of these samples
  int begin[kMostNodes + 1];
};

// Sorts the chunk's samples by nodes. The order within a node does not matter.
__device__ void sort_chunk(const LearnerView& view, std::size_t first, int count, int nodes, ChunkMemory& m) {
  for (int i = static_cast<int>(threadIdx.x); i <= nodes; i += kThreads) m.begin[i] = 0;
  __syncthreads();
  const bool mine = static_cast<int>(threadIdx.x) < count;
  int node = 0, place = 0;
  if (mine) {
    node = view.node[first + threadIdx.x];
    place = atomicAdd(&m.begin[node + 1], 1);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int n = 0; n < nodes; ++n) m.begin[n + 1] += m.begin[n];
  __syncthreads();
  if (mine) {
    m.sample[m.begin[node] + place] = static_cast<std::uint16_t>(threadIdx.x);
    m.node[m.begin[node] + place] = static_cast<std::uint8_t>(node);
  }
  __syncthreads();
}

// Adds the sum of a chunk's samples in one node to the results.
__device__ void put_sum(int sum, int count, std::size_t split, int value, int values, std::int32_t* counts,
                        unsigned long long* sums) {
  if (count == 0) return;
  if (value < values)
    atomicAdd(&sums[split * static_cast<std::size_t>(values) + value],
              static_cast<unsigned long long>(static_cast<long long>(sum)));
  if (value == 0) atomicAdd(&counts[split], count);
}

__global__ void __launch_bounds__(kThreads)
    try_splits_kernel(LearnerView view, const VisitSplit* splits, int nodes, int tries, std::int32_t* counts,
                      unsigned long long* sums) {
  __shared__ ChunkMemory m;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * kChunk;
  const int count = static_cast<int>(view.count - first < kChunk ? view.count - first : kChunk);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  sort_chunk(view, first, count, nodes, m);
  for (int try_at = 0; try_at < tries; try_at += 32) {
    const int some = min(32, tries - try_at);
    // Two threads take a sample. Each of them takes half of the splits.
    static_assert(kThreads == 2 * kChunk);
    const int place = static_cast<int>(threadIdx.x) % kChunk, half = static_cast<int>(threadIdx.x) / kChunk;
    if (half == 0) m.left[place] = 0;
    __syncthreads();
    if (place < count) {
      const VisitSplit* const own = splits + static_cast<std::size_t>(m.node[place]) * tries + try_at;
      std::uint32_t left = 0;
      for (int s = half; s < some; s += 2)
        left |= static_cast<std::uint32_t>(goes_left(view, own[s], first + m.sample[place])) << s;
      atomicOr(&m.left[place], left);
    }
    for (int value_at = 0; value_at < view.values; value_at += 32) {
      __syncthreads();
      for (int i = warp; i < count; i += kWarps)
        m.goals[i][lane] =
            value_at + lane < view.values
                ? bounded_goal(view.goals[(first + m.sample[i]) * view.values + value_at + lane])
                : 0;
      __syncthreads();
      for (int s = warp; s < some; s += kWarps) {
        for (int node = 0; node < nodes; ++node) {
          int sum = 0, taken = 0;
#pragma unroll 8
          for (int i = m.begin[node]; i < m.begin[node + 1]; ++i) {
            const int left = static_cast<int>(m.left[i] >> s & 1U);
            taken += left;
            sum += m.goals[i][lane] & -left;
          }
          put_sum(sum, taken, static_cast<std::size_t>(node) * tries + try_at + s, value_at + lane,
                  view.values, counts, sums);
        }
      }
    }
    __syncthreads();
  }
}

__global__ void split_kernel(LearnerView view, const VisitSplit* chosen, std::uint8_t* nodes) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.count) return;
  const int node = nodes[i];
  nodes[i] = static_cast<std::uint8_t>(2 * node + (goes_left(view, chosen[node], i) ? 0 : 1));
}

// A thread changes one goal of one sample. The nodes are cleared later, when all threads have read them.
__global__ void add_leaves_kernel(LearnerView view, const std::int16_t* numbers, std::int32_t* goals) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= view.count * view.values) return;
  const std::size_t sample = at / view.values, value = at - sample * view.values;
  goals[at] -= numbers[view.node[sample] * static_cast<std::size_t>(view.values) + value];
}

class DeviceLearner final : public ShapeLearner {
 public:
  explicit DeviceLearner(int device) : device_(device) {}

  void begin(const ShapeSamples& samples) override {
    const OnDevice on(device_);
    // Kernels for the previous samples may still read and write the buffers.
    check_cuda(cudaStreamSynchronize(stream_.get()), "adding leaves");
    samples_ = samples;
    upload(std::span(samples.pixel, samples.count * static_cast<std::size_t>(samples.pixels)), pixel_);
    upload(samples.goals, goals_);
    nodes_.reserve(std::max<std::size_t>(1, samples.count));
    clear_nodes();
  }

  void try_splits(int level, std::span<const VisitSplit> splits, SplitSums& sums) override {
    const OnDevice on(device_);
    const std::size_t numbers = splits.size() * static_cast<std::size_t>(samples_.values);
    send(splits, host_splits_, splits_);
    counts_.reserve(splits.size());
    sums_.reserve(numbers);
    check_cuda(cudaMemsetAsync(counts_.data(), 0, splits.size() * sizeof(std::int32_t), stream_.get()),
               "clearing sums");
    check_cuda(cudaMemsetAsync(sums_.data(), 0, numbers * sizeof(unsigned long long), stream_.get()),
               "clearing sums");
    const int nodes = 1 << level;
    const auto blocks = static_cast<unsigned>((samples_.count + kChunk - 1) / kChunk);
    if (blocks > 0)
      try_splits_kernel<<<blocks, kThreads, 0, stream_.get()>>>(view(), splits_.data(), nodes,
                                                                static_cast<int>(splits.size()) / nodes,
                                                                counts_.data(), sums_.data());
    check_launch("trying splits");
    host_counts_.reserve(splits.size());
    host_sums_.reserve(numbers);
    check_cuda(cudaMemcpyAsync(host_counts_.data(), counts_.data(), splits.size() * sizeof(std::int32_t),
                               cudaMemcpyDeviceToHost, stream_.get()),
               "copying sums from the device");
    check_cuda(cudaMemcpyAsync(host_sums_.data(), sums_.data(), numbers * sizeof(unsigned long long),
                               cudaMemcpyDeviceToHost, stream_.get()),
               "copying sums from the device");
    check_cuda(cudaStreamSynchronize(stream_.get()), "trying splits");
    sums.counts.assign(host_counts_.data(), host_counts_.data() + splits.size());
    sums.sums.resize(numbers);
    for (std::size_t i = 0; i < numbers; ++i) sums.sums[i] = static_cast<std::int64_t>(host_sums_[i]);
  }

  void split(std::span<const VisitSplit> chosen) override {
    const OnDevice on(device_);
    send(chosen, host_chosen_, chosen_);
    if (samples_.count > 0)
      split_kernel<<<blocks_for(samples_.count), kThreads, 0, stream_.get()>>>(view(), chosen_.data(),
                                                                               nodes_.data());
    check_launch("splitting samples");
  }

  void add_leaves(std::span<const std::int16_t> numbers) override {
    const OnDevice on(device_);
    send(numbers, host_leaves_, leaves_);
    if (samples_.count > 0)
      add_leaves_kernel<<<blocks_for(samples_.count * static_cast<std::size_t>(samples_.values)), kThreads, 0,
                          stream_.get()>>>(view(), leaves_.data(), goals_.data());
    check_launch("adding leaves");
    clear_nodes();
  }

  void goals(std::span<std::int32_t> goals) override {
    const OnDevice on(device_);
    check_cuda(cudaMemcpyAsync(goals.data(), goals_.data(), goals.size_bytes(), cudaMemcpyDeviceToHost,
                               stream_.get()),
               "copying goals from the device");
    check_cuda(cudaStreamSynchronize(stream_.get()), "copying goals from the device");
  }

 private:
  static unsigned blocks_for(std::size_t threads) {
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  }

  LearnerView view() const {
    return {samples_.count, samples_.values, pixel_.data(), goals_.data(), nodes_.data()};
  }

  void clear_nodes() {
    check_cuda(cudaMemsetAsync(nodes_.data(), 0, samples_.count, stream_.get()), "clearing nodes");
  }

  // Copies through pinned memory. `try_splits` waits for all copies before the same memory is used again.
  template <class T>
  void send(std::span<const T> from, PinnedBuffer<T>& pinned, DeviceBuffer<T>& to) {
    pinned.reserve(from.size());
    to.reserve(from.size());
    std::memcpy(pinned.data(), from.data(), from.size_bytes());
    check_cuda(
        cudaMemcpyAsync(to.data(), pinned.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream_.get()),
        "copying splits to the device");
  }

  int device_;
  ShapeSamples samples_;
  CudaStream stream_ = make_stream();
  DeviceBuffer<std::uint8_t> pixel_, nodes_;
  DeviceBuffer<std::int32_t> goals_, counts_;
  DeviceBuffer<unsigned long long> sums_;
  DeviceBuffer<VisitSplit> splits_, chosen_;
  DeviceBuffer<std::int16_t> leaves_;
  PinnedBuffer<VisitSplit> host_splits_, host_chosen_;
  PinnedBuffer<std::int16_t> host_leaves_;
  PinnedBuffer<std::int32_t> host_counts_;
  PinnedBuffer<unsigned long long> host_sums_;
};

}  // namespace

std::unique_ptr<ShapeLearner> make_shape_learner_cuda(int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<DeviceLearner>(device);
}

}  // namespace winnow
