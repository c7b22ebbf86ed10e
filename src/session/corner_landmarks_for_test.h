// Makes landmarks at the corners of the dark square in a box of `square_finder`. A fit does not move these
// points.
#pragma once

#include <utility>

#include <winnow/landmarks.h>

#include "model/landmarks/landmark_model.h"

namespace winnow::sample {

inline Landmarks corner_landmarks() {
  LandmarkModel model;
  model.mean = {{0.25F, 0.25F}, {0.75F, 0.25F}, {0.25F, 0.75F}, {0.75F, 0.75F}};
  model.trees = {1, 1, 1, 1, {{0, {0, 0}}}, {{0, 0, 0}}};
  model.fixed_leaves.values = 8;
  model.fixed_leaves.unit_bits = {0};
  model.fixed_leaves.numbers.assign(16, 0);
  model.detector = "face";  // so that `for_face_boxes` changes nothing
  return Landmarks(std::move(model));
}

}  // namespace winnow::sample
