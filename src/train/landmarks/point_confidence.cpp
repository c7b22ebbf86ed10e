#include "train/landmarks/point_confidence.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "train/landmarks/confidence_trees.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

// Tells for each point of sample `i` whether it is right: at most `distance` times the `main_length` of the
// face from the true point.
std::vector<bool> right_points(const FaceSet& faces, const PointScheme& scheme,
                               const LandmarkSamples& samples, std::size_t i, double distance) {
  const std::vector<Point>& truth = faces.faces[samples[i].face].points;
  const std::vector<Point> points = samples.points_of(i);
  const double bound = distance * main_length(truth, scheme);
  std::vector<bool> right;
  for (std::size_t p = 0; p < points.size(); ++p) right.push_back(distance_of(points[p], truth[p]) <= bound);
  return right;
}

}  // namespace

// Newton's method, with a weak pull of the slope towards 0. The outcomes 0 and 1 are softened as Platt (1999)
// does, so that the odds of a point that was always right stay finite.
ConfidenceCurve fit_curve(const std::vector<double>& sums, const std::vector<bool>& right,
                          double right_weight, double wrong_weight) {
  constexpr int kMostPasses = 50;
  constexpr double kPull = 1e-3, kMostStep = 2;
  double yes = 0, no = 0;
  for (const bool each : right) (each ? yes : no) += each ? right_weight : wrong_weight;
  const double softened[2] = {1 / (no + 2), (yes + 1) / (yes + 2)};
  ConfidenceCurve curve{0, std::log((yes + 1) / (no + 1))};
  for (int pass = 0; pass < kMostPasses; ++pass) {
    double g0 = kPull * curve.slope, g1 = 0, h00 = kPull, h01 = 0, h11 = 1e-9;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double weight = right[i] ? right_weight : wrong_weight;
      const double p = 1 / (1 + std::exp(-(curve.slope * sums[i] + curve.shift)));
      const double error = weight * (p - softened[right[i] ? 1 : 0]), bend = weight * p * (1 - p);
      g0 += error * sums[i];
      g1 += error;
      h00 += bend * sums[i] * sums[i];
      h01 += bend * sums[i];
      h11 += bend;
    }
    const double area = h00 * h11 - h01 * h01;
    if (!(area > 0)) break;
    const double slope = std::clamp((h11 * g0 - h01 * g1) / area, -kMostStep, kMostStep),
                 shift = std::clamp((h00 * g1 - h01 * g0) / area, -kMostStep, kMostStep);
    curve.slope -= slope;
    curve.shift -= shift;
    if (std::abs(slope) + std::abs(shift) < 1e-9) break;
  }
  // A larger sum must never make a point less likely, so a falling curve is replaced by a constant.
  if (curve.slope < 0) return {0, std::log((yes + 1) / (no + 1))};
  return curve;
}

std::optional<PointConfidence> learn_confidence(const FaceSet& faces, const PointScheme& scheme,
                                                const LandmarkOptions& options,
                                                const LandmarkSamples& samples, const FixedMean& mean,
                                                const std::vector<ShapePoint>& mean_points,
                                                ShapeLearner& learner, int threads, std::uint64_t seed) {
  if (options.confidence_trees == 0 || samples.chosen().size() < kLeastConfidenceFaces) return std::nullopt;
  const std::size_t points = samples.points(), count = samples.count(),
                    per_face = static_cast<std::size_t>(samples.per_face());
  PointConfidence confidence;
  const StagePixels pixels = confidence_pixels(mean_points, options, seed);
  JudgedSamples judged{count, points, std::vector<std::uint8_t>(pixels.list.size() * count), {}};
  gather_pixels(samples, mean, pixels, threads, judged.matrix.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<bool> right = right_points(faces, scheme, samples, i, confidence.distance);
    judged.right.insert(judged.right.end(), right.begin(), right.end());
  }
  const ConfidenceTrees own(options, options.confidence_trees, kConfidenceBits, samples.per_face(), pixels,
                            std::move(judged), learner, seed);

  // Each half of the faces is judged by trees that the other half taught.
  std::vector<std::size_t> all, halves[2];
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(i);
    halves[i / per_face % 2].push_back(i);
  }
  std::vector<std::int64_t> sums(count * points);
  for (int half = 0; half < 2; ++half) {
    const std::vector<GrownTree> trees = own.teach(halves[half]);
    for (const std::size_t i : halves[1 - half]) own.ask(trees, i, sums.data() + i * points);
  }
  // The samples of one face are much alike, so all samples of a face together weigh 1.
  const double weight = 1.0 / static_cast<double>(per_face);
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<double> seen;
    std::vector<bool> outcome;
    for (std::size_t i = 0; i < count; ++i) {
      seen.push_back(std::ldexp(static_cast<double>(sums[i * points + p]), -kConfidenceBits));
      outcome.push_back(own.right(i, p));
    }
    const ConfidenceCurve curve = fit_curve(seen, outcome, weight, weight);
    confidence.slope.push_back(static_cast<float>(curve.slope));
    confidence.shift.push_back(static_cast<float>(curve.shift));
  }

  ShapeTrees& trees = confidence.trees;
  trees = {1, options.confidence_trees, options.pixels, own.depth(), pixels.list, {}};
  confidence.leaves.values = static_cast<std::int32_t>(points);
  confidence.leaves.unit_bits = {kConfidenceBits};
  for (const GrownTree& tree : own.teach(all)) {
    for (const VisitSplit& split : tree.splits) trees.splits.push_back(model_split(split));
    confidence.leaves.numbers.insert(confidence.leaves.numbers.end(), tree.leaves.begin(), tree.leaves.end());
  }
  return confidence;
}

}  // namespace winnow
