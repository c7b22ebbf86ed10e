// Says which pixels a stage reads, for the SIMD forms of `shape_fit_cpu.cpp`.
//
// In:     a stage of a program, the present shape, its turn, a box and a picture; all outlive the work.
// Thread: any.
#pragma once

#include <cstddef>

#include <winnow/image.h>

#include "shape/shape_program.h"
#include "shape/shape_rule.h"

namespace winnow {

struct PixelWork {
  const TreeProgram* trees;
  std::size_t first;   // index of the stage's first pixel
  const float* shape;  // x of all points, then y of all points
  std::size_t points;
  ShapeTurn turn;
  const ShapeBox* box;
  const GrayView* picture;
};

}  // namespace winnow
