// Learns trees that tell yes from no, from the pixels of a stage.
//
// In:     pixels of samples, and for each sample one or more outcomes: yes or no.
// Out:    trees with a number for each outcome. Sums of these numbers are larger for yes.
// Exact:  as `TreeGrower`.
// Memory: owns the pixels and outcomes. Places of pixels and the learner are borrowed.
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

// What the confidence of points and presence share.
inline constexpr int kConfidenceDepth = 3;
inline constexpr int kConfidenceBits = 12;  // a unit of leaves is 2^-kConfidenceBits

// The pixels of the confidence's stage.
StagePixels confidence_pixels(const std::vector<ShapePoint>& mean, const LandmarkOptions& options,
                              std::uint64_t seed);

// Samples with their outcomes.
struct JudgedSamples {
  std::size_t count = 0, values = 0;  // `values` outcomes for each sample
  std::vector<std::uint8_t> matrix;   // pixel by pixel, a value for each sample
  std::vector<bool> right;            // sample by sample
};

class ConfidenceTrees {
 public:
  // A yes counts 2^goal_bits more than a no. `alike`: samples that are nearly the same, which make leaves
  // calmer.
  ConfidenceTrees(const LandmarkOptions& options, int trees, int goal_bits, int alike,
                  const StagePixels& pixels, JudgedSamples samples, ShapeLearner& learner,
                  std::uint64_t seed);

  bool right(std::size_t sample, std::size_t value) const {
    return samples_.right[sample * samples_.values + value];
  }
  int depth() const { return options_.depth; }
  // Trees that some of the samples teach.
  std::vector<GrownTree> teach(const std::vector<std::size_t>& teachers) const;
  // Adds what the trees say about a sample: a sum for each outcome.
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
