// Finds the windows of a batch of frames that pass every stage of a model, on a device.
//
// In:     the levels of each frame in device memory (`PyramidView`), and the plan of these levels.
// Out:    in device memory, for each frame: its counters, and at most `capacity` survivors in no particular
//         order. The counter `kFound` also counts survivors for which there was no room. If `kFound` exceeds
//         `capacity`, the caller plans a larger `capacity` and enqueues again.
// Exact:  same windows, scores and counters as every other backend.
// Memory: a sieve owns its device memory and does not need the caller's `Cascade` or plan later. The
//         constructor and `plan` allocate; `enqueue` allocates nothing and does not wait. The caller calls
//         `plan` only when no work of the sieve runs on the device. Pointers to counters and survivors live
//         until the next `plan`.
// Thread: one thread at a time. The device on which the object was made must be current.
//
// There are two sieves:
// - The tile sieve (`tiles_cuda.cu`) judges tile by tile. It is the fast one.
// - The plane sieve (`planes_cuda.cu`) is for windows too large for tiles. It has planes of whole levels in
//   device memory and one thread per window.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <winnow/cascade.h>
#include <winnow/error.h>

#include "base/device/cuda_memory.h"
#include "scale/plan.h"
#include "scale/pyramid_cuda.h"
#include "scale/waves.h"
#include "sieve/stages.h"

namespace winnow {

// Counters of one frame: survivors, skipped windows, flat windows, windows that reached each stage, windows
// that passed all stages. For a fixed-point cascade, the counters after `kFlat` are the windows that reached
// the first stage, then the windows that each stage rejected. Such a cascade has many stages. Each rejected
// window then needs one addition, not one per stage.
constexpr int kFound = 0, kSkipped = 1, kFlat = 2, kReached = 3;
using DeviceCount = unsigned long long;

// The capacity that holds `found` survivors. Throws kLimit if an `int` cannot count the survivors.
inline int room_for(DeviceCount found) {
  if (found > static_cast<DeviceCount>(std::numeric_limits<int>::max()))
    throw Error(ErrorCode::kLimit, std::to_string(found) + " windows of a picture pass all stages");
  return static_cast<int>(found);
}

// Says how to read a model's counters per stage.
struct CountsPerStage {
  std::vector<std::int32_t> weak;  // the number of weak classifiers of each stage
  bool rejects = false;  // the device counts the windows that a stage rejects, not the windows that reach it
};
inline CountsPerStage counting_of(const CascadeModel& model) {
  CountsPerStage counting;
  for (const Stage& stage : model.stages) counting.weak.push_back(stage.tree_count);
  counting.rejects = model.fixed_point();
  return counting;
}

// Converts a frame's counters to a result (`SieveResult`, `Counters`).
template <class Result>
void read_counts(std::span<const DeviceCount> counts, const CountsPerStage& counting, const LevelPlan& plan,
                 Result& result) {
  result.windows = plan.window_count;
  result.skipped = static_cast<std::int64_t>(counts[kSkipped]);
  result.flat = static_cast<std::int64_t>(counts[kFlat]);
  result.reached.assign(counts.begin() + kReached, counts.end());
  for (std::size_t s = 1; counting.rejects && s < result.reached.size(); ++s)
    result.reached[s] = result.reached[s - 1] - result.reached[s];
  result.weak = 0;
  for (std::size_t s = 0; s < counting.weak.size(); ++s) result.weak += result.reached[s] * counting.weak[s];
}

class DeviceSieve {
 public:
  virtual ~DeviceSieve() = default;
  // `capacity`: the most survivors of a frame that fit. `waves`: the rows of windows to judge, in whole
  // rows of tiles (`tile_rows`). Without waves, all windows are judged in one wave. kUsage for waves if
  // `tile_rows` is 0.
  virtual void plan(const LevelPlan& plan, int batch, int capacity, std::span<const Wave> waves = {}) = 0;
  // Sets the options of the searches that follow. Returns true if the sieve reads these options and they
  // changed. Graphs that hold the sieve's work must then be made anew.
  virtual bool set_options(const SieveOptions& /*options*/) { return false; }
  // `batch`: the number of frames, at most the number that was planned.
  void enqueue(const PyramidView& pyramid, int batch, cudaStream_t stream) const {
    clear(batch, stream);
    enqueue_wave(pyramid, batch, stream, kEveryWave);
  }
  // Judges one frame wave by wave: call `clear` first, then `enqueue_wave` for each wave, with the same
  // `batch`. Waves may come in any order and may overlap in time.
  void clear(int batch, cudaStream_t stream) const {
    check_cuda(cudaMemsetAsync(cleared_.data(), 0, (count_words(batch) + words(batch)) * sizeof(DeviceCount),
                               stream),
               "clearing counters");
  }
  virtual void enqueue_wave(const PyramidView& pyramid, int batch, cudaStream_t stream, int wave) const = 0;

