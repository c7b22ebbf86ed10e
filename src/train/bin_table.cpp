#include "train/bin_table.h"

#include <algorithm>

#include "train/share_work.h"

namespace winnow {

void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, RunFeatures& features) {
  features.rules.assign(features.compiled.size(), {});
  if (features.list.kind != FeatureKind::kHaar) return;
  share_work(threads, features.compiled.size(), 1024, [&](std::size_t, std::size_t f) {
    features.rules[f] = steps.choose_rule(features.compiled[f], planes);
  });
}

BinTable::BinTable(const TrainSteps& steps, const RunFeatures& features, const SamplePlanes& planes,
                   std::int64_t memory, int threads)
    : steps_(&steps), features_(&features), planes_(&planes), pitch_(planes.blocks() * kSampleBlock) {
  const std::int64_t fit = memory / static_cast<std::int64_t>(std::max<std::size_t>(pitch_, 1));
  kept_ = static_cast<int>(std::clamp<std::int64_t>(fit, 0, features.list.size()));
  bytes_.resize(static_cast<std::size_t>(kept_) * pitch_);
  // A block's planes stay in the cache while all features read them.
  share_work(threads, planes.blocks(), 1, [&](std::size_t, std::size_t block) {
    for (int f = 0; f < kept_; ++f) {
      const auto feature = static_cast<std::size_t>(f);
      steps.bin_block(features.compiled[feature], features.rules[feature], planes, block,
                      bytes_.data() + feature * pitch_ + block * kSampleBlock);
    }
  });
}

void BinTable::make_row(int feature, std::uint8_t* row) const {
  const auto f = static_cast<std::size_t>(feature);
  for (std::size_t block = 0; block < planes_->blocks(); ++block)
    steps_->bin_block(features_->compiled[f], features_->rules[f], *planes_, block,
                      row + block * kSampleBlock);
}

std::span<const std::uint8_t> BinTable::row(int feature, std::vector<std::uint8_t>& scratch) const {
  if (feature < kept_) return {bytes_.data() + static_cast<std::size_t>(feature) * pitch_, samples()};
  scratch.resize(pitch_);
  make_row(feature, scratch.data());
  return {scratch.data(), samples()};
}

Split best_split(const TrainSteps& steps, const RunFeatures& features, const BinTable& table,
                 std::span<const int> candidates, std::span<const std::uint32_t> weights,
                 std::size_t positives, BoostKind boost, int threads) {
  Weights all;
  for (std::size_t i = 0; i < weights.size(); ++i)
    (i < positives ? all.positive : all.negative) += weights[i];
  struct Own {
    Split best;
    std::vector<std::uint8_t> scratch;
  };
  std::vector<Own> owns(static_cast<std::size_t>(std::max(threads, 1)));
  share_work(threads, candidates.size(), 64, [&](std::size_t thread, std::size_t i) {
    Own& own = owns[thread];
    BinWeights sums;
    std::uint8_t order[kBins];
    steps.weigh_bins(table.row(candidates[i], own.scratch), weights, positives, sums);
    Split split = split_of(features.list.kind, boost, sums, all, order);
    if (split.gain < 0) return;
    split.feature = candidates[i];
    if (better(split, own.best)) own.best = split;
  });
  Split best;
  for (const Own& own : owns) {
    if (better(own.best, best)) best = own.best;
  }
  return best;
}

}  // namespace winnow
