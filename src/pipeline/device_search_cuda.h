// Searches frames on a device with one model: enqueue now, read later.
//
// In:     a batch's levels (`PyramidView`) and the plan they were made for.
// Out:    per frame its objects and counters, once the stream is done; objects on the device if they are kept
//         there. `AnswerReader` groups a frame on the host if one block cannot. It searches the frame once
//         more if there was no room for all survivors.
// Exact:  same answers as every other backend.
// Memory: owned, allocated by `plan`. `enqueue` allocates nothing and does not wait. The frames belong to the
//         caller. For a frame that is searched once more, `AnswerReader` allocates and waits.
// Thread: one thread at a time, with the device of construction current.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/cuda_device.h"
#include "pipeline/answers_cuda.h"
#include "pipeline/pipeline.h"
#include "scale/device_frames_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

using MakeDeviceSieve = std::function<std::unique_ptr<DeviceSieve>()>;

class DeviceSearch {
 public:
  explicit DeviceSearch(std::unique_ptr<DeviceSieve> sieve, ObjectsHome home = ObjectsHome::kHost)
      : sieve_(std::move(sieve)), answers_(home) {}

  // Makes room for `frames` frames of the request's plan, and for `capacity` survivors of each. False if
  // there is room already. After true, graphs that were captured before must not be launched.
  bool plan(const SearchRequest& request, int frames, int capacity = kFirstCapacity);
  // Takes over the request's options for the sieve. True if they are new to it: then graphs that were
  // captured before must not be launched.
  bool set_options(const SearchRequest& request) {
    return sieve_->set_options({request.min_score, request.gray});
  }
  // Searches the first `count` frames, at most `frames()`, of the plan that `plan` got last. Can be captured
  // in a graph.
  void enqueue(const PyramidView& frames, int count, const SearchRequest& request, cudaStream_t stream) const;

  int frames() const { return frames_; }  // that there is room for
  int capacity() const { return sieve_->capacity(); }
  const DeviceAnswers& answers() const { return answers_; }
  const DeviceSieve& sieve() const { return *sieve_; }
  // All survivors of a frame, in no order. There must have been room for them.
  void copy_survivors(int frame, std::vector<Survivor>& list) const;

  static constexpr int kFirstCapacity = 4096;

 private:
  std::unique_ptr<DeviceSieve> sieve_;
  DeviceAnswers answers_;
  int planned_ = 0;  // the plan's number; 0: none
  int frames_ = 0;
};

// Reads what a search found, once its stream is done. Groups crowds on the host: frames with more survivors
// than one block groups.
class AnswerReader {
 public:
  explicit AnswerReader(MakeDeviceSieve make_sieve) : make_sieve_(std::move(make_sieve)) {}
  // Puts objects and counters of one frame into `result`. `frames`: the levels that were searched, which must
  // still be there.
  void read(const DeviceSearch& search, const PyramidView& frames, int frame, const SearchRequest& request,
            Detections& result);
  // The same without grouping: all survivors in rising order of windows, and counters.
  void read(const DeviceSearch& search, const PyramidView& frames, int frame, const SearchRequest& request,
            SieveResult& result);

 private:
  // All survivors of a frame, in no order.
  void find_survivors(const DeviceSearch& search, const PyramidView& frames, int frame,
                      const SearchRequest& request, std::vector<Survivor>& list);

  MakeDeviceSieve make_sieve_;
  std::unique_ptr<DeviceSearch> crowd_;  // for one frame with more survivors than usual
  CudaStream stream_;
  std::vector<Survivor> survivors_, spare_;
  HostGrouping grouping_;
};

// One model's searches of frames that it shares with other sessions (`DeviceFrames`): one search after the
// other is enqueued, each on a stream of its own, and collected in that order.
class DeviceSession {
 public:
  // `most_pending`: searches that are enqueued and not collected. kUnsupported for a kind whose frames need a
  // table.
  DeviceSession(MakeDeviceSieve make_sieve, int most_pending, ObjectsHome home = ObjectsHome::kHost);

  // `plan`: which of the frames' plans is the request's. Allocates with a new plan; otherwise it neither
  // allocates nor waits. kUsage if `most_pending` searches are pending. The frames must live until `collect`.
  void enqueue(DeviceFrames& frames, int slot, std::size_t plan, const SearchRequest& request);
  // Waits for the oldest search, and gives a result for each picture of its slot. kUsage if none is pending,
  // or if there are more or fewer results than pictures.
  void collect(std::span<Detections> results);
  int pending() const { return pending_; }

  // Objects and stream of the search that was enqueued last, for a step that goes on with them on the device.
  // `objects` needs the home kDevice; its objects are not yet clipped and compared with `min_score`. kUsage
  // if none is pending.
  ObjectsView objects() const;
  cudaStream_t stream() const;

 private:
  struct Flight {
    DeviceSearch search;
    CudaStream stream;
    DeviceFrames* frames = nullptr;
    int slot = 0;
    std::size_t plan = 0;
    SearchRequest request{};
  };

  std::vector<std::unique_ptr<Flight>> flights_;
  AnswerReader reader_;
  std::size_t oldest_ = 0;
  int pending_ = 0;
};

}  // namespace winnow
