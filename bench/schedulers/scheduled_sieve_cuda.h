// Runs a batch of frames through a cascade, with the later stages under a chosen scheduler.
//
// In:     the levels of each frame in device memory.
// Out:    counts and survivors of each frame, and the depth of each window, to compare with the result of
//         Winnow's own sieve.
// Exact:  the same result under every scheduler. `difference` finds a scheduler's mistake.
// Memory: owns all planes of all frames, 2 to 3 times 4 bytes per pixel of a level. `plan` allocates them.
// Thread: one thread at a time. The device that was current at construction must be current.
//
// The caller enqueues the planes, the first stage and a scheduler, in this order. Each of the three may be
// repeated. The schedulers are those of `schedulers_cuda.cuh`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sieve/device_sieve_cuda.h"

namespace bench {

enum class Scheduler { kStatic, kPersistent, kQueue, kRepack };
constexpr Scheduler kSchedulers[] = {Scheduler::kStatic, Scheduler::kPersistent, Scheduler::kQueue,
                                     Scheduler::kRepack};
const char* scheduler_name(Scheduler scheduler);

struct ScheduleOptions {
  // For `queue`: if at most this many of a warp's 32 windows are left, the whole warp judges one window after
  // the other; 0 to 32.
  int lanes = 8;
  int chunk = 3;  // for `repack`: stages between two queues; at least 1
  // For `repack`: once there are at most this many windows per warp of the device, each window gets a warp; 0
  // to 4096.
  int late = 8;
};

struct SiftedFrame {
  std::vector<winnow::DeviceCount> counts;  // in the order of a `DeviceSieve`
  std::vector<winnow::Survivor> survivors;  // in rising window order
};
struct SiftedBatch {
  std::vector<SiftedFrame> frames;
  std::vector<std::uint8_t> depths;  // number of stages that each window of the batch passed; may be empty
};
// Waits for the device.
SiftedBatch sifted_of(const winnow::DeviceSieve& sieve, int batch);
// Describes the first difference, with the window's number if the difference concerns one window. Empty if
// there is no difference.
std::string difference(const SiftedBatch& got, const SiftedBatch& wanted);

class ScheduledSieve {
 public:
  ScheduledSieve(const winnow::Cascade& cascade, const ScheduleOptions& options);
  ~ScheduledSieve();
  void plan(const winnow::LevelPlan& plan, int batch, int capacity);
  void enqueue_planes(const winnow::PyramidView& pyramid, cudaStream_t stream) const;
  void enqueue_first_stage(cudaStream_t stream) const;
  void enqueue(Scheduler scheduler, cudaStream_t stream) const;
  // Clears the last result, runs the first stage and a scheduler, and waits for the device.
  SiftedBatch run(Scheduler scheduler, cudaStream_t stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench
