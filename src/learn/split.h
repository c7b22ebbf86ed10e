// Finds the best way to split the samples by one feature.
//
// In:     one byte per sample, positives before negatives, and the samples' weights.
// Out:    the sums of the weights in each bin, and the best split by `split_rule.h`.
// Exact:  integer sums, which must fit in 32 bits. Gains are computed from these sums by single IEEE
//         operations.
// Memory: the caller owns everything. Nothing is allocated.
// Thread: any.
// Cost:   an addition per byte, and a walk over 256 bins per feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "learn/split_rule.h"

namespace winnow {

// Adds up the weights in each bin. `bins` and `weights` have the same length; the first `positives` samples
// are positives.
void weigh_bins_ref(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                    std::size_t positives, BinWeights& sums);
void weigh_bins_cpu(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                    std::size_t positives, BinWeights& sums);

Weights sum_weights(std::span<const std::uint32_t> weights, std::size_t positives);

SplitKind split_kind(FeatureKind features, WeakKind weak);
// The best split of a feature, from its weights by bin. For kLikelihood, `order` gets the bins sorted by
// `less_positive`.
Split split_of(SplitKind kind, BoostKind boost, const BinWeights& bins, Weights all,
               std::uint8_t (&order)[kBins]);

}  // namespace winnow
