// Searches the frames of a batch with one model, as a step of the batch.
//
// In:     a batch's levels (`PyramidView`), and the plan for which the levels were made.
// Out:    per frame its objects and counters, once the stream is done. If wanted, objects also stay on the
//         device for later steps. `ResultReader` groups a frame on the host if one block of threads cannot.
//         `ResultReader` searches a frame once more if there was no room for all survivors.
// Exact:  same answers as every other backend.
// Memory: a search owns its memory, which `plan` allocates. `enqueue` allocates nothing and does not wait. A
//         request's plan must stay until its searches end; objects stay until the next `enqueue`. The frames
//         belong to the caller. For a frame that is searched once more, `ResultReader` allocates and waits.
// Thread: one thread at a time. The device on which the object was made must be current.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/device/cuda_device.h"
#include "pipeline/pipeline.h"
#include "pipeline/results_cuda.h"
#include "scale/frames/frame_batch_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

using MakeDeviceSieve = std::function<std::unique_ptr<DeviceSieve>()>;

class DeviceSearch final : public FrameStep {
 public:
  // `wish`: the number of the batch's `FrameWish` whose levels are searched.
  explicit DeviceSearch(std::unique_ptr<DeviceSieve> sieve, std::size_t wish = 0,
                        ObjectsHome home = ObjectsHome::kHost)
      : sieve_(std::move(sieve)), results_(home), wish_(wish) {}

  // Sets the request of the searches that follow. Allocates room for `frames` frames of its plan, and
  // for `capacity` survivors of each. Returns true for another plan, or if there is more room. The batch
  // must then be planned, too.
  bool plan(const SearchRequest& request, int frames, int capacity = kFirstCapacity);

  // Searches the first `count` frames, at most `frames()`.
  void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const override {
    enqueue(batch.view(wish_), count, stream);
  }
  void enqueue(const PyramidView& frames, int count, cudaStream_t stream) const;
  std::uint64_t version() const override { return version_; }

  const SearchRequest& request() const { return request_; }
  int frames() const { return frames_; }  // the number of frames for which there is room
  int capacity() const { return sieve_->capacity(); }
  const DeviceResults& results() const { return results_; }
  const DeviceSieve& sieve() const { return *sieve_; }
  std::size_t wish() const { return wish_; }
  // Whether the device applies `finish_object` to the objects.
  bool finishes() const {
    return results_.home() == ObjectsHome::kDevice && request_.merge == Merge::kGroups;
  }
  // Replaces `list` by all survivors of a frame, in no defined order. The search must have had room for all.
  void copy_survivors(int frame, std::vector<Survivor>& list) const;

  // The objects of the first `count` frames, as the caller gets them, for the steps that follow. The home
  // must be kDevice. kUnsupported for a request whose objects the host merges.
  ObjectsView objects(int count) const;

  static constexpr int kFirstCapacity = 4096;

 private:
  std::unique_ptr<DeviceSieve> sieve_;
  DeviceResults results_;
  std::size_t wish_;
  SearchRequest request_{};
  int planned_ = 0;  // the plan's number; 0: none
  int frames_ = 0;
  std::uint64_t version_ = 0;
};

// Reads the results of a search, once the search's stream is done. Groups crowds on the host. A crowd is a
// frame with more survivors than one block of threads groups.
class ResultReader {
 public:
  ResultReader(MakeDeviceSieve make_sieve, MergeSteps merge)
      : make_sieve_(std::move(make_sieve)), merger_(merge) {}
  // Puts objects and counters of one frame into `result`. `frames`: the levels that were searched,
  // which must still be in memory.
  void read(const DeviceSearch& search, const PyramidView& frames, int frame, Detections& result);
  // Reads one frame without grouping: all survivors in rising order of windows, and counters.
  void read(const DeviceSearch& search, const PyramidView& frames, int frame, SieveResult& result);

 private:
  // Replaces `list` by all survivors of a frame, in no defined order.
  void find_survivors(const DeviceSearch& search, const PyramidView& frames, int frame,
                      std::vector<Survivor>& list);

  MakeDeviceSieve make_sieve_;
  std::unique_ptr<DeviceSearch> crowd_;  // searches a frame once more if it had too little room
  CudaStream stream_;
  std::vector<Survivor> survivors_, spare_;
  HostMerger merger_;
};

}  // namespace winnow
