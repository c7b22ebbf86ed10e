#include "train/landmarks/tree_grower.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace winnow {
namespace {

// The number of scouts: samples whose way down the tree is followed. The thresholds of a node are drawn from
// the scouts that reach the node.
constexpr std::size_t kScouts = 512;

std::size_t drawn(const double* sums, std::size_t count, Random& random) {
  const double at = random.real(0, sums[count - 1]);
  return std::min(static_cast<std::size_t>(std::upper_bound(sums, sums + count, at) - sums), count - 1);
}

}  // namespace

TreeGrower::TreeGrower(ShapeLearner& learner, const ShapeSamples& samples, const LandmarkOptions& options,
                       const std::vector<ShapePoint>& places, double closeness)
    : learner_(learner), samples_(samples), options_(options) {
  const std::size_t count = places.size();
  pairs_.resize(count * count);
  firsts_.resize(count);
  double all = 0;
  for (std::size_t a = 0; a < count; ++a) {
    double sum = 0;
    for (std::size_t b = 0; b < count; ++b) {
      const double x = static_cast<double>(places[a].x) - static_cast<double>(places[b].x),
                   y = static_cast<double>(places[a].y) - static_cast<double>(places[b].y);
      if (a != b) sum += std::exp(-std::sqrt(x * x + y * y) / closeness);
      pairs_[a * count + b] = sum;
    }
    firsts_[a] = all += sum;
  }
}

int TreeGrower::difference(const VisitSplit& split, std::size_t sample) const {
  return static_cast<int>(samples_.pixel[split.first * samples_.count + sample]) -
         static_cast<int>(samples_.pixel[split.second * samples_.count + sample]);
}

// The threshold comes from a drawn sample. With even chances, the sample itself goes left or right.
VisitSplit TreeGrower::draw(Random& random, const std::vector<std::uint32_t>& here) const {
  const std::size_t count = firsts_.size();
  VisitSplit split{};
  split.first = static_cast<std::uint16_t>(drawn(firsts_.data(), count, random));
  split.second = static_cast<std::uint16_t>(drawn(pairs_.data() + split.first * count, count, random));
  const std::size_t sample = here[static_cast<std::size_t>(random.below(static_cast<int>(here.size())))];
  split.threshold = static_cast<std::int16_t>(difference(split, sample) - random.below(2));
  return split;
}

TreeGrower::Node TreeGrower::child(const Node& parent, std::size_t split, bool left) const {
  const auto values = static_cast<std::size_t>(samples_.values);
  Node node;
  node.count = left ? sums_.counts[split] : parent.count - sums_.counts[split];
  node.sums.resize(values);
  for (std::size_t k = 0; k < values; ++k) {
    const std::int64_t sum = sums_.sums[split * values + k];
    node.sums[k] = left ? sum : parent.sums[k] - sum;
  }
  return node;
}

// A split's score adds up both sides. A side gives the squares of its sums of goals, divided by its number
// of samples. The larger the score, the less the goals on each side differ.
std::size_t TreeGrower::best_of(std::size_t first, std::size_t count, const Node& node) const {
  const auto values = static_cast<std::size_t>(samples_.values);
  std::size_t best = first;
  double best_score = -1;
  for (std::size_t s = first; s < first + count; ++s) {
    const std::int64_t left = sums_.counts[s], right = node.count - left;
    if (left == 0 || right == 0) continue;
    double left_squares = 0, right_squares = 0;
    for (std::size_t k = 0; k < values; ++k) {
      const auto l = static_cast<double>(sums_.sums[s * values + k]),
                 r = static_cast<double>(node.sums[k] - sums_.sums[s * values + k]);
      left_squares += l * l;
      right_squares += r * r;
    }
    const double score =
        left_squares / static_cast<double>(left) + right_squares / static_cast<double>(right);
    if (score > best_score) {
      best_score = score;
      best = s;
    }
  }
  return best;
}

GrownTree TreeGrower::grow(std::uint64_t seed, int stage, int tree) {
  const auto tries = static_cast<std::size_t>(options_.splits);
  Random random(seed, stage, tree);
  std::vector<std::uint32_t> scouts(std::min(kScouts, samples_.count));
  for (std::uint32_t& scout : scouts)
    scout = static_cast<std::uint32_t>(random.below(static_cast<int>(samples_.count)));
  std::vector<std::vector<std::uint32_t>> here = {scouts};  // the scouts of each node
  GrownTree grown;
  std::vector<Node> nodes;
  for (int level = 0; level < options_.depth; ++level) {
    const std::size_t count = std::size_t{1} << level;
    std::vector<VisitSplit> splits;
    for (std::size_t n = 0; n < count; ++n)
      for (std::size_t t = 0; t < tries; ++t)
        splits.push_back(draw(random, here[n].empty() ? scouts : here[n]));
    // At the root, one more split sends all samples to the left, so that its sums are those of all samples.
    if (level == 0) splits.push_back({0, 0, -1, 0});
    learner_.try_splits(level, splits, sums_);
    if (level == 0) nodes = {child({}, tries, true)};
    std::vector<VisitSplit> chosen;
    std::vector<Node> below;
    std::vector<std::vector<std::uint32_t>> scouts_below(2 * count);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t best = best_of(n * tries, tries, nodes[n]);
      chosen.push_back(splits[best]);
      below.push_back(child(nodes[n], best, true));
      below.push_back(child(nodes[n], best, false));
      for (const std::uint32_t scout : here[n])
        scouts_below[2 * n + (difference(splits[best], scout) > splits[best].threshold ? 0 : 1)].push_back(
            scout);
    }
    learner_.split(chosen);
    grown.splits.insert(grown.splits.end(), chosen.begin(), chosen.end());
    nodes = std::move(below);
    here = std::move(scouts_below);
  }
  for (const Node& node : nodes)
    for (const std::int64_t sum : node.sums) {
      const double leaf = std::floor(
          options_.rate * static_cast<double>(sum) / (static_cast<double>(node.count) + options_.calm) + 0.5);
      grown.leaves.push_back(
          static_cast<std::int16_t>(node.count == 0 ? 0.0 : std::clamp(leaf, -32767.0, 32767.0)));
    }
  learner_.add_leaves(grown.leaves);
  return grown;
}

}  // namespace winnow
