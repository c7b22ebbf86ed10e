#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "learn/split.h"
#include "sieve/stages_rule.h"
#include "train/weight_rule.h"

namespace winnow {
namespace {

TEST(WeightRule, ExpAndLogAreNearTheLibrarys) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponents(-20, 20), logs(1e-9, 1e9);
  for (int i = 0; i < 20'000; ++i) {
    const double x = exponents(random), y = logs(random);
    EXPECT_NEAR(exp_rule(x) / std::exp(x), 1, 1e-15 * 4);
    EXPECT_NEAR(log_rule(y), std::log(y), 1e-14 * std::max(1., std::abs(std::log(y))));
  }
  EXPECT_EQ(exp_rule(0), 1);
  EXPECT_EQ(log_rule(1), 0);
}

TEST(WeightRule, WeightsFallWithTheMargin) {
  EXPECT_EQ(raw_weight(0, 1), std::uint64_t{1} << kWeightBits);
  for (int margin = -kWeightLimit; margin < kWeightLimit; margin += 97)
    EXPECT_GT(raw_weight(margin, 1), raw_weight(margin + 97, 1)) << margin;
  EXPECT_EQ(raw_weight(-10 * kWeightLimit, 1), raw_weight(-kWeightLimit, 1));
  EXPECT_EQ(weight_shift((std::uint64_t{1} << 31) - 1), 0);
  EXPECT_EQ(weight_shift(std::uint64_t{1} << 31), 1);
  EXPECT_EQ(weight_shift(std::uint64_t{1} << 50), 20);
}

TEST(WeightRule, Leaves) {
  EXPECT_EQ(gentle_leaf(3, 1), kScoreUnit / 2);
  EXPECT_EQ(gentle_leaf(0, 5), -kScoreUnit);
  EXPECT_EQ(real_leaf(500, 500, 1000), 0);
  EXPECT_NEAR(real_leaf(900'000, 100'000, 1'000'000) / double{kScoreUnit}, 0.5 * std::log(9.), 0.01);
  EXPECT_NEAR(discrete_vote(100'000, 1'000'000) / double{kScoreUnit}, 0.5 * std::log(9.), 0.01);
}

BinWeights random_weights(unsigned seed) {
  std::mt19937 random(seed);
  BinWeights bins{};
  for (int b = 0; b < kBins; ++b) {
    if (random() % 4 == 0) continue;
    bins.positive[b] = random() % 7 * 1000;
    bins.negative[b] = random() % 7 * 1000;
  }
  return bins;
}
Weights all_of(const BinWeights& bins) {
  Weights all;
  for (int b = 0; b < kBins; ++b) all.positive += bins.positive[b], all.negative += bins.negative[b];
  return all;
}

TEST(SplitRule, NoCutIsBetterThanTheChosenOne) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const BinWeights bins = random_weights(seed);
    const Weights all = all_of(bins);
    for (const BoostKind boost : {BoostKind::kGentle, BoostKind::kDiscrete}) {
      const Split split = split_in_order(boost, bins, all);
      ASSERT_GE(split.last, 0);
      for (int last = 0; last + 1 < kBins; ++last) {
        Weights left, right;
        for (int b = 0; b < kBins; ++b) {
          (b <= last ? left : right).positive += bins.positive[b];
          (b <= last ? left : right).negative += bins.negative[b];
        }
        const double gain = purity(boost, left) + purity(boost, right);
        if (!(left == Weights{}) && !(right == Weights{})) {
          EXPECT_TRUE(gain < split.gain || (gain == split.gain && last >= split.last)) << seed;
        }
      }
    }
  }
}

// Training finds a response's bin of a table by dividing its bin of the 256 by 16. The detector applies the
// table's own rule. Both must find the same bin.
TEST(SplitRule, ABinOfATableIsARowOfBins) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> real(-1, 1);
  int inside = 0;
  for (int i = 0; i < 200'000; ++i) {
    const float low = real(random) * 3, high = low + std::abs(real(random)) * (i % 2 == 0 ? 1.f : 1e-3f);
    const BinRule rule = bin_rule(low, high);
    const float value = std::floor(real(random) * 20'000), norm = std::abs(real(random)) * 1e-3f;
    const int bin = bin_of(rule, value * norm);
    inside += bin > 0 && bin < kBins - 1;
    ASSERT_EQ(table_bin(value, norm, rule.low, rule.per_unit / kBinsOfTableBin), bin / kBinsOfTableBin);
  }
  EXPECT_GT(inside, 1000);
}

TEST(SplitRule, ATablesGainIsOfAllItsBins) {
  BinWeights bins{};
  bins.positive[3] = 4000;  // bin 0 of the table: 4000 against 1000
  bins.negative[15] = 1000;
  bins.negative[16] = 500;   // bin 1: 0 against 500
  bins.positive[255] = 700;  // bin 15: 700 against 700
  bins.negative[240] = 700;
  const Split split = split_into_table(BoostKind::kGentle, bins, {4700, 2200});
  EXPECT_EQ(split.gain, 9e6 / 5000 + 500);
  EXPECT_EQ(split_into_table(BoostKind::kDiscrete, bins, {4700, 2200}).gain, 4000 + 500 + 700);
  EXPECT_EQ(table_leaf(1000, 1000, 10'000), 0);
  EXPECT_GT(table_leaf(1000, 0, 10'000), kScoreUnit * 9 / 10);
  EXPECT_LT(table_leaf(1, 0, 10'000), kScoreUnit / 5) << "one sample says little";
  EXPECT_EQ(table_leaf(3000, 1000, 1 << 20), 1630);  // 2000 / (4000 + 1025) times kScoreUnit
}

// With six bins, every subset can be tried.
TEST(SplitRule, NoSubsetIsBetterThanTheChosenOne) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    BinWeights bins{};
    const int places[6] = {3, 7, 8, 100, 254, 255};
    for (const int b : places) bins.positive[b] = random() % 50, bins.negative[b] = random() % 50;
    const Weights all = all_of(bins);
    std::uint8_t order[kBins];
    const Split split = split_of(SplitKind::kLikelihood, BoostKind::kGentle, bins, all, order);
    double best = -1;
    for (int subset = 0; subset < 64; ++subset) {
      Weights left;
      for (int i = 0; i < 6; ++i) {
        if ((subset >> i & 1) == 0) continue;
        left.positive += bins.positive[places[i]];
        left.negative += bins.negative[places[i]];
      }
      best = std::max(best, split_bins_at(BoostKind::kGentle, left, all, 1).gain);
    }
    EXPECT_NEAR(split.gain, best, 1e-9 * best) << seed;
  }
}

TEST(SplitRule, Ties) {
  const Split a{5, 3, 10, {}, {}}, b{5, 7, 2, {}, {}}, c{6, 9, 1, {}, {}}, none;
  EXPECT_TRUE(better(a, b));
  EXPECT_FALSE(better(b, a));
  EXPECT_TRUE(better(c, a));
  EXPECT_TRUE(better(a, none));
  EXPECT_FALSE(better(none, a));
}

TEST(Split, TablesEqualTheReference) {
  std::mt19937 random(3);
  for (const std::size_t count : {0u, 1u, 7u, 8u, 64u, 1003u}) {
    for (const std::size_t positives : {std::size_t{0}, count / 3, count}) {
      std::vector<std::uint8_t> bins(count);
      std::vector<std::uint32_t> weights(count);
      for (auto& bin : bins) bin = static_cast<std::uint8_t>(random() % 5 * 63);
      for (auto& weight : weights) weight = random() % 100'000;
      BinWeights wanted, sums;
      weigh_bins_ref(bins, weights, positives, wanted);
      weigh_bins_cpu(bins, weights, positives, sums);
      for (int b = 0; b < kBins; ++b) {
        ASSERT_EQ(sums.positive[b], wanted.positive[b]);
        ASSERT_EQ(sums.negative[b], wanted.negative[b]);
      }
    }
  }
}

}  // namespace
}  // namespace winnow
