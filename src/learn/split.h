// The best split of all samples by one feature, among many features.
// In: a byte a feature and sample, positives before negatives, and the samples' weights. Out: the split of
// `split_rule.h`. exact. Costs an addition a byte, and the walk over 256 bins a feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "learn/split_rule.h"

namespace winnow {

// Sums of weights by bin; `bins` and `weights` are of one length.
void weigh_bins_ref(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                    std::size_t positives, BinWeights& sums);
void weigh_bins_cpu(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                    std::size_t positives, BinWeights& sums);

Weights sum_weights(std::span<const std::uint32_t> weights, std::size_t positives);

SplitKind split_kind(FeatureKind features, WeakKind weak);
// The best split of a feature in this way; `order` is filled for kLikelihood.
Split split_of(SplitKind kind, BoostKind boost, const BinWeights& bins, Weights all,
               std::uint8_t (&order)[kBins]);

}  // namespace winnow
