// Decides which split of one feature's samples is best, from the weights in its bins.
//
// In:     the sums of positives' and negatives' weights in each of 256 bins. All weights sum to less than
//         2^31.
// Out:    the split with the largest gain. Ties go to the lower feature, then to the earlier bin.
// Exact:  integer sums. Gains are computed from these sums by single IEEE operations, the same on every
//         backend.
// Memory: nothing is allocated.
#pragma once

#include <array>
#include <cstdint>

#include <winnow/cascade_model.h>
#include <winnow/weak_learner.h>

#include "base/device/host_device.h"
#include "learn/bins_rule.h"

namespace winnow {

struct BinWeights {
  std::uint32_t positive[kBins], negative[kBins];
};

struct Weights {
  std::uint32_t positive = 0, negative = 0;
  bool operator==(const Weights&) const = default;
};

// How a weak classifier splits a feature's bins.
enum class SplitKind {
  kOrder,       // Haar: low bins go left
  kLikelihood,  // LBP: the bins whose samples are least likely positives go left
  kTable        // Haar: every 16 neighbouring bins share one leaf
};

// The purity of a node with these weights: the larger, the more one class outweighs the other. An empty node
// has purity 0.
WINNOW_HOST_DEVICE inline double purity(BoostKind boost, Weights w) {
  const double p = w.positive, n = w.negative;
  if (boost == BoostKind::kDiscrete) return p > n ? p : n;
  return w.positive == 0 && w.negative == 0 ? 0. : (p - n) * (p - n) / (p + n);
}

// A choice of bins that go to the left. A larger gain is better.
struct Split {
  double gain = -1;  // below 0 if there is no split
  std::int32_t feature = -1;
  // Haar: the last bin that goes left. LBP: the number of bins that go left, in the order of `less_positive`.
  // A table: 0.
  std::int32_t last = -1;
  Weights left, right;
};
WINNOW_HOST_DEVICE inline bool better(const Split& a, const Split& b) {
  return a.gain > b.gain || (a.gain == b.gain && a.feature >= 0 && (b.feature < 0 || a.feature < b.feature));
}

// The split that sends the weights `left` of `all` to the left; no split if one side is empty. Functions that
// return a split set its feature to 0, since only the caller knows the feature's number.
WINNOW_HOST_DEVICE inline Split split_bins_at(BoostKind boost, Weights left, Weights all, int last) {
  const Weights right{all.positive - left.positive, all.negative - left.negative};
  if (left == Weights{} || right == Weights{}) return {};
  return {purity(boost, left) + purity(boost, right), 0, last, left, right};
}

// The gain and place of one split. A device's threads try all splits of a feature at once and compare their
// cuts. The best cut is the split that `split_in_order` or `split_in_likelihood` finds.
struct Cut {
  double gain;
  std::int32_t last;
};
WINNOW_HOST_DEVICE inline bool better(const Cut& a, const Cut& b) {
  return a.gain > b.gain || (a.gain == b.gain && a.last < b.last);
}

// The best split that sends low bins to the left.
WINNOW_HOST_DEVICE inline Split split_in_order(BoostKind boost, const BinWeights& bins, Weights all) {
  Split best;
  Weights left;
  for (int b = 0; b + 1 < kBins; ++b) {
    left.positive += bins.positive[b];
    left.negative += bins.negative[b];
    const Split here = split_bins_at(boost, left, all, b);
    if (here.gain > best.gain) best = here;
  }
  return best;
}

// The number of neighbouring bins in one bin of a table.
inline constexpr int kBinsOfTableBin = kBins / kTableBins;

// The weights in one bin of a table.
WINNOW_HOST_DEVICE inline Weights table_bin_weights(const BinWeights& bins, int table_bin) {
  Weights sum;
  for (int b = table_bin * kBinsOfTableBin; b < (table_bin + 1) * kBinsOfTableBin; ++b) {
    sum.positive += bins.positive[b];
    sum.negative += bins.negative[b];
  }
  return sum;
}
inline Split split_into_table(BoostKind boost, const BinWeights& bins, Weights all) {
  double gain = 0;
  for (int b = 0; b < kTableBins; ++b) gain += purity(boost, table_bin_weights(bins, b));
  return {gain, 0, 0, all, {}};
}

// Whether the samples of bin `a` are less likely positives than the samples of bin `b`. Bins without samples
// come first. With two labels the best subset of bins is a prefix of this order.
WINNOW_HOST_DEVICE inline bool less_positive(const BinWeights& bins, int a, int b) {
  const std::uint64_t pa = bins.positive[a], na = bins.negative[a], pb = bins.positive[b],
                      nb = bins.negative[b];
  const bool no_a = pa + na == 0, no_b = pb + nb == 0;
  if (no_a || no_b) return no_a && no_b ? a < b : no_a;
  const std::uint64_t left = pa * nb, right = pb * na;
  return left != right ? left < right : a < b;
}

// The number of bins before `bin` in the order of `less_positive`.
WINNOW_HOST_DEVICE inline int place_in_order(const BinWeights& bins, int bin) {
  int place = 0;
  for (int b = 0; b < kBins; ++b) place += less_positive(bins, b, bin) ? 1 : 0;
  return place;
}

// The best split that sends a prefix of `order` to the left. `order` has all bins, sorted by `less_positive`.
WINNOW_HOST_DEVICE inline Split split_in_likelihood(BoostKind boost, const BinWeights& bins,
                                                    const std::uint8_t (&order)[kBins], Weights all) {
  Split best;
  Weights left;
  for (int i = 0; i + 1 < kBins; ++i) {
    left.positive += bins.positive[order[i]];
    left.negative += bins.negative[order[i]];
    const Split here = split_bins_at(boost, left, all, i + 1);
    if (here.gain > best.gain) best = here;
  }
  return best;
}

}  // namespace winnow
