// Makes objects and counters from the survivors of each frame of a batch, for the host to read.
//
// In:     the frames' counters and survivors (`device_sieve_cuda.h`), and the rules of grouping.
// Out:    per frame its counters, and its objects if one block of threads can group its survivors. The host
//         reads both once the stream is done. Objects also stay on the device (`ObjectsView`) if the home is
//         `kDevice`.
// Exact:  same objects as `HostMerger`. `finish_object` is applied only if a rule is given.
// Memory: the results own their memory, which `plan` allocates. `enqueue` allocates nothing and does not
//         wait. Spans and views of results live until the next `enqueue` or `plan`. The sieve's counters and
//         survivors must live until the enqueued work, or the last launch of its graph, is done.
// Thread: one thread at a time. The device on which the object was made must be current.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/device/cuda_memory.h"
#include "group/group.h"
#include "group/object_rule.h"
#include "group/objects_view.h"
#include "scale/plan.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

// Where a search's objects are written. `kHost`: the kernel writes them into memory that the host reads.
// `kDevice`: the kernel writes them into the device's memory, and a second kernel copies them to the host.
enum class ObjectsHome { kHost, kDevice };

class DeviceResults {
 public:
  explicit DeviceResults(ObjectsHome home = ObjectsHome::kHost);
  // `batch`: the largest number of frames. `counts_per_frame`: the sieve's number of counters.
  void plan(const LevelPlan& plan, int batch, int counts_per_frame);
  // `min_neighbors` <= 0: candidates are not grouped. If there is a `rule`, the device applies
  // `finish_object` to the objects.
  void enqueue(const DeviceSieve& sieve, int batch, int min_neighbors, MeanRule mean,
               const std::optional<ObjectRule>& rule, cudaStream_t stream) const;

  // False if a frame has more survivors than one block groups, or than the sieve had room for.
  bool grouped(int frame) const { return found_[static_cast<std::size_t>(frame)] != kTooMany; }
  std::span<const Candidate> objects(int frame) const;  // `grouped(frame)` must be true
  std::span<const DeviceCount> counts(int frame) const;

  // The objects of the first `batch` frames of the last `enqueue`. The home must be kDevice.
  ObjectsView on_device(int batch) const;
  ObjectsHome home() const { return home_; }

  static constexpr std::int32_t kTooMany = ObjectsView::kTooMany;

 private:
  ObjectsHome home_;
  int block_memory_;  // limits how many survivors a block of threads groups
  int level_count_ = 0;
  std::size_t counts_per_frame_ = 0;
  DeviceBuffer<Level> levels_;
  // Host and device can both access these three buffers.
  PinnedBuffer<std::int32_t> found_;  // number of objects; kTooMany: the device does not group the frame
  PinnedBuffer<DeviceCount> counts_;
  PinnedBuffer<Candidate> objects_;
  DeviceBuffer<std::int32_t> found_on_device_;
  DeviceBuffer<Candidate> objects_on_device_;
};

}  // namespace winnow
