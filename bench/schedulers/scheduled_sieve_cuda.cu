#include "schedulers/scheduled_sieve_cuda.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "schedulers/schedulers_cuda.cuh"

namespace bench {
namespace {

unsigned blocks_for(std::uint32_t threads) { return (threads + kThreads - 1) / kThreads; }

template <class Kernel>
unsigned blocks_that_fill(Kernel kernel) {
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, 0),
             "asking how many blocks fit");
  return static_cast<unsigned>(blocks * current_processors());
}

// The kernels for a kind of features, and the number of blocks that fill the device.
struct Kernels {
  void (*fixed)(BatchJob);
  void (*persistent)(BatchJob);
  void (*queue)(BatchJob);
  void (*repack)(BatchJob, StageChunk);
  unsigned persistent_blocks, queue_blocks, repack_blocks;
};
template <FeatureKind kKind>
Kernels kernels_of() {
  return {static_kernel<kKind>,
          persistent_kernel<kKind>,
          queue_kernel<kKind>,
          repack_kernel<kKind>,
          blocks_that_fill(persistent_kernel<kKind>),
          blocks_that_fill(queue_kernel<kKind>),
          blocks_that_fill(repack_kernel<kKind>)};
}

template <class T>
std::vector<T> download(const T* from, std::size_t count) {
  std::vector<T> list(count);
  check_cuda(cudaMemcpy(list.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost),
             "copying from the device");
  return list;
}

std::string in_frame(std::size_t frame) { return " of frame " + std::to_string(frame); }

// Describes the first window that only one of the two lists has, or whose scores differ. Empty if there is
// none.
std::string survivor_difference(const SiftedFrame& got, const SiftedFrame& wanted) {
  const auto [g, w] = std::mismatch(got.survivors.begin(), got.survivors.end(), wanted.survivors.begin(),
                                    wanted.survivors.end());
  const bool got_one = g != got.survivors.end(), wanted_one = w != wanted.survivors.end();
  if (!got_one && !wanted_one) return {};
  if (got_one && (!wanted_one || g->window < w->window))
    return "window " + std::to_string(g->window) + " should not survive";
  if (!got_one || w->window < g->window) return "window " + std::to_string(w->window) + " should survive";
  return "window " + std::to_string(g->window) + " has score " + std::to_string(g->score) + " instead of " +
         std::to_string(w->score);
}

}  // namespace

const char* scheduler_name(Scheduler scheduler) {
  constexpr const char* kNames[] = {"static", "persistent", "queue", "repack"};
  return kNames[static_cast<int>(scheduler)];
}

SiftedBatch sifted_of(const DeviceSieve& sieve, int batch) {
  check_cuda(cudaDeviceSynchronize(), "judging windows");
  SiftedBatch sifted;
  std::vector<Survivor> spare;
  const auto per_frame = static_cast<std::size_t>(sieve.counts_per_frame());
  for (int frame = 0; frame < batch; ++frame) {
    SiftedFrame& of = sifted.frames.emplace_back();
    of.counts = download(sieve.counts() + static_cast<std::size_t>(frame) * per_frame, per_frame);
    const auto room = static_cast<DeviceCount>(sieve.capacity());
    sieve.copy_survivors(frame, static_cast<std::size_t>(std::min(of.counts[kFound], room)), of.survivors);
    sort_survivors(of.survivors, spare);
  }
  return sifted;
}

std::string difference(const SiftedBatch& got, const SiftedBatch& wanted) {
  if (!got.depths.empty() && !wanted.depths.empty()) {
    const auto [g, w] =
        std::mismatch(got.depths.begin(), got.depths.end(), wanted.depths.begin(), wanted.depths.end());
    if (g != got.depths.end()) {
      const std::size_t windows = got.depths.size() / got.frames.size();
      const auto number = static_cast<std::size_t>(g - got.depths.begin());
      return "window " + std::to_string(number % windows) + in_frame(number / windows) + " passed " +
             std::to_string(*g) + " stages instead of " + std::to_string(*w);
    }
  }
  for (std::size_t frame = 0; frame < wanted.frames.size(); ++frame) {
    const SiftedFrame &g = got.frames[frame], &w = wanted.frames[frame];
    if (const std::string survivors = survivor_difference(g, w); !survivors.empty())
      return survivors + in_frame(frame);
    for (std::size_t i = 0; i < w.counts.size(); ++i) {
      if (g.counts[i] != w.counts[i])
        return "count " + std::to_string(i) + in_frame(frame) + " is " + std::to_string(g.counts[i]) +
               " instead of " + std::to_string(w.counts[i]);
    }
  }
  return {};
}

