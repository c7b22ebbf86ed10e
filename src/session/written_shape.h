// Converts a fitted shape into the form that the caller gets.
//
// In:     a model, the box of a fit, and the numbers of the fit (`FittedShapes`).
// Out:    points in pixels of the picture, and probabilities.
// Exact:  doubles in a fixed order, and the C library's exp.
// Memory: reuses the memory of the caller's shape.
// Thread: any.
#pragma once

#include <cstddef>

#include <winnow/landmarker.h>

#include "shape/shape_fit.h"

namespace winnow {

// `task`: the index of the shape in `from`.
void write_shape(const LandmarkModel& model, const ShapeBox& box, const FittedShapes& from, std::size_t task,
                 Shape& shape);

}  // namespace winnow
