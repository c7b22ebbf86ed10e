// A batch of frames through a cascade over planes in device memory, the later stages by a scheduler of one's
// choice (`schedulers_cuda.cuh`), and answers that can be held against the product's.
// In: the levels of each frame in device memory. The steps are enqueued in their order: planes, first stage,
// a scheduler; each may be repeated. exact, but for a scheduler's mistake, which is what `difference` is for.
// Owns its memory, asked for by `plan`: all planes of all frames at once, 2 to 3 times 4 bytes a pixel of a
// level.
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
  int lanes = 8;  // queue: with so many windows or fewer of 32 left, the warp works on them together; 0 to 32
  int group = 3;  // repack: stages between two queues; at least 1
  int late = 8;  // repack: with so many windows or fewer for a warp of the device, a warp a window; 0 to 4096
};

struct FrameAnswer {
  std::vector<winnow::DeviceCount> counts;  // as a `DeviceSieve` has them
  std::vector<winnow::Survivor> survivors;  // in the order of their windows
};
struct BatchAnswer {
  std::vector<FrameAnswer> frames;
  std::vector<std::uint8_t> depths;  // stages that each window of the batch passed; empty if not known
};
// Waits for the device.
BatchAnswer answer_of(const winnow::DeviceSieve& sieve, int batch);
// What differs first, with the number of its window where it is one window; empty if nothing does.
std::string difference(const BatchAnswer& got, const BatchAnswer& wanted);

class ScheduledSieve {
 public:
  ScheduledSieve(const winnow::Cascade& cascade, const ScheduleOptions& options);
  ~ScheduledSieve();
  void plan(const winnow::LevelPlan& plan, int batch, int capacity);
  void enqueue_planes(const winnow::PyramidView& pyramid, cudaStream_t stream) const;
  void enqueue_first_stage(cudaStream_t stream) const;
  void enqueue(Scheduler scheduler, cudaStream_t stream) const;
  // Runs the first stage and a scheduler, with nothing left of what ran before. Waits.
  BatchAnswer run(Scheduler scheduler, cudaStream_t stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench
