// Adds up goals in plain loops, as shape/shape_learner.h declares; its opening comment holds here.
#include "shape/shape_learner.h"

namespace winnow {
namespace {

class ReferenceLearner final : public ShapeLearner {
 public:
  void begin(const ShapeSamples& samples) override {
    samples_ = samples;
    goals_.assign(samples.goals.begin(), samples.goals.end());
    node_.assign(samples.count, 0);
  }

  void try_splits(int level, std::span<const VisitSplit> splits, SplitSums& sums) override {
    const auto values = static_cast<std::size_t>(samples_.values);
    sums.counts.assign(splits.size(), 0);
    sums.sums.assign(splits.size() * values, 0);
    const std::size_t tries = splits.size() >> level;
    for (std::size_t i = 0; i < samples_.count; ++i)
      for (std::size_t t = node_[i] * tries; t < (node_[i] + 1) * tries; ++t) {
        if (!goes_left(splits[t], i)) continue;
        ++sums.counts[t];
        for (std::size_t k = 0; k < values; ++k)
          sums.sums[t * values + k] += bounded_goal(goals_[i * values + k]);
      }
  }

  void split(std::span<const VisitSplit> chosen) override {
    for (std::size_t i = 0; i < samples_.count; ++i)
      node_[i] = 2 * node_[i] + (goes_left(chosen[node_[i]], i) ? 0 : 1);
  }

  void add_leaves(std::span<const std::int16_t> numbers) override {
    const auto values = static_cast<std::size_t>(samples_.values);
    for (std::size_t i = 0; i < samples_.count; ++i) {
      for (std::size_t k = 0; k < values; ++k) goals_[i * values + k] -= numbers[node_[i] * values + k];
      node_[i] = 0;
    }
  }

  void goals(std::span<std::int32_t> goals) override {
    for (std::size_t i = 0; i < goals.size(); ++i) goals[i] = goals_[i];
  }

 private:
  bool goes_left(const VisitSplit& split, std::size_t sample) const {
    const auto value = [&](std::uint16_t pixel) {
      return static_cast<int>(samples_.pixel[pixel * samples_.count + sample]);
    };
    return value(split.first) - value(split.second) > split.threshold;
  }

  ShapeSamples samples_;
  std::vector<std::int32_t> goals_;
  std::vector<std::size_t> node_;
};

}  // namespace

std::unique_ptr<ShapeLearner> make_shape_learner_ref() { return std::make_unique<ReferenceLearner>(); }

}  // namespace winnow
