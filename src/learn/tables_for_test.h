// Makes features, samples and weights, and compares the rows and splits of two tables of bins, for tests.
//
// In:     a set of features, a window, numbers of samples, seeds.
// Out:    the same samples and weights for the same arguments; differences as failed expectations.
// Exact:  rows and splits must be equal, without a tolerance.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "learn/bin_table.h"
#include "learn/samples_for_test.h"
#include "sieve/random_for_test.h"

namespace winnow::sample {

inline RunFeatures features_of(FeatureSet set, Size window) {
  RunFeatures features;
  features.list = list_features(set, window, 0, 1);
  features.compiled = bin_features(features.list);
  return features;
}

// Makes samples: objects first, then noise. In a few samples of either kind all pixels are equal.
inline SamplePlanes planes_of(const RunFeatures& features, std::size_t samples, std::size_t positives) {
  const Size window = features.list.window;
  SamplePlanes planes(window, features.list.tilted, samples);
  std::mt19937 random(static_cast<unsigned>(samples));
  std::vector<GrayImage> crops;
  for (std::size_t i = 0; i < samples; ++i) {
    crops.push_back(make_noise(window, static_cast<unsigned>(i)));
    if (i < positives) draw_object(crops.back().view(), {0, 0, window.width, window.height}, random);
    if (i % 97 == 5)
      for (int y = 0; y < window.height; ++y) std::fill_n(crops.back().row(y), window.width, std::uint8_t{9});
  }
  for (std::size_t first = 0; first < samples; first += kSampleChunk)
    planes.fill_chunk(first, [&](std::size_t i) { return crops[i].view(); });
  return planes;
}

// The fraction `zeros` of the weights is zero, as for samples outside a tree's node. `even`: all other
// weights are equal, so that many gains are equal.
inline std::vector<std::uint32_t> random_weights(Random& random, std::size_t samples, double zeros,
                                                 bool even) {
  std::vector<std::uint32_t> weights(samples);
  const int most = static_cast<int>(std::min<std::size_t>(1 << 24, (std::size_t{1} << 31) / samples));
  for (std::uint32_t& weight : weights) {
    if (!random.chance(zeros)) weight = even ? 1000 : static_cast<std::uint32_t>(random.below(most));
  }
  return weights;
}

inline std::vector<int> random_candidates(Random& random, int features, double fraction) {
  std::vector<int> chosen;
  for (int f = 0; f < features; ++f) {
    if (random.chance(fraction)) chosen.push_back(f);
  }
  return chosen;
}

inline void expect_same(const Split& got, const Split& wanted) {
  EXPECT_EQ(got.gain, wanted.gain);
  EXPECT_EQ(got.feature, wanted.feature);
  EXPECT_EQ(got.last, wanted.last);
  EXPECT_EQ(got.left, wanted.left);
  EXPECT_EQ(got.right, wanted.right);
}

inline void expect_rows(BinTable& got, BinTable& wanted, const std::vector<int>& features) {
  std::vector<std::uint8_t> row, wanted_row;
  for (const int f : features) {
    got.row(f, row);
    wanted.row(f, wanted_row);
    ASSERT_TRUE(row == wanted_row) << "feature " << f;
  }
}

inline void expect_splits(BinTable& got, BinTable& wanted, int features, std::size_t samples, unsigned seed) {
  Random random(seed);
  for (const double fraction : {1., 0.5, 0.01, 0.}) {
    const std::vector<int> candidates = random_candidates(random, features, fraction);
    for (const double zeros : {0., 0.6, 1.}) {
      for (const BoostKind boost : {BoostKind::kGentle, BoostKind::kReal, BoostKind::kDiscrete}) {
        const auto weights = random_weights(random, samples, zeros, boost == BoostKind::kDiscrete);
        SCOPED_TRACE(::testing::Message() << candidates.size() << " candidates, " << zeros << " zeros, "
                                          << boost_kind_name(boost));
        expect_same(got.best_split(candidates, weights, boost),
                    wanted.best_split(candidates, weights, boost));
      }
    }
  }
}

}  // namespace winnow::sample
