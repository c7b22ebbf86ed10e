// Fits shapes of landmarks into boxes of pictures.
//
// In:     a program (`shape_program.h`), grey pictures in host memory, and boxes in them. Boxes may lie
//         anywhere.
// Out:    for each box the coordinates of its points, and sums for each point's confidence and for presence.
// Exact:  all fitters give the bits of the fitter of `reference`, for every number of threads and of boxes in
//         a call.
// Memory: a fitter owns its buffers. Pictures are read only during the call. Results belong to the caller,
//         and a call reuses their memory.
// Thread: one thread at a time for each fitter.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <winnow/image.h>
#include <winnow/landmarks.h>

#include "shape/shape_program.h"
#include "shape/shape_rule.h"

namespace winnow {

// A box in one of the pictures of a call.
struct ShapeTask {
  int picture = 0;
  ShapeBox box;
};

// Results of tasks, one task after the other. `coordinates` has for each task the x of all points, then the y
// of all points, in box coordinates.
struct FittedShapes {
  std::vector<double> coordinates;
  // For each task, `ShapeProgram::confidence_values()` sums: one for each point, then one for presence if the
  // model has presence.
  std::vector<std::int32_t> confidence;
};

class ShapeFitter {
 public:
  virtual ~ShapeFitter() = default;
  virtual void fit(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks,
                   FittedShapes& shapes) = 0;
};

using SharedShapeProgram = std::shared_ptr<const ShapeProgram>;

// What a pipeline needs to fit points in the boxes that a detector finds.
struct ShapeMarks {
  SharedShapeProgram program;
  BoxPlace place;
};

std::unique_ptr<ShapeFitter> make_shape_fitter_ref(SharedShapeProgram program);
std::unique_ptr<ShapeFitter> make_shape_fitter_cpu(SharedShapeProgram program, int threads);
std::unique_ptr<ShapeFitter> make_shape_fitter_cuda(SharedShapeProgram program, int device);

}  // namespace winnow
