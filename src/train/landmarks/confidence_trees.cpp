#include "train/landmarks/confidence_trees.h"

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace winnow {
namespace {

constexpr double kRadius = 0.1, kCloseness = 0.06;
constexpr std::uint64_t kPixels = 0x7069786c, kTrees = 0x74726565;

}  // namespace

StagePixels confidence_pixels(const std::vector<ShapePoint>& mean, const LandmarkOptions& options,
                              std::uint64_t seed) {
  return draw_pixels(mean, options.pixels, kRadius, hash(seed, kPixels), 0);
}

ConfidenceTrees::ConfidenceTrees(const LandmarkOptions& options, int trees, int goal_bits, int alike,
                                 const StagePixels& pixels, JudgedSamples samples, ShapeLearner& learner,
                                 std::uint64_t seed)
    : options_(options),
      trees_(trees),
      goal_bits_(goal_bits),
      pixels_(pixels),
      samples_(std::move(samples)),
      learner_(learner),
      seed_(seed) {
  options_.depth = std::min(options.depth, kConfidenceDepth);
  options_.calm = std::max(options.calm, static_cast<double>(alike));
}

std::int32_t ConfidenceTrees::goal(std::size_t sample, std::size_t value) const {
  return right(sample, value) ? 1 << goal_bits_ : 0;
}

std::vector<GrownTree> ConfidenceTrees::teach(const std::vector<std::size_t>& teachers) const {
  const std::size_t values = samples_.values, pixels = pixels_.list.size();
  std::vector<std::int32_t> goals(teachers.size() * values);
  for (std::size_t v = 0; v < values; ++v) {
    std::int64_t all = 0;
    for (const std::size_t i : teachers) all += goal(i, v);
    const auto usual = static_cast<std::int32_t>(all / static_cast<std::int64_t>(teachers.size()));
    for (std::size_t t = 0; t < teachers.size(); ++t) goals[t * values + v] = goal(teachers[t], v) - usual;
  }
  std::vector<std::uint8_t> taught(pixels * teachers.size());
  for (std::size_t pixel = 0; pixel < pixels; ++pixel)
    for (std::size_t t = 0; t < teachers.size(); ++t)
      taught[pixel * teachers.size() + t] = samples_.matrix[pixel * samples_.count + teachers[t]];
  const ShapeSamples given{teachers.size(), static_cast<int>(pixels), static_cast<int>(values), taught.data(),
                           goals};
  learner_.begin(given);
  TreeGrower grower(learner_, given, options_, pixels_.places, kCloseness);
  std::vector<GrownTree> trees;
  for (int tree = 0; tree < trees_; ++tree) trees.push_back(grower.grow(hash(seed_, kTrees), 0, tree));
  return trees;
}

void ConfidenceTrees::ask(const std::vector<GrownTree>& trees, std::size_t sample, std::int64_t* sums) const {
  std::vector<std::uint8_t> row(pixels_.list.size());
  for (std::size_t pixel = 0; pixel < row.size(); ++pixel)
    row[pixel] = samples_.matrix[pixel * samples_.count + sample];
  for (const GrownTree& tree : trees) {
    const auto leaf = static_cast<std::size_t>(visit_tree(tree.splits.data(), options_.depth, row.data()));
    for (std::size_t v = 0; v < samples_.values; ++v) sums[v] += tree.leaves[leaf * samples_.values + v];
  }
}

}  // namespace winnow
