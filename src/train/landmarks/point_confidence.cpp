#include "train/landmarks/point_confidence.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "train/landmarks/stage_pixels.h"
#include "train/landmarks/tree_grower.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

constexpr int kGoalBits = 12;  // a goal of 1 in bits
constexpr int kDepth = 3;
constexpr double kRadius = 0.1, kCloseness = 0.06;
constexpr std::uint64_t kPixels = 0x7069786c, kTrees = 0x74726565;

// Whether each point of a sample is right.
std::vector<bool> right_points(const FaceSet& faces, const LandmarkSamples& samples, std::size_t i,
                               double distance) {
  const std::vector<Point>& truth = faces.faces[samples[i].face].points;
  const std::vector<Point> points = samples.points_of(i);
  const double bound = distance * main_length(truth);
  std::vector<bool> right;
  for (std::size_t p = 0; p < points.size(); ++p) right.push_back(distance_of(points[p], truth[p]) <= bound);
  return right;
}

}  // namespace

// Newton's method, with a weak pull of the slope towards 0. Outcomes are softened as Platt (1999) does: the
// odds of a point that was always right stay finite.
ConfidenceCurve fit_curve(const std::vector<double>& sums, const std::vector<bool>& right, double weight) {
  constexpr int kMostPasses = 50;
  constexpr double kPull = 1e-3, kMostStep = 2;
  double yes = 0, no = 0;
  for (const bool each : right) (each ? yes : no) += weight;
  const double softened[2] = {1 / (no + 2), (yes + 1) / (yes + 2)};
  ConfidenceCurve curve{0, std::log((yes + 1) / (no + 1))};
  for (int pass = 0; pass < kMostPasses; ++pass) {
    double g0 = kPull * curve.slope, g1 = 0, h00 = kPull, h01 = 0, h11 = 1e-9;
    for (std::size_t i = 0; i < sums.size(); ++i) {
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
  // A sum that speaks against a point cannot make it more likely.
  if (curve.slope < 0) return {0, std::log((yes + 1) / (no + 1))};
  return curve;
}

namespace {

// Held-back samples with the pixels of the confidence's stage.
class ConfidenceLearner {
 public:
  ConfidenceLearner(const LandmarkOptions& options, const LandmarkSamples& samples, const StagePixels& pixels,
                    std::vector<std::uint8_t> matrix, std::vector<std::vector<bool>> right,
                    ShapeLearner& learner, std::uint64_t seed)
      : options_(options),
        pixels_(pixels),
        matrix_(std::move(matrix)),
        right_(std::move(right)),
        learner_(learner),
        seed_(seed),
        count_(samples.count()),
        points_(samples.points()) {
    options_.depth = std::min(options.depth, kDepth);
    options_.calm = std::max(options.calm, static_cast<double>(samples.per_face()));
  }

  int depth() const { return options_.depth; }
  const std::vector<std::vector<bool>>& right() const { return right_; }

  // Trees that some of the samples teach.
  std::vector<GrownTree> teach(const std::vector<std::size_t>& teachers) const {
    std::vector<std::int32_t> goals(teachers.size() * points_);
    for (std::size_t p = 0; p < points_; ++p) {
      std::int64_t all = 0;
      for (const std::size_t i : teachers) all += goal(i, p);
      const auto usual = static_cast<std::int32_t>(all / static_cast<std::int64_t>(teachers.size()));
      for (std::size_t t = 0; t < teachers.size(); ++t) goals[t * points_ + p] = goal(teachers[t], p) - usual;
    }
    const std::size_t pixels = pixels_.list.size();
    std::vector<std::uint8_t> taught(pixels * teachers.size());
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
      for (std::size_t t = 0; t < teachers.size(); ++t)
        taught[pixel * teachers.size() + t] = matrix_[pixel * count_ + teachers[t]];
    const ShapeSamples given{teachers.size(), static_cast<int>(pixels), static_cast<int>(points_),
                             taught.data(), goals};
    learner_.begin(given);
    TreeGrower grower(learner_, given, options_, pixels_.places, kCloseness);
    std::vector<GrownTree> trees;
    for (int tree = 0; tree < options_.confidence_trees; ++tree)
      trees.push_back(grower.grow(hash(seed_, kTrees), 0, tree));
    return trees;
  }

  // Adds what the trees say about a sample: a sum for each point.
  void ask(const std::vector<GrownTree>& trees, std::size_t sample, std::int64_t* sums) const {
    std::vector<std::uint8_t> row(pixels_.list.size());
    for (std::size_t pixel = 0; pixel < row.size(); ++pixel) row[pixel] = matrix_[pixel * count_ + sample];
    for (const GrownTree& tree : trees) {
      const auto leaf = static_cast<std::size_t>(visit_tree(tree.splits.data(), options_.depth, row.data()));
      for (std::size_t p = 0; p < points_; ++p) sums[p] += tree.leaves[leaf * points_ + p];
    }
  }

 private:
  std::int32_t goal(std::size_t sample, std::size_t point) const {
    return right_[sample][point] ? 1 << kGoalBits : 0;
  }

  LandmarkOptions options_;
  const StagePixels& pixels_;
  std::vector<std::uint8_t> matrix_;
  std::vector<std::vector<bool>> right_;  // for each sample and point
  ShapeLearner& learner_;
  std::uint64_t seed_;
  std::size_t count_, points_;
};

}  // namespace

std::optional<PointConfidence> learn_confidence(const FaceSet& faces, const LandmarkOptions& options,
                                                const LandmarkSamples& samples, const FixedMean& mean,
                                                const std::vector<ShapePoint>& mean_points,
                                                ShapeLearner& learner, int threads, std::uint64_t seed) {
  if (options.confidence_trees == 0 || samples.chosen().size() < kLeastConfidenceFaces) return std::nullopt;
  const std::size_t points = samples.points(), count = samples.count(),
                    per_face = static_cast<std::size_t>(samples.per_face());
  PointConfidence confidence;
  const StagePixels pixels = draw_pixels(mean_points, options.pixels, kRadius, hash(seed, kPixels), 0);
  std::vector<std::uint8_t> matrix(pixels.list.size() * count);
  gather_pixels(samples, mean, pixels, threads, matrix.data());
  std::vector<std::vector<bool>> right;
  for (std::size_t i = 0; i < count; ++i)
    right.push_back(right_points(faces, samples, i, confidence.distance));
  const ConfidenceLearner own(options, samples, pixels, std::move(matrix), std::move(right), learner, seed);

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
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<double> seen;
    std::vector<bool> outcome;
    for (std::size_t i = 0; i < count; ++i) {
      seen.push_back(std::ldexp(static_cast<double>(sums[i * points + p]), -kGoalBits));
      outcome.push_back(own.right()[i][p]);
    }
    // The samples of one face are much alike, so together they weigh as one.
    const ConfidenceCurve curve = fit_curve(seen, outcome, 1.0 / static_cast<double>(per_face));
    confidence.slope.push_back(static_cast<float>(curve.slope));
    confidence.shift.push_back(static_cast<float>(curve.shift));
  }

  ShapeTrees& trees = confidence.trees;
  trees = {1, options.confidence_trees, options.pixels, own.depth(), pixels.list, {}};
  confidence.leaves.values = static_cast<std::int32_t>(points);
  confidence.leaves.unit_bits = {kGoalBits};
  for (const GrownTree& tree : own.teach(all)) {
    for (const VisitSplit& split : tree.splits) trees.splits.push_back(model_split(split));
    confidence.leaves.numbers.insert(confidence.leaves.numbers.end(), tree.leaves.begin(), tree.leaves.end());
  }
  return confidence;
}

}  // namespace winnow
