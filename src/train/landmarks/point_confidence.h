// Learns how sure a model is of its points, from held-back faces. The stages' trees did not learn from these
// faces.
//
// In:     samples of held-back faces, moved by all stages of the model.
// Out:    a stage of trees with a number for each point, and for each point a curve from its sum to a
//         probability; nothing if there are too few faces. The curves are fitted to sums from trees that
//         other faces taught.
// Exact:  as the training (train_landmarks.h); the curves also use the C library's exp.
// Memory: the pixels of all samples.
// Thread: one thread at a time; reading pictures uses more threads.
#pragma once

#include <cstdint>
#include <optional>

#include <winnow/landmarks.h>
#include <winnow/train_landmarks.h>

#include "shape/shape_learner.h"
#include "train/landmarks/landmark_samples.h"

namespace winnow {

// With fewer faces than this there is no confidence.
inline constexpr std::size_t kLeastConfidenceFaces = 8;

std::optional<PointConfidence> learn_confidence(const FaceSet& faces, const PointScheme& scheme,
                                                const LandmarkOptions& options,
                                                const LandmarkSamples& samples, const FixedMean& mean,
                                                const std::vector<ShapePoint>& mean_points,
                                                ShapeLearner& learner, int threads, std::uint64_t seed);

// The curve 1 / (1 + exp(-(slope * sum + shift))): the probability that an outcome is right. `fit_curve`
// finds the curve that fits the outcomes `right` best. `right_weight` is the weight of each right outcome,
// `wrong_weight` of each other outcome.
struct ConfidenceCurve {
  double slope = 0, shift = 0;
};
ConfidenceCurve fit_curve(const std::vector<double>& sums, const std::vector<bool>& right,
                          double right_weight, double wrong_weight);

}  // namespace winnow
