#include "learn/split.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace winnow {

void weigh_bins_ref(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                    std::size_t positives, BinWeights& sums) {
  sums = {};
  for (std::size_t i = 0; i < bins.size(); ++i)
    (i < positives ? sums.positive : sums.negative)[bins[i]] += weights[i];
}

Weights sum_weights(std::span<const std::uint32_t> weights, std::size_t positives) {
  Weights sum;
  for (std::size_t i = 0; i < weights.size(); ++i)
    (i < positives ? sum.positive : sum.negative) += weights[i];
  return sum;
}

SplitKind split_kind(FeatureKind features, WeakKind weak) {
  if (weak == WeakKind::kTable) return SplitKind::kTable;
  return features == FeatureKind::kHaar ? SplitKind::kOrder : SplitKind::kLikelihood;
}

Split split_of(SplitKind kind, BoostKind boost, const BinWeights& bins, Weights all,
               std::uint8_t (&order)[kBins]) {
  if (kind == SplitKind::kOrder) return split_in_order(boost, bins, all);
  if (kind == SplitKind::kTable) return split_into_table(boost, bins, all);
  std::iota(order, order + kBins, std::uint8_t{0});
  std::sort(order, order + kBins, [&](int a, int b) { return less_positive(bins, a, b); });
  return split_in_likelihood(boost, bins, order, all);
}

}  // namespace winnow
