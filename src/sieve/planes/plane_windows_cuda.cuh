// Places the windows of a frame in planes of whole levels in device memory, and runs their first stage and
// the skip along rows (`skip_rule.h`).
//
// In:     the planes of `LevelPlanes`, and a plan.
// Out:    a verdict and a norm for each window, and the counters up to the first stage.
// Exact:  as the reference, bit for bit.
// Memory: `PlaneWindows` owns the arrays that are the same for all frames of a plan. The constructor and
//         `plan` allocate these arrays; `enqueue_first_stage` allocates nothing. Planes, verdicts, norms,
//         counters and survivors are the caller's. Pointers in `job()` live until the next `plan`.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <winnow/cascade.h>

#include "base/device/cuda_memory.h"
#include "scale/level_planes_cuda.h"
#include "scale/plan.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/planes/model_cuda.h"
#include "sieve/tiles/tile_program.h"

namespace winnow {

enum class Verdict : std::uint8_t { kFlat, kRejected, kAlive, kSkipped };

struct PlaneLevel {
  std::int64_t first_window, first_row;  // `first_row`: a row of windows, counted through all levels
  std::int64_t planes;                   // bytes from the start of each plane to the first window's corner
  std::int32_t cols, rows, step;
};

struct PlaneJob {
  ModelView model;
  const TileStage* stages;
  std::int32_t stage_count, level_count;
  const PlaneLevel* levels;
  std::int64_t windows, rows;
  std::int32_t inner[4];
  double area;
  bool flat_windows, skips, running;
  std::int32_t stride;
  // The caller's memory:
  const std::uint8_t *sum, *square;
  Verdict* verdicts;
  float* norms;
  DeviceCount* counts;
  Survivor* survivors;
  std::int32_t capacity;
};

class PlaneWindows {
 public:
  explicit PlaneWindows(const Cascade& cascade);
  // Plans the planes of a frame. All frames have the same layout.
  void plan_planes(const LevelPlan& plan, LevelPlanes& planes) const;
  void plan(const LevelPlan& plan, const LevelPlanes& planes);
  const PlaneJob& job() const { return job_; }
  void enqueue_first_stage(const PlaneJob& job, cudaStream_t stream) const;

 private:
  Cascade cascade_;
  bool tilted_ = false;
  PlaneJob job_{};
  DeviceModel model_;
  DeviceBuffer<TileStage> stages_;
  DeviceBuffer<PlaneLevel> levels_;
};

// The level that holds the window (or row) of number `at`. `place` gives the number of a level's first window
// (or row).
template <class Place>
__device__ const PlaneLevel& level_of(const PlaneJob& job, std::int64_t at, Place place) {
  int low = 0, high = job.level_count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (place(job.levels[middle]) <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return job.levels[low];
}

struct PlaneWindow {
  const std::uint8_t* at;
  float norm;
  __device__ std::uint32_t value(std::int32_t offset) const {
    return *reinterpret_cast<const std::uint32_t*>(at + offset);
  }
};

// The place of a window's corner, in bytes from the first byte of a plane.
inline __device__ std::int64_t corner_of(const PlaneJob& job, std::int64_t window) {
  const PlaneLevel& level = level_of(job, window, [](const PlaneLevel& l) { return l.first_window; });
  const std::int64_t inside = window - level.first_window;
  const std::int64_t row = inside / level.cols, col = inside % level.cols;
  return level.planes + 4 * (row * level.step * job.stride + col * level.step);
}

}  // namespace winnow