  // For plans with waves: the number of rows of windows in a tile, on levels whose step is `step` (1 or 2). 0
  // if the sieve judges only whole levels. May be called before `plan`.
  virtual int tile_rows(int /*step*/) const { return 0; }

  // Whether a table must replace the pixels of frames first (`DeviceKind::table`).
  virtual bool wants_remapped_pixels() const { return false; }

  int stage_count() const { return static_cast<int>(counting_.weak.size()); }
  int counts_per_frame() const { return kReached + stage_count() + 1; }
  template <class Result>
  void read_counts(std::span<const DeviceCount> counts, const LevelPlan& plan, Result& result) const {
    winnow::read_counts(counts, counting_, plan, result);
  }
  int capacity() const { return capacity_; }
  // In device memory, frame after frame: `counts_per_frame()` counters, and `capacity()` survivors.
  const DeviceCount* counts() const { return cleared_.data(); }
  const Survivor* survivors() const { return survivors_.data(); }
  // Copies the first `count` survivors of a frame, and waits only for the copy. The search must have ended,
  // since the copy runs on another stream. `count` must not exceed `capacity()`.
  void copy_survivors(int frame, std::size_t count, std::vector<Survivor>& list) const {
    list.resize(count);
    if (count == 0) return;
    check_cuda(cudaMemcpy(list.data(), survivors() + static_cast<std::int64_t>(frame) * capacity_,
                          count * sizeof(Survivor), cudaMemcpyDeviceToHost),
               "copying survivors from the device");
  }

 protected:
  explicit DeviceSieve(const CascadeModel& model) : counting_(counting_of(model)) {}
  explicit DeviceSieve(CountsPerStage counting) : counting_(std::move(counting)) {}
  // The number of words that `clear` clears in addition to the counters of `batch` frames.
  virtual std::size_t words(int /*batch*/) const { return 0; }
  void plan_results(int batch, int capacity) {
    capacity_ = capacity;
    cleared_.reserve(count_words(batch) + words(batch));
    survivors_.reserve(static_cast<std::size_t>(batch) * static_cast<std::size_t>(capacity));
  }
  DeviceCount* first_word(int batch) const { return cleared_.data() + count_words(batch); }
  DeviceCount* counts_to_write() const { return cleared_.data(); }
  Survivor* survivors_to_write() const { return survivors_.data(); }

 private:
  std::size_t count_words(int batch) const {
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(counts_per_frame());
  }

  CountsPerStage counting_;
  int capacity_ = 0;
  DeviceBuffer<DeviceCount> cleared_;
  DeviceBuffer<Survivor> survivors_;
};

// Makes a tile sieve if a tile of the model fits a block's memory, else a plane sieve.
std::unique_ptr<DeviceSieve> make_device_sieve(const Cascade& cascade);
std::unique_ptr<DeviceSieve> make_tile_sieve(const Cascade& cascade);  // null if windows are too large
std::unique_ptr<DeviceSieve> make_plane_sieve(const Cascade& cascade);

// Makes a sieve that judges one picture at a time as if the picture were one of a batch of `frames` frames,
// on device `device`. The sieve waits for each step. The sieve is for tests and for callers that want
// survivors. The sieve reads colour views if `reads_color`.
std::unique_ptr<Sieve> make_blocking_sieve(const std::function<std::unique_ptr<DeviceSieve>()>& make_sieve,
                                           bool reads_color, int device, int frames = 1);

}  // namespace winnow
