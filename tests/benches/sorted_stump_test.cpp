// Tests that the sorted search of a stump finds the least error of all thresholds and parities.
#include "sorted_stump.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace bench {
namespace {

struct Sample {
  std::vector<float> responses;
  std::vector<std::uint32_t> weights;
  std::size_t positives;
};

// `values`: the number of distinct responses. The number is small, so that many responses are equal.
Sample random_sample(std::mt19937& random, std::size_t count, int values) {
  Sample sample;
  for (std::size_t i = 0; i < count; ++i) {
    const int value = static_cast<int>(random() % static_cast<unsigned>(values)) - values / 2;
    // 0 and -0 count as equal responses.
    sample.responses.push_back(value == 0 && random() % 2 == 0 ? -0.f : static_cast<float>(value) * 0.37f);
    sample.weights.push_back(static_cast<std::uint32_t>(random() % 1000));
  }
  sample.positives = random() % (count + 1);
  return sample;
}

std::int64_t least_error(const Sample& sample) {
  std::set<float> thresholds(sample.responses.begin(), sample.responses.end());
  thresholds.insert(-std::numeric_limits<float>::infinity());
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const float threshold : thresholds)
    for (const bool low : {false, true})
      least =
          std::min(least, stump_error({threshold, low}, sample.responses, sample.weights, sample.positives));
  return least;
}

TEST(SortedStump, FindsTheLeastErrorOfAllThresholds) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const Sample sample = random_sample(random, 1 + random() % 60, 1 + static_cast<int>(random() % 40));
    std::vector<std::uint64_t> scratch;
    SampleOrder order;
    sort_samples(sample.responses, scratch, order);
    const SortedStump best = best_stump(order, SignedWeights(sample.weights, sample.positives));
    EXPECT_EQ(best.error, least_error(sample));
    EXPECT_EQ(best.error, stump_error(with_threshold(best, order, sample.responses), sample.responses,
                                      sample.weights, sample.positives));
  }
}

TEST(SortedStump, OrdersNegativeAndPositiveResponses) {
  const std::vector<float> responses = {3.f, -1.f, 0.f, -7.5f, -0.f, 3.f};
  std::vector<std::uint64_t> scratch;
  SampleOrder order;
  sort_samples(responses, scratch, order);
  constexpr std::uint16_t kRises = 1 << 15;
  EXPECT_EQ(order, (SampleOrder{3, kRises | 1, kRises | 2, 4, kRises | 0, 5}));
}

TEST(SortedStump, RefusesMoreSamplesThanAnOrderHolds) {
  const std::vector<float> responses(kMostSortedSamples + 1);
  std::vector<std::uint64_t> scratch;
  SampleOrder order;
  EXPECT_ANY_THROW(sort_samples(responses, scratch, order));
}

}  // namespace
}  // namespace bench
