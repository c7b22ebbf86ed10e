// From what a device found in each frame of a batch to what the host reads: counters, and objects where they
// are not too many for a block to group.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "group/group_block_cuda.cuh"
#include "scale/plan.h"
#include "session/finder.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

constexpr int kTooMany = -1;

// Where a frame's answer goes, in memory that host and device see.
struct FrameAnswer {
  std::int32_t found;  // objects; kTooMany: survivors that the device does not group
};

struct AnswerJob {
  const DeviceCount* counts;
  const Survivor* survivors;
  const Level* levels;
  std::int32_t counts_per_frame, capacity, level_count, min_neighbors;
  FrameAnswer* answers;
  DeviceCount* counts_out;
  Candidate* objects;
};

// A block a frame: survivors into the order of their windows, their boxes, groups.
static __global__ void __launch_bounds__(kGroupThreads) answer_kernel(const __grid_constant__ AnswerJob job) {
  extern __shared__ __align__(16) unsigned char group_memory[];
  auto& m = *reinterpret_cast<GroupMemory*>(group_memory);
  constexpr int kSlotBits = 11;
  static_assert(kMostGrouped == 1 << kSlotBits);
  const int frame = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const DeviceCount* counts = job.counts + static_cast<std::int64_t>(frame) * job.counts_per_frame;
  DeviceCount* counts_out = job.counts_out + static_cast<std::int64_t>(frame) * job.counts_per_frame;
  for (int i = thread; i < job.counts_per_frame; i += kGroupThreads) counts_out[i] = counts[i];
  FrameAnswer& answer = job.answers[frame];
  const DeviceCount found = counts[kFound];
  if (found > static_cast<DeviceCount>(min(job.capacity, kMostGrouped))) {
    if (thread == 0) answer.found = kTooMany;
    return;
  }
  const int count = static_cast<int>(found);
  const Survivor* survivors = job.survivors + static_cast<std::int64_t>(frame) * job.capacity;
  for (int i = thread; i < count; i += kGroupThreads) {
    m.keys[i] = static_cast<std::uint64_t>(survivors[i].window) << kSlotBits | static_cast<std::uint32_t>(i);
  }
  __syncthreads();
  sort_keys(m.keys, count);
  Candidate* objects = job.objects + static_cast<std::int64_t>(frame) * kMostGrouped;
  for (int i = thread; i < count; i += kGroupThreads) {
    const auto window = static_cast<std::int64_t>(m.keys[i] >> kSlotBits);
    int low = 0, high = job.level_count;  // the last level that starts at or before the window
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (job.levels[middle].first_window <= window) {
        low = middle;
      } else {
        high = middle;
      }
    }
    const Level& level = job.levels[low];
    const std::int64_t inside = window - level.first_window;
    m.boxes[i] = window_box(level, static_cast<int>(inside % level.cols) * level.step,
                            static_cast<int>(inside / level.cols) * level.step);
    m.scores[i] = survivors[m.keys[i] & ((1 << kSlotBits) - 1)].score;
    if (job.min_neighbors <= 0) objects[i] = {m.boxes[i], m.scores[i], 1};
  }
  __syncthreads();
  int objects_found = count;
  if (job.min_neighbors > 0) objects_found = group_block(m, count, job.min_neighbors, kGroupEps, objects);
  if (thread == 0) answer.found = objects_found;
}

}  // namespace winnow
