// Groups candidates on a device, as group/group.h declares; its opening comment holds here.
#include <algorithm>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "group/group.h"
#include "group/group_block_cuda.cuh"
#include "group/group_launch_cuda.h"

namespace winnow {
namespace {

// `crowd`: device memory, for more candidates than the block's shared memory holds. If null, the block uses
// its shared memory.
template <int kMost>
__global__ void __launch_bounds__(kGroupThreads)
    group_kernel(const Candidate* candidates, int count, int min_neighbors, double eps, MeanRule mean,
                 GroupMemory<kMost>* crowd, Candidate* objects, int* found) {
  extern __shared__ __align__(16) unsigned char group_memory[];
  auto& m = crowd != nullptr ? *crowd : *reinterpret_cast<GroupMemory<kMost>*>(group_memory);
  load_candidates(m, candidates, count);
  const int objects_found = group_block(m, count, min_neighbors, eps, mean, objects);
  if (threadIdx.x == 0) *found = objects_found;
}

}  // namespace

GroupLaunch::GroupLaunch(int count) : count_(count), block_memory_(device_room().block_memory) {
  with_most_grouped(block_memory_, [&](auto size) {
    if (count > size) {
      crowd_.reserve(1);
    } else {
      allow_block_memory(reinterpret_cast<const void*>(group_kernel<size>));
    }
  });
}

void GroupLaunch::enqueue(const Candidate* candidates, int min_neighbors, double eps, MeanRule mean,
                          Candidate* objects, int* found, cudaStream_t stream) const {
  with_most_grouped(block_memory_, [&](auto size) {
    if (count_ > size) {
      group_kernel<kMostCrowd><<<1, kGroupThreads, 0, stream>>>(candidates, count_, min_neighbors, eps, mean,
                                                                crowd_.data(), objects, found);
    } else {
      group_kernel<size><<<1, kGroupThreads, sizeof(GroupMemory<size>), stream>>>(
          candidates, count_, min_neighbors, eps, mean, nullptr, objects, found);
    }
  });
  check_launch("the grouping kernel");
}

void group_cuda(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
                std::vector<Candidate>& objects) {
  if (min_neighbors <= 0) {
    objects.assign(candidates.begin(), candidates.end());
    return;
  }
  if (candidates.size() > static_cast<std::size_t>(kMostCrowd)) {
    group_cpu(candidates, min_neighbors, eps, scratch, objects);
    return;
  }
  if (candidates.empty()) {
    objects.clear();
    return;
  }
  DeviceBuffer<Candidate> in, out(candidates.size());
  DeviceBuffer<int> found(1);
  upload(candidates, in);
  // The padding inside candidates is copied back, too, so the padding must be initialised.
  check_cuda(cudaMemset(out.data(), 0, candidates.size() * sizeof(Candidate)), "clearing objects");
  const auto count = static_cast<int>(candidates.size());
  const GroupLaunch launch(count);  // its memory must last until the objects are read
  launch.enqueue(in.data(), min_neighbors, eps, scratch.mean, out.data(), found.data(), nullptr);
  int number = 0;
  check_cuda(cudaMemcpy(&number, found.data(), sizeof(number), cudaMemcpyDeviceToHost), "grouping");
  objects.resize(static_cast<std::size_t>(number));
  if (objects.empty()) return;
  check_cuda(
      cudaMemcpy(objects.data(), out.data(), objects.size() * sizeof(Candidate), cudaMemcpyDeviceToHost),
      "copying objects from the device");
}

}  // namespace winnow
