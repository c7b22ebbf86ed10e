// Checks that comparing cuts in any order, as a device does, gives the same split as a walk over the bins in
// their order.
#include "learn/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sieve/random_for_test.h"

namespace winnow {
namespace {

// Makes bins with few different weights, so that many gains are equal.
BinWeights random_bins(sample::Random& random) {
  BinWeights bins{};
  const int most = random.one_of<int>({1, 2, 5, 1 << 21});
  const double empty = random.one_of<double>({0., 0.5, 0.98, 1.});
  for (int b = 0; b < kBins; ++b) {
    if (!random.chance(empty)) bins.positive[b] = static_cast<std::uint32_t>(random.below(most + 1));
    if (!random.chance(empty)) bins.negative[b] = static_cast<std::uint32_t>(random.below(most + 1));
  }
  return bins;
}

Split split_at_once(SplitKind kind, BoostKind boost, const BinWeights& bins, Weights all,
                    sample::Random& random) {
  const bool lbp = kind == SplitKind::kLikelihood;
  int order[kBins];
  for (int b = 0; b < kBins; ++b) order[lbp ? place_in_order(bins, b) : b] = b;
  std::vector<Split> cuts;
  Weights left;
  for (int i = 0; i < kBins; ++i) {
    left.positive += bins.positive[order[i]];
    left.negative += bins.negative[order[i]];
    cuts.push_back(split_bins_at(boost, left, all, lbp ? i + 1 : i));
  }
  while (cuts.size() > 1) {
    const auto i = static_cast<std::size_t>(random.below(static_cast<int>(cuts.size())));
    const Split taken = cuts[i];
    cuts.erase(cuts.begin() + static_cast<std::ptrdiff_t>(i));
    Split& other = cuts[static_cast<std::size_t>(random.below(static_cast<int>(cuts.size())))];
    if (better(Cut{taken.gain, taken.last}, Cut{other.gain, other.last})) other = taken;
  }
  return cuts.front();
}

TEST(Split, AllCutsAtOnceAreTheWalk) {
  sample::Random random(20);
  int nothing = 0;
  for (int round = 0; round < 600; ++round) {
    const BinWeights bins = random_bins(random);
    Weights all;
    for (int b = 0; b < kBins; ++b) {
      all.positive += bins.positive[b];
      all.negative += bins.negative[b];
    }
    for (const SplitKind kind : {SplitKind::kOrder, SplitKind::kLikelihood}) {
      for (const BoostKind boost : {BoostKind::kGentle, BoostKind::kReal, BoostKind::kDiscrete}) {
        std::uint8_t order[kBins];
        const Split wanted = split_of(kind, boost, bins, all, order);
        const Split got = split_at_once(kind, boost, bins, all, random);
        ASSERT_EQ(got.gain, wanted.gain) << round;
        ASSERT_EQ(got.last, wanted.last) << round;
        ASSERT_EQ(got.left, wanted.left) << round;
        ASSERT_EQ(got.right, wanted.right) << round;
        nothing += wanted.gain < 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(nothing, 0);
}

}  // namespace
}  // namespace winnow