struct ScheduledSieve::State {
  ScheduleOptions options;
  Kernels kernels;
  PlaneWindows layout;
  DeviceBuffer<TileStage> stages;
  BatchJob job{};
  int batch = 0, counts_per_frame = 0;
  std::vector<LevelPlanes> planes;  // one for each frame
  DeviceBuffer<const std::uint8_t*> sums;
  DeviceBuffer<Verdict> verdicts;
  DeviceBuffer<float> norms;
  DeviceBuffer<DeviceCount> counts;
  DeviceBuffer<Survivor> survivors;
  DeviceBuffer<std::uint8_t> depths;
  // Counters that are cleared before each run: windows that were taken, survivors of each frame, and windows
  // in each queue.
  DeviceBuffer<unsigned> tallies;
  std::size_t tally_count = 0;
  DeviceBuffer<LiveWindow> queues[2];

  State(const Cascade& cascade, const ScheduleOptions& wanted)
      : options(wanted),
        kernels(cascade.model().kind == FeatureKind::kHaar ? kernels_of<FeatureKind::kHaar>()
                                                           : kernels_of<FeatureKind::kLbp>()),
        layout(cascade) {
    job.plane = layout.job();
    if (cascade.model().fixed_point())
      throw std::runtime_error("schedulers have no running sums and no tables");
    if (job.plane.stage_count >= 255) throw std::runtime_error("a depth is a byte: too many stages");
    // The device program says in which stages a warp may add in any order. The program is made for tiles of
    // any size. Without a program, warps add in the file's order.
    DeviceProgram program;
    if (make_device_program(cascade.model(), 1 << 30, program))
      upload(std::span<const TileStage>(program.stages), stages);
    job.first_stage = job.plane.stage_count > 1 ? 1 : 0;
    job.lanes = options.lanes;
    job.late = static_cast<std::uint32_t>(options.late);
    counts_per_frame = kReached + job.plane.stage_count + 1;
  }

  void plan(const LevelPlan& plan, int frames, int capacity) {
    batch = frames;
    const std::int64_t windows = plan.window_count * frames;
    if (windows >= std::int64_t{1} << 31) throw std::runtime_error("a batch of 2^31 windows or more");
    planes.resize(static_cast<std::size_t>(frames));
    std::vector<const std::uint8_t*> list;
    for (LevelPlanes& of_frame : planes) {
      layout.plan_planes(plan, of_frame);
      list.push_back(reinterpret_cast<const std::uint8_t*>(of_frame.sum()));
    }
    layout.plan(plan, planes.front());
    upload(std::span<const std::uint8_t* const>(list), sums);
    const auto count = static_cast<std::size_t>(windows), in_batch = static_cast<std::size_t>(frames);
    verdicts.reserve(count);
    norms.reserve(count);
    depths.reserve(count);
    for (auto& queue : queues) queue.reserve(count);
    counts.reserve(in_batch * static_cast<std::size_t>(counts_per_frame));
    survivors.reserve(in_batch * static_cast<std::size_t>(capacity));
    tally_count = 1 + in_batch + static_cast<std::size_t>(job.plane.stage_count) + 1;
    tallies.reserve(tally_count);
    job.plane = layout.job();
    if (stages.size() > 0) job.plane.stages = stages.data();
    job.plane.verdicts = verdicts.data();
    job.plane.norms = norms.data();
    job.plane.survivors = survivors.data();
    job.plane.capacity = capacity;
    job.sums = sums.data();
    job.windows = static_cast<std::uint32_t>(windows);
    job.frame_windows = static_cast<std::uint32_t>(plan.window_count);
    job.depths = depths.data();
    job.taken = tallies.data();
    job.found = tallies.data() + 1;
  }

  void enqueue_repack(cudaStream_t stream) const {
    unsigned* length = tallies.data() + 1 + batch;  // length of the queue that is read
    enter_kernel<<<blocks_for(job.windows), kThreads, 0, stream>>>(job, queues[0].data(), length);
    int from = 0;  // index of the queue that is read
    for (int stage = job.first_stage; stage < job.plane.stage_count; stage += options.chunk) {
      const StageChunk chunk{stage,
                             std::min(stage + options.chunk, job.plane.stage_count),
                             queues[from].data(),
                             length,
                             queues[from ^ 1].data(),
                             length + 1};
      kernels.repack<<<kernels.repack_blocks, kThreads, 0, stream>>>(job, chunk);
      from ^= 1;
      ++length;
    }
  }
};

