// Fits shapes whose pictures lie on a device, without the host in between.
//
// In:     a program on the device, and tasks and their number in device memory, so that earlier work on the
//         stream may make them.
// Out:    coordinates and confidence, as `FittedShapes` holds them, in device memory.
// Exact:  the bits of `make_shape_fitter_ref`.
// Memory: a `DeviceShapeProgram` owns its lists on the device. Everything else belongs to the caller and must
//         stay until the work is done.
// Thread: one thread at a time. The device that was current at construction must be current.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "base/device/cuda_memory.h"
#include "shape/shape_program.h"
#include "shape/shape_rule.h"

namespace winnow {

// Pixels of a picture, from `left` to before `right` and from `top` to before `bottom`.
struct PixelWindow {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// A box to fit. A window of its picture, or the whole picture, lies in device memory.
struct DeviceShapeTask {
  // Where pixel (0, 0) would lie; it may be outside the window's copy. Null: the task is left out, and its
  // results are not written.
  const std::uint8_t* pixels = nullptr;
  std::int64_t stride = 0;
  int width = 0, height = 0;
  PixelWindow there;
  ShapeBox box;
};

// `TreeProgram` in device memory.
struct DeviceTrees {
  int stages = 0, trees = 0, pixels = 0, depth = 0, values = 0, pitch = 0;
  const std::uint16_t* point = nullptr;
  const float *x = nullptr, *y = nullptr;
  const VisitSplit* splits = nullptr;
  const float* floats = nullptr;
  const std::int16_t* numbers = nullptr;
  const std::int8_t* small = nullptr;
  const std::int32_t* sum_bits = nullptr;  // for each stage, the bits that `TreeProgram::sum_bits` gives
  const std::int16_t* basis = nullptr;
};

// `ShapeProgram` in device memory.
struct DeviceShapeView {
  int points = 0;
  bool fixed_point = false, turned = false, has_confidence = false;
  const float* float_start = nullptr;
  const double* float_centred = nullptr;
  double float_spread = 0;
  const std::int32_t* fixed_start = nullptr;
  const std::int64_t* fixed_centred = nullptr;
  std::int64_t fixed_spread = 0;
  DeviceTrees trees, confidence;
};

class DeviceShapeProgram {
 public:
  explicit DeviceShapeProgram(const ShapeProgram& program);

  // Where a fit's results go. All lists may lie in memory that host and device can both access.
  struct Results {
    double* coordinates = nullptr;
    std::int32_t* confidence = nullptr;  // may be null if the model has no confidence
    // Set to 1 for each task that read a pixel of its picture beyond its window. The results of such a task
    // are wrong, and the caller fits it once more. For other tasks nothing is written. Null if all windows
    // are whole pictures.
    std::int32_t* beyond = nullptr;
  };
  // Puts a fit of the first `*count` tasks on the stream. Results lie one after the other, in the order of
  // the tasks. At most `most` tasks run at once; a larger `*count` takes more time, and no more memory.
  void enqueue(const DeviceShapeTask* tasks, const int* count, int most, const Results& results,
               cudaStream_t stream) const;

  int points() const { return view_.points; }
  // How many sums the confidence of a task has.
  int sums() const { return view_.has_confidence ? view_.confidence.values : 0; }

 private:
  struct Trees {
    DeviceBuffer<std::uint16_t> point;
    DeviceBuffer<float> x, y, floats;
    DeviceBuffer<VisitSplit> splits;
    DeviceBuffer<std::int16_t> numbers, basis;
    DeviceBuffer<std::int8_t> small;
    DeviceBuffer<std::int32_t> sum_bits;
    DeviceTrees put(const TreeProgram& program);
  };

  // How a launch divides its work. `blocks`: how many blocks of threads fit one shape together. `rows`: how
  // many leaves of floats fit into one chunk of a block's ring. `block_bytes`: a block's shared memory.
  struct Ring {
    int blocks = 1, rows = 0, block_bytes = 0;
  };

  DeviceBuffer<float> float_start_;
  DeviceBuffer<double> float_centred_;
  DeviceBuffer<std::int32_t> fixed_start_;
  DeviceBuffer<std::int64_t> fixed_centred_;
  Trees trees_, confidence_;
  DeviceShapeView view_;
  Ring rings_[3];  // a ring for very few shapes, a ring for few, and a ring for many
  int processors_ = 0;
};

}  // namespace winnow
