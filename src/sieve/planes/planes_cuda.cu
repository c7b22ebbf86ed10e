// Judges windows, one per thread, with planes of whole levels in device memory. The opening comment of
// sieve/device_sieve_cuda.h, which declares this sieve, holds here.
#include <span>
#include <vector>

#include "sieve/device_sieve_cuda.h"
#include "sieve/planes/plane_windows_cuda.cuh"
#include "sieve/planes/window_cuda.cuh"

namespace winnow {
namespace {

constexpr int kThreads = 256;

__device__ std::uint32_t inner_sum(const PlaneJob& job, const std::uint8_t* plane, std::int64_t corner) {
  const PlaneWindow window{plane + corner, 1.f};
  return window.value(job.inner[0]) - window.value(job.inner[1]) - window.value(job.inner[2]) +
         window.value(job.inner[3]);
}

// Judges the first stage, one thread per window.
template <FeatureKind kKind, bool kTables>
__global__ void __launch_bounds__(kThreads) first_stage_kernel(const __grid_constant__ PlaneJob job) {
  const std::int64_t window = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (window >= job.windows) return;
  const std::int64_t corner = corner_of(job, window);
  WindowNorm norm{false, 1.f};
  if (job.flat_windows)
    norm = window_norm(job.area, inner_sum(job, job.sum, corner), inner_sum(job, job.square, corner));
  job.norms[window] = norm.factor;
  if (norm.flat) {
    job.verdicts[window] = Verdict::kFlat;
    return;
  }
  const TileStage& stage = job.stages[0];
  const PlaneWindow there{job.sum + corner, norm.factor};
  const double sum = plain_stage_sum<kKind, kTables>(job.model, stage, there);
  job.verdicts[window] = stage_rejects(sum, stage.limit) ? Verdict::kRejected : Verdict::kAlive;
}

// Decides which windows are skipped, one thread per row of windows. `kFixedPoint`: also counts the windows
// that the first stage rejects.
template <bool kFixedPoint>
__global__ void __launch_bounds__(kThreads) skip_kernel(const __grid_constant__ PlaneJob job) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= job.rows) return;
  const PlaneLevel& level = level_of(job, row, [](const PlaneLevel& l) { return l.first_row; });
  Verdict* verdicts = job.verdicts + level.first_window + (row - level.first_row) * level.cols;
  DeviceCount skipped = 0, flat = 0, entered = 0, rejected = 0;
  bool skip = false;
  for (int col = 0; col < level.cols; ++col) {
    if (skip) {
      ++skipped;
      verdicts[col] = Verdict::kSkipped;
      skip = false;
      continue;
    }
    if (verdicts[col] == Verdict::kFlat) {
      ++flat;
    } else {
      ++entered;
    }
    if (kFixedPoint && verdicts[col] == Verdict::kRejected) ++rejected;
    skip = job.skips && verdicts[col] == Verdict::kRejected;
  }
  atomicAdd(&job.counts[kSkipped], skipped);
  atomicAdd(&job.counts[kFlat], flat);
  atomicAdd(&job.counts[kReached], entered);
  if constexpr (kFixedPoint) atomicAdd(&job.counts[kReached + 1], rejected);
}

__device__ void keep_window(const PlaneJob& job, std::int64_t number, double score) {
  const DeviceCount slot = atomicAdd(&job.counts[kFound], DeviceCount{1});
  if (slot < static_cast<DeviceCount>(job.capacity)) job.survivors[slot] = {number, score};
}

// Judges all stages but the first, one thread per window.
template <FeatureKind kKind>
__global__ void __launch_bounds__(kThreads) later_stages_kernel(const __grid_constant__ PlaneJob job) {
  const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (number >= job.windows || job.verdicts[number] != Verdict::kAlive) return;
  const PlaneWindow window{job.sum + corner_of(job, number), job.norms[number]};
  double sum = 0;
  // If the cascade has one stage, that stage is judged again for the score.
  for (int s = job.stage_count > 1 ? 1 : 0; s < job.stage_count; ++s) {
    const TileStage& stage = job.stages[s];
    if (s > 0) atomicAdd(&job.counts[kReached + s], DeviceCount{1});
    sum = plain_stage_sum<kKind>(job.model, stage, window);
    if (stage_rejects(sum, stage.limit)) return;
  }
  atomicAdd(&job.counts[kReached + job.stage_count], DeviceCount{1});
  keep_window(job, number, sum);
}

// Judges all stages of a fixed-point cascade, one thread per living window. The sum may continue from stage
// to stage.
template <FeatureKind kKind, bool kTables>
__global__ void __launch_bounds__(kThreads) fixed_stages_kernel(const __grid_constant__ PlaneJob job) {
  const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (number >= job.windows || job.verdicts[number] != Verdict::kAlive) return;
  const PlaneWindow window{job.sum + corner_of(job, number), job.norms[number]};
  double sum = 0;
  for (int s = 0; s < job.stage_count; ++s) {
    const TileStage& stage = job.stages[s];
    sum = plain_stage_sum<kKind, kTables>(job.model, stage, window, job.running ? sum : 0);
    if (!stage_rejects(sum, stage.limit)) continue;
    atomicAdd(&job.counts[kReached + 1 + s], DeviceCount{1});
    return;
  }
  keep_window(job, number, sum);
}

using PlaneKernel = void (*)(PlaneJob);
PlaneKernel later_kernel(const CascadeModel& model) {
  const bool haar = model.kind == FeatureKind::kHaar;
  if (!model.fixed_point())
    return haar ? later_stages_kernel<FeatureKind::kHaar> : later_stages_kernel<FeatureKind::kLbp>;
  if (!model.tables.empty()) return fixed_stages_kernel<FeatureKind::kHaar, true>;
  return haar ? fixed_stages_kernel<FeatureKind::kHaar, false>
              : fixed_stages_kernel<FeatureKind::kLbp, false>;
}

