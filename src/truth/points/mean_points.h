// Averages the points of many faces into one shape, and compares shapes.
//
// In:     points of faces, in pixels; all with the same number of points.
// Out:    a mean shape around (0, 0) whose points lie 1 from there in the root mean square; distances of
//         shapes.
// Exact:  doubles in the order of the faces.
// Memory: the caller owns the shapes.
// Thread: any.
#pragma once

#include <span>
#include <vector>

#include <winnow/box.h>

namespace winnow {

// Moves and scales the points as the opening comment says. Points in one place give an empty shape.
std::vector<Point> normal_shape(std::span<const Point> points);

// Turns each face to the mean before it counts, so that leaning faces do not blur the mean. The mean itself
// keeps the lean that faces have on average. Faces whose points lie in one place do not count. Empty if no
// face counts.
std::vector<Point> mean_of_faces(std::span<const std::vector<Point>> faces);

// The root mean square distance of two normal shapes, after the best rotation of one of them: 0 for equal
// shapes, up to 1.41. Both have the same number of points.
double shape_distance(std::span<const Point> a, std::span<const Point> b);

}  // namespace winnow
