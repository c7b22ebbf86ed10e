// Decides which points of a label and of a shape are compared.
//
// In:     the numbers of points of a label and of a shape.
// Out:    pairs of points.
// Exact:  whole numbers.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstddef>

#include "truth/face_rule.h"

namespace winnow {

// The pairs of points that are compared. In pair `i`, `label(i)` and `shape(i)` are the numbers of the
// points. `count` is 0 if a label and a shape of these numbers of points cannot be compared.
struct ComparedPoints {
  std::size_t count = 0;
  bool five_of_label = false, five_of_shape = false;
  std::size_t label(std::size_t i) const { return five_of_label ? kFiveOf68[i] : i; }
  std::size_t shape(std::size_t i) const { return five_of_shape ? kFiveOf68[i] : i; }
};

inline ComparedPoints compared_points(std::size_t label, std::size_t shape) {
  if (label == shape) return {label, false, false};
  if (label == kAllPoints && shape == kFiveOf68.size()) return {shape, true, false};
  if (label == kFiveOf68.size() && shape == kAllPoints) return {label, false, true};
  return {};
}

}  // namespace winnow
