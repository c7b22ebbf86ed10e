// Recognises the 68 points of iBUG's scheme, and the five points of eye corners and nose, by where they lie.
//
// In:     a normal shape (mean_points.h), however turned.
// Out:    names of the points, if their places leave no doubt.
// Exact:  doubles in a fixed order.
// Memory: the caller owns the names.
// Thread: any.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>

namespace winnow {

// Empty if the shape is not certain to be one of these: 68 points in iBUG's order, the points 36, 39, 42,
// 45, 33 of them, or 45, 42, 36, 39, 33 as in dlib's model of five points.
std::vector<std::string> names_of_shape(std::span<const Point> shape);

}  // namespace winnow
