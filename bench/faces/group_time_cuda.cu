#include "faces/group_time_cuda.h"

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "group/group_launch_cuda.h"

namespace bench {
using namespace winnow;

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
  const GroupLaunch launch(static_cast<int>(candidates.size()));
  grouping.us = median_us(repeat, stream.get(), [&] {
    launch.enqueue(in.data(), min_neighbors, eps, MeanRule::kFloat, out.data(), found.data(), stream.get());
  });
  int count = 0;
  check_cuda(cudaMemcpy(&count, found.data(), sizeof(count), cudaMemcpyDeviceToHost), "copying");
  grouping.objects.resize(static_cast<std::size_t>(count));
  check_cuda(cudaMemcpy(grouping.objects.data(), out.data(), grouping.objects.size() * sizeof(Candidate),
                        cudaMemcpyDeviceToHost),
             "copying");
  return grouping;
}

}  // namespace bench
