// Makes models of landmarks with random trees, for tests.
//
// In:     sizes, and a seed.
// Out:    models that pass `check_landmarks`.
// Exact:  the same model for the same sizes and seed.
// Memory: a model belongs to the caller.
#pragma once

#include <winnow/landmarks.h>

#include <cstdint>
#include <random>

namespace winnow::sample {

struct LandmarkSizes {
  int points = 7, stages = 3, trees = 20, pixels = 50, depth = 3;
  int basis = 0;       // number of vectors; 0: no basis
  bool small = false;  // whether all numbers of leaves fit 8 bits
  bool turned = false;
  bool confidence = false;
  int confidence_trees = 0, confidence_pixels = 0;  // 0: as in the stages
  bool presence = false;                            // needs `confidence`
};

inline ShapeTrees random_trees(const LandmarkSizes& sizes, int stages, bool whole, std::mt19937& random) {
  ShapeTrees trees;
  trees.stages = stages;
  trees.trees = sizes.trees;
  trees.pixels = sizes.pixels;
  trees.depth = sizes.depth;
  std::uniform_real_distribution<float> offset(-0.3F, 0.3F), threshold(-60, 60);
  for (int i = 0; i < stages * sizes.pixels; ++i) {
    const auto point = static_cast<std::uint16_t>(random() % static_cast<unsigned>(sizes.points));
    const float x = offset(random);
    trees.pixel_list.push_back({point, {x, offset(random)}});
  }
  const std::size_t splits = trees.tree_count() * trees.splits_per_tree();
  for (std::size_t i = 0; i < splits; ++i) {
    const auto first = static_cast<std::uint16_t>(random() % static_cast<unsigned>(sizes.pixels));
    const auto second = static_cast<std::uint16_t>(random() % static_cast<unsigned>(sizes.pixels));
    const float at = threshold(random);
    trees.splits.push_back({first, second, whole ? static_cast<float>(static_cast<int>(at)) : at});
  }
  return trees;
}

inline FixedLeaves random_leaves(const ShapeTrees& trees, int values, int basis_outputs, bool small,
                                 std::mt19937& random) {
  FixedLeaves leaves;
  leaves.values = values;
  const int most = small ? 127 : 4000;
  std::uniform_int_distribution<int> number(-most, most), basis(-(1 << kBasisBits), 1 << kBasisBits);
  // In these units, the leaves of a stage move a point by some hundredths of the box.
  for (int stage = 0; stage < trees.stages; ++stage)
    leaves.unit_bits.push_back((small ? 13 : 18) + stage % 2);
  const std::size_t count = trees.tree_count() * trees.leaves_per_tree() * static_cast<std::size_t>(values);
  for (std::size_t i = 0; i < count; ++i) leaves.numbers.push_back(static_cast<std::int16_t>(number(random)));
  for (int i = 0; i < trees.stages * values * basis_outputs; ++i)
    leaves.basis.push_back(static_cast<std::int16_t>(basis(random) / 4));
  return leaves;
}

// If `fixed_point` is false, the leaves are floats, as in dlib's models.
inline LandmarkModel random_landmarks(const LandmarkSizes& sizes, bool fixed_point, unsigned seed) {
  std::mt19937 random(seed);
  LandmarkModel model;
  std::uniform_real_distribution<float> place(0, 1), leaf(-0.02F, 0.02F);
  for (int i = 0; i < sizes.points; ++i) {
    const float x = place(random);
    model.mean.push_back({x, place(random)});
  }
  model.trees = random_trees(sizes, sizes.stages, fixed_point, random);
  model.turned = sizes.turned;
  if (fixed_point) {
    const int values = sizes.basis > 0 ? sizes.basis : 2 * sizes.points;
    model.fixed_leaves =
        random_leaves(model.trees, values, sizes.basis > 0 ? 2 * sizes.points : 0, sizes.small, random);
  } else {
    const std::size_t count =
        model.trees.tree_count() * model.trees.leaves_per_tree() * 2 * static_cast<std::size_t>(sizes.points);
    for (std::size_t i = 0; i < count; ++i) model.float_leaves.push_back(leaf(random));
  }
  if (sizes.confidence) {
    PointConfidence& confidence = model.confidence.emplace();
    LandmarkSizes own = sizes;
    if (sizes.confidence_trees > 0) own.trees = sizes.confidence_trees;
    if (sizes.confidence_pixels > 0) own.pixels = sizes.confidence_pixels;
    confidence.trees = random_trees(own, 1, true, random);
    const int outputs = sizes.points + (sizes.presence ? 1 : 0);
    confidence.leaves = random_leaves(confidence.trees, outputs, 0, true, random);
    for (int i = 0; i < outputs; ++i) {
      confidence.slope.push_back(place(random) + 0.1F);
      confidence.shift.push_back(leaf(random));
    }
  }
  model.card.name = "points";
  model.card.kind = "face";
  return model;
}

// Landmarks for boxes of `square_finder`. Presence is high if the middle of the box is less than 170 grey
// levels darker than the first corner.
inline Landmarks lovers_of_light() {
  LandmarkModel model;
  model.mean = {{0, 0}, {1, 1}, {0.5F, 0.5F}};
  model.trees = {1, 1, 2, 1, {{2, {0, 0}}, {0, {0, 0}}}, {{0, 1, -170}}};
  model.fixed_leaves = {6, {20}, std::vector<std::int16_t>(12, 0), {}};
  PointConfidence& confidence = model.confidence.emplace();
  confidence.trees = model.trees;
  confidence.leaves = {4, {4}, {0, 0, 0, 16, 0, 0, 0, -16}, {}};
  confidence.slope = {0, 0, 0, 4};
  confidence.shift = {0, 0, 0, 0};
  model.detector = "squares";
  return Landmarks(std::move(model));
}

}  // namespace winnow::sample
