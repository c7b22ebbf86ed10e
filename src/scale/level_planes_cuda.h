// Makes integral planes of all levels of one frame on a device, for windows that are too large for tiles.
//
// In:     a level plan, and a batch's levels (`PyramidView`), from which one frame is taken.
// Out:    planes of that frame in device memory. All levels lie one below the other in rows of `stride`
//         values. A row holds the sums, then the tilted sums if planned. Squared sums have a plane of their
//         own with the same rows.
// Exact:  values as `integral.h` defines them.
// Memory: `LevelPlanes` owns the planes. `plan` allocates them, waits, and does not keep the level plan.
//         `enqueue` allocates nothing and does not wait. Pointers to planes live until the next `plan`.
// Thread: one thread at a time. No two runs may overlap on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/device/cuda_memory.h"
#include "scale/integral_cuda.h"
#include "scale/plan.h"
#include "scale/pyramid_cuda.h"

namespace winnow {

class LevelPlanes {
 public:
  void plan(const LevelPlan& plan, bool square, bool tilted);
  void enqueue(const PyramidView& pyramid, int frame, cudaStream_t stream) const;

  std::int32_t stride() const { return stride_; }
  // The number of values from a sum to the tilted sum of the same corner.
  std::int32_t tilted_at() const { return width_; }
  std::int64_t first_row(std::size_t level) const { return first_rows_[level]; }
  const std::uint32_t* sum() const { return sum_.data(); }
  const std::uint32_t* square() const { return square_.data(); }

 private:
  bool with_tilted_ = false;
  std::int32_t width_ = 0, stride_ = 0, levels_ = 0;
  std::vector<std::int64_t> first_rows_;
  DeviceIntegral integral_;
  DeviceBuffer<std::int64_t> first_rows_on_device_;
  DeviceBuffer<std::uint32_t> sum_, square_, diagonals_;
};

}  // namespace winnow
