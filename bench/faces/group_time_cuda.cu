#include "faces/group_time_cuda.h"

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "group/group_block_cuda.cuh"

namespace bench {
namespace {

using namespace winnow;

// `crowd`: memory for many candidates; null: the block's own memory.
template <int kMost>
__global__ void __launch_bounds__(kGroupThreads)
    grouping_kernel(const Candidate* candidates, int count, int min_neighbors, double eps,
                    GroupMemory<kMost>* crowd, Candidate* objects, int* found) {
  extern __shared__ __align__(16) unsigned char group_memory[];
  auto& m = crowd != nullptr ? *crowd : *reinterpret_cast<GroupMemory<kMost>*>(group_memory);
  load_candidates(m, candidates, count);
  const int objects_found = group_block(m, count, min_neighbors, eps, MeanRule::kFloat, objects);
  if (threadIdx.x == 0) *found = objects_found;
}

}  // namespace

int most_grouped_in_a_block() {
  require_cuda_device(0);
  int most = 0;
  with_most_grouped(device_room().block_memory, [&](auto size) { most = size; });
  return most;
}

std::optional<DeviceGrouping> time_device_grouping(std::span<const Candidate> candidates, int min_neighbors,
                                                   double eps, int repeat) {
  require_cuda_device(0);
  if (candidates.size() > static_cast<std::size_t>(kMostCrowd)) return std::nullopt;
  const CudaStream stream = make_stream();
  DeviceBuffer<Candidate> in, out(candidates.size() + 1);
  DeviceBuffer<int> found(1);
  upload(candidates, in);
  // The padding inside candidates is copied back, too, so the padding must be initialised.
  check_cuda(cudaMemset(out.data(), 0, candidates.size() * sizeof(Candidate)), "clearing objects");
  check_cuda(cudaDeviceSynchronize(), "clearing objects");
  DeviceGrouping grouping;
  const int all = static_cast<int>(candidates.size());
  DeviceBuffer<GroupMemory<kMostCrowd>> crowd;
  const auto time = [&]<int kMost>(GroupMemory<kMost>* memory) {
    const std::size_t own = memory != nullptr ? 0 : sizeof(GroupMemory<kMost>);
    grouping.us = median_us(repeat, stream.get(), [&] {
      grouping_kernel<kMost><<<1, kGroupThreads, own, stream.get()>>>(in.data(), all, min_neighbors, eps,
                                                                      memory, out.data(), found.data());
      check_launch("grouping");
    });
  };
  if (all > most_grouped_in_a_block()) {
    crowd.reserve(1);
    time(crowd.data());
  } else {
    with_most_grouped(device_room().block_memory, [&](auto size) {
      allow_block_memory(reinterpret_cast<const void*>(grouping_kernel<size>));
      time(static_cast<GroupMemory<size>*>(nullptr));
    });
  }
  int count = 0;
  check_cuda(cudaMemcpy(&count, found.data(), sizeof(count), cudaMemcpyDeviceToHost), "copying");
  grouping.objects.resize(static_cast<std::size_t>(count));
  check_cuda(cudaMemcpy(grouping.objects.data(), out.data(), grouping.objects.size() * sizeof(Candidate),
                        cudaMemcpyDeviceToHost),
             "copying");
  return grouping;
}

}  // namespace bench
