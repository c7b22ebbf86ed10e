// Integral planes of all levels of one frame, for windows too large to be judged tile by tile; values as
// `integral.h` defines them. exact. Planes of all levels lie one below the other, in rows of `stride` values:
// sums first, then, where wanted, tilted sums; squared sums in a plane of their own with the same rows. Owns
// its memory, asked for by `plan`, which waits; `enqueue` asks for none and does not wait.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cuda_memory.h"
#include "scale/integral_cuda.h"
#include "scale/plan.h"
#include "scale/pyramid_cuda.h"

namespace winnow {

class LevelPlanes {
 public:
  void plan(const LevelPlan& plan, bool square, bool tilted);
  void enqueue(const PyramidView& pyramid, int frame, cudaStream_t stream) const;

  std::int32_t stride() const { return stride_; }
  std::int32_t tilted_at() const { return width_; }  // values from a sum to the tilted sum of the same corner
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
