// Learns trees that predict outcomes (yes or no) of a sample from its pixels.
//
// In:     the pixels of samples, and for each sample one or more outcomes.
// Out:    trees whose leaves hold a number for each outcome. The larger the sum of an outcome's numbers over
//         all trees, the more likely the outcome is yes.
// Exact:  as `TreeGrower` (tree_grower.h).
// Memory: owns the samples' pixels and outcomes. `StagePixels` and learner must outlive a `ConfidenceTrees`.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/train_landmarks.h>

#include "shape/shape_learner.h"
#include "train/landmarks/stage_pixels.h"
#include "train/landmarks/tree_grower.h"

namespace winnow {

// The trees for the confidence of points and the trees for presence share this depth and this unit.
inline constexpr int kConfidenceDepth = 3;
inline constexpr int kConfidenceBits = 12;  // a unit of leaves is 2^-kConfidenceBits

// Draws the pixels that these trees read.
StagePixels confidence_pixels(const std::vector<ShapePoint>& mean, const LandmarkOptions& options,
                              std::uint64_t seed);

// Samples with their outcomes.
struct JudgedSamples {
  std::size_t count = 0, values = 0;  // `values` outcomes for each sample
  std::vector<std::uint8_t> matrix;   // for each pixel, its value in each sample
  std::vector<bool> right;            // for each sample, whether each outcome is yes
};

class ConfidenceTrees {
 public:
  // In the goals of the trees, a yes is 2^goal_bits above a no. `alike`: the number of nearly equal samples
  // per face. `LandmarkOptions::calm` is raised to at least this number.
  ConfidenceTrees(const LandmarkOptions& options, int trees, int goal_bits, int alike,
                  const StagePixels& pixels, JudgedSamples samples, ShapeLearner& learner,
                  std::uint64_t seed);

  bool right(std::size_t sample, std::size_t value) const {
    return samples_.right[sample * samples_.values + value];
  }
  int depth() const { return options_.depth; }
  // Grows trees that learn from the samples with the numbers `teachers`.
  std::vector<GrownTree> teach(const std::vector<std::size_t>& teachers) const;
  // Adds the numbers of the leaves that a sample reaches to `sums`: one sum for each outcome.
  void ask(const std::vector<GrownTree>& trees, std::size_t sample, std::int64_t* sums) const;

 private:
  std::int32_t goal(std::size_t sample, std::size_t value) const;

  LandmarkOptions options_;
  int trees_, goal_bits_;
  const StagePixels& pixels_;
  JudgedSamples samples_;
  ShapeLearner& learner_;
  std::uint64_t seed_;
};

}  // namespace winnow
