// Turns what a device found in each frame of a batch into objects and counters that the host reads.
//
// In:     the frames' counters and survivors (`device_sieve_cuda.h`), and how to group.
// Out:    counters, and objects of frames whose survivors one block can group; for the host once the stream
// is
//         done, and on the device (`ObjectsView`) if they are kept there.
// Exact:  same objects as `HostGrouping`.
// Memory: owned, allocated by `plan`.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cuda_memory.h"
#include "group/group.h"
#include "group/objects_view.h"
#include "scale/plan.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

// Where a search's objects are written. `kHost`: the kernel writes them where the host reads them. `kDevice`:
// into the device's memory, from which a second kernel copies them to the host.
enum class ObjectsHome { kHost, kDevice };

class DeviceAnswers {
 public:
  explicit DeviceAnswers(ObjectsHome home = ObjectsHome::kHost);
  void plan(const LevelPlan& plan, int batch, int counts_per_frame);
  // Asks for no memory and does not wait.
  void enqueue(const DeviceSieve& sieve, int batch, int min_neighbors, cudaStream_t stream) const;

  bool grouped(int frame) const { return found_[static_cast<std::size_t>(frame)] != kTooMany; }
  std::span<const Candidate> objects(int frame) const;  // of a frame that is grouped
  std::span<const DeviceCount> counts(int frame) const;

  // Of the batch that was enqueued last, if the home is kDevice.
  ObjectsView on_device(int batch) const;

  static constexpr std::int32_t kTooMany = ObjectsView::kTooMany;

 private:
  ObjectsHome home_;
  int level_count_ = 0;
  std::size_t counts_per_frame_ = 0;
  DeviceBuffer<Level> levels_;
  // In memory that host and device see.
  PinnedBuffer<std::int32_t> found_;  // objects; kTooMany: survivors that the device does not group
  PinnedBuffer<DeviceCount> counts_;
  PinnedBuffer<Candidate> objects_;
  DeviceBuffer<std::int32_t> found_on_device_;
  DeviceBuffer<Candidate> objects_on_device_;
};

}  // namespace winnow
