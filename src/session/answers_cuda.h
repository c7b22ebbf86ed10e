// From what a device found in each frame of a batch to what the host reads: counters, and objects where
// survivors are not too many for a block to group.
// In: the frames' counters and survivors (`device_sieve_cuda.h`), how to group. Out: in memory that the host
// reads once the stream is done. exact: as `HostGrouping`. Memory is asked for by `plan`.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cuda_memory.h"
#include "group/group.h"
#include "scale/plan.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

class DeviceAnswers {
 public:
  DeviceAnswers();
  void plan(const LevelPlan& plan, int batch, int counts_per_frame);
  // Asks for no memory and does not wait.
  void enqueue(const DeviceSieve& sieve, int batch, int min_neighbors, cudaStream_t stream) const;

  bool grouped(int frame) const { return found_[static_cast<std::size_t>(frame)] != kTooMany; }
  std::span<const Candidate> objects(int frame) const;  // of a frame that is grouped
  std::span<const DeviceCount> counts(int frame) const;

  static constexpr std::int32_t kTooMany = -1;

 private:
  int level_count_ = 0;
  std::size_t counts_per_frame_ = 0;
  DeviceBuffer<Level> levels_;
  // In memory that host and device see.
  PinnedBuffer<std::int32_t> found_;  // objects; kTooMany: survivors that the device does not group
  PinnedBuffer<DeviceCount> counts_;
  PinnedBuffer<Candidate> objects_;
};

}  // namespace winnow