unsigned blocks_for(std::int64_t threads) {
  return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

// Judges frame after frame, with planes of all levels of one frame in memory.
class PlaneSieve final : public DeviceSieve {
 public:
  explicit PlaneSieve(const Cascade& cascade)
      : DeviceSieve(cascade.model()), later_kernel_(later_kernel(cascade.model())), windows_(cascade) {}

  void plan(const LevelPlan& plan, int batch, int capacity, std::span<const Wave> waves) override {
    if (!waves.empty()) throw Error(ErrorCode::kUsage, "planes are judged whole");
    windows_.plan_planes(plan, planes_);
    windows_.plan(plan, planes_);
    verdicts_.reserve(static_cast<std::size_t>(plan.window_count));
    norms_.reserve(static_cast<std::size_t>(plan.window_count));
    plan_results(batch, capacity);
  }

  void enqueue_wave(const PyramidView& pyramid, int batch, cudaStream_t stream, int /*wave*/) const override {
    PlaneJob job = windows_.job();
    if (job.windows == 0) return;
    for (int frame = 0; frame < batch; ++frame) {
      planes_.enqueue(pyramid, frame, stream);
      job.sum = reinterpret_cast<const std::uint8_t*>(planes_.sum());
      job.square = reinterpret_cast<const std::uint8_t*>(planes_.square());
      job.verdicts = verdicts_.data();
      job.norms = norms_.data();
      job.counts = counts_to_write() + static_cast<std::int64_t>(frame) * counts_per_frame();
      job.survivors = survivors_to_write() + static_cast<std::int64_t>(frame) * capacity();
      job.capacity = capacity();
      windows_.enqueue_first_stage(job, stream);
      later_kernel_<<<blocks_for(job.windows), kThreads, 0, stream>>>(job);
      check_launch("launching the windows' later stages");
    }
  }

 private:
  PlaneKernel later_kernel_;
  PlaneWindows windows_;
  LevelPlanes planes_;
  DeviceBuffer<Verdict> verdicts_;
  DeviceBuffer<float> norms_;
};

}  // namespace

PlaneWindows::PlaneWindows(const Cascade& cascade) : cascade_(cascade) {
  const CascadeModel& model = cascade.model();
  std::vector<TileStage> stages;
  for (const Stage& stage : model.stages) {
    TileStage to{};
    to.first_tree = stage.first_tree;
    to.tree_count = stage.tree_count;
    to.limit = stage_limit(stage, model.rules);
    stages.push_back(to);
  }
  upload(std::span<const TileStage>(stages), stages_);
  tilted_ = model.tilted();
  job_.stages = stages_.data();
  job_.stage_count = static_cast<std::int32_t>(stages.size());
  job_.flat_windows = model.rules.flat == FlatRule::kOpenCvVariance;
  job_.skips = model.rules.skip_after_first_stage_reject;
  job_.running = model.rules.sum == SumRule::kRunning;
  job_.area = static_cast<double>(model.window.width - 2) * (model.window.height - 2);
}

void PlaneWindows::plan_planes(const LevelPlan& plan, LevelPlanes& planes) const {
  planes.plan(plan, job_.flat_windows, tilted_);
}

// All rows of planes are as long as the rows of the widest level, so that a feature has the same corner
// offsets in all levels.
void PlaneWindows::plan(const LevelPlan& plan, const LevelPlanes& planes) {
  std::vector<PlaneLevel> levels;
  std::int64_t rows = 0;
  for (const Level& level : plan.levels) {
    const std::int64_t first_row = planes.first_row(levels.size()) + level.corner.y;
    levels.push_back(
        {level.first_window, rows, 4 * first_row * planes.stride(), level.cols, level.rows, level.step});
    rows += level.rows;
  }
  upload(std::span<const PlaneLevel>(levels), levels_);
  const CascadeModel& model = cascade_.model();
  const auto place = [&](int x, int y, bool tilted) {
    return 4 * (y * planes.stride() + x + (tilted ? planes.tilted_at() : 0));
  };
  const CornerOffsets corners[1] = {corner_offsets(model, place)};
  model_.load(model, corners);
  const int right = model.window.width - 1, bottom = model.window.height - 1;
  job_.inner[0] = place(1, 1, false);
  job_.inner[1] = place(right, 1, false);
  job_.inner[2] = place(1, bottom, false);
  job_.inner[3] = place(right, bottom, false);
  job_.model = model_.view(0);
  job_.levels = levels_.data();
  job_.level_count = static_cast<std::int32_t>(levels.size());
  job_.windows = plan.window_count;
  job_.rows = rows;
  job_.stride = planes.stride();
}

void PlaneWindows::enqueue_first_stage(const PlaneJob& job, cudaStream_t stream) const {
  const CascadeModel& model = cascade_.model();
  const PlaneKernel first = !model.tables.empty()              ? first_stage_kernel<FeatureKind::kHaar, true>
                            : model.kind == FeatureKind::kHaar ? first_stage_kernel<FeatureKind::kHaar, false>
                                                               : first_stage_kernel<FeatureKind::kLbp, false>;
  const PlaneKernel skip = model.fixed_point() ? skip_kernel<true> : skip_kernel<false>;
  first<<<blocks_for(job.windows), kThreads, 0, stream>>>(job);
  skip<<<blocks_for(job.rows), kThreads, 0, stream>>>(job);
  check_launch("launching the windows' first stage");
}

std::unique_ptr<DeviceSieve> make_plane_sieve(const Cascade& cascade) {
  return std::make_unique<PlaneSieve>(cascade);
}

}  // namespace winnow
