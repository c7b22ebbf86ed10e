// Decides which points of a label and of a shape are compared.
//
// In:     the schemes of labels and of a model, and their numbers of points.
// Out:    pairs of points.
// Exact:  whole numbers.
// Memory: the caller owns the lists.
// Thread: any.
#pragma once

#include <cstddef>
#include <vector>

#include <winnow/landmarks.h>

#include "truth/face_rule.h"

namespace winnow {

// The pairs of points that are compared: point `label[i]` of a label with point `shape[i]` of a shape. Both
// lists are empty if the points cannot be compared.
struct ComparedPoints {
  std::vector<std::size_t> label, shape;
  bool by_names = false;  // false: point 0 with point 0, and so on
  std::size_t count() const { return label.size(); }
};

// Points with the same name belong together. All names of the side with fewer points must be on the other
// side. If the sides share no name, or one has no names, equal numbers of points are compared in their
// order.
ComparedPoints compared_points(const PointScheme& labels, std::size_t label, const PointScheme& model,
                               std::size_t shape);

// The scheme of a model. A model without one is judged by its mean shape.
PointScheme scheme_of_model(const LandmarkModel& model);

// Throws kUsage if points that are compared in their order lie as no equal order can: the mean of the labels
// and the model's shape differ too much. `labels` and `shape` have equal numbers of points.
void check_same_order(std::span<const std::vector<Point>> labels, std::span<const Point> shape);

}  // namespace winnow
