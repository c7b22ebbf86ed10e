// Groups a list of candidates that lies in a device's memory, with one block of threads.
//
// In:     up to `kMostCrowd` candidates, in the order of their windows, and the rules of grouping.
// Out:    objects and their number in device memory, in stream order.
// Exact:  the objects of `group_ref`.
// Memory: a launch owns device memory for more candidates than the block's own memory holds, and must outlive
//         the work. Everything else is the caller's. `enqueue` allocates nothing and does not wait.
// Thread: one thread at a time. The device on which the object was made must be current.
#pragma once

#include <cuda_runtime_api.h>

#include "base/device/cuda_memory.h"
#include "group/group.h"
#include "group/group_memory_cuda.cuh"

namespace winnow {

class GroupLaunch {
 public:
  // `count`: the number of candidates.
  explicit GroupLaunch(int count);
  void enqueue(const Candidate* candidates, int min_neighbors, double eps, MeanRule mean, Candidate* objects,
               int* found, cudaStream_t stream) const;

 private:
  int count_, block_memory_;
  DeviceBuffer<GroupMemory<kMostCrowd>> crowd_;
};

}  // namespace winnow
