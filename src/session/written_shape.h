// Writes a fitted shape as the caller gets it.
//
// In:     a model, the box of a fit, and the numbers of the fit (`FittedShapes`).
// Out:    points in pixels of the picture, and probabilities.
// Exact:  doubles in a fixed order, and the C library's exp.
// Memory: the caller's shape, whose memory is used again.
// Thread: any.
#pragma once

#include <cstddef>

#include <winnow/landmarker.h>

#include "shape/shape_fit.h"

namespace winnow {

// `task`: the shape's place in `from`.
void write_shape(const LandmarkModel& model, const ShapeBox& box, const FittedShapes& from, std::size_t task,
                 Shape& shape);

}  // namespace winnow