ScheduledSieve::ScheduledSieve(const Cascade& cascade, const ScheduleOptions& options)
    : state_(std::make_unique<State>(cascade, options)) {}
ScheduledSieve::~ScheduledSieve() = default;

void ScheduledSieve::plan(const LevelPlan& plan, int batch, int capacity) {
  state_->plan(plan, batch, capacity);
}

void ScheduledSieve::enqueue_planes(const PyramidView& pyramid, cudaStream_t stream) const {
  for (int frame = 0; frame < state_->batch; ++frame)
    state_->planes[static_cast<std::size_t>(frame)].enqueue(pyramid, frame, stream);
}

void ScheduledSieve::enqueue_first_stage(cudaStream_t stream) const {
  const State& s = *state_;
  check_cuda(cudaMemsetAsync(s.counts.data(), 0, s.counts.size() * sizeof(DeviceCount), stream),
             "clearing counters");
  for (int frame = 0; frame < s.batch; ++frame) {
    const LevelPlanes& planes = s.planes[static_cast<std::size_t>(frame)];
    PlaneJob job = s.job.plane;
    job.sum = reinterpret_cast<const std::uint8_t*>(planes.sum());
    job.square = reinterpret_cast<const std::uint8_t*>(planes.square());
    job.verdicts += frame * job.windows;
    job.norms += frame * job.windows;
    job.counts = s.counts.data() + frame * s.counts_per_frame;
    s.layout.enqueue_first_stage(job, stream);
  }
}

void ScheduledSieve::enqueue(Scheduler scheduler, cudaStream_t stream) const {
  const State& s = *state_;
  check_cuda(cudaMemsetAsync(s.tallies.data(), 0, s.tally_count * sizeof(unsigned), stream),
             "clearing tallies");
  switch (scheduler) {
    case Scheduler::kStatic:
      s.kernels.fixed<<<blocks_for(s.job.windows), kThreads, 0, stream>>>(s.job);
      break;
    case Scheduler::kPersistent:
      s.kernels.persistent<<<s.kernels.persistent_blocks, kThreads, 0, stream>>>(s.job);
      break;
    case Scheduler::kQueue:
      s.kernels.queue<<<s.kernels.queue_blocks, kThreads, 0, stream>>>(s.job);
      break;
    case Scheduler::kRepack:
      s.enqueue_repack(stream);
      break;
  }
  check_launch("launching a scheduler");
}

SiftedBatch ScheduledSieve::run(Scheduler scheduler, cudaStream_t stream) const {
  const State& s = *state_;
  check_cuda(cudaMemsetAsync(s.depths.data(), 0, s.job.windows, stream), "clearing depths");
  enqueue_first_stage(stream);
  enqueue(scheduler, stream);
  check_cuda(cudaStreamSynchronize(stream), "judging windows");
  SiftedBatch sifted;
  std::vector<Survivor> spare;
  sifted.depths = download(s.job.depths, s.job.windows);
  const std::vector<unsigned> found = download(s.job.found, static_cast<std::size_t>(s.batch));
  const auto per_frame = static_cast<std::size_t>(s.counts_per_frame),
             stages = static_cast<std::size_t>(s.job.plane.stage_count);
  for (std::size_t frame = 0; frame < found.size(); ++frame) {
    SiftedFrame& of = sifted.frames.emplace_back();
    of.counts = download(s.counts.data() + frame * per_frame, per_frame);
    of.counts[kFound] = found[frame];
    DeviceCount passed[256] = {};  // number of windows that passed exactly this many stages
    for (std::size_t i = 0; i < s.job.frame_windows; ++i)
      ++passed[sifted.depths[frame * s.job.frame_windows + i]];
    DeviceCount reached = 0;
    for (std::size_t stage = stages; stage > 0; --stage)
      of.counts[kReached + stage] = reached += passed[stage];
    const auto capacity = static_cast<std::size_t>(s.job.plane.capacity);
    of.survivors =
        download(s.job.plane.survivors + frame * capacity, std::min<std::size_t>(found[frame], capacity));
    sort_survivors(of.survivors, spare);
  }
  return sifted;
}

}  // namespace bench
