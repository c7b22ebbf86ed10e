#include "learn/bins.h"

#include <gtest/gtest.h>
#include <winnow/backend.h>

#include <cmath>
#include <limits>
#include <random>

#include "learn/samples_for_test.h"
#include "sieve/stages.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

SamplePlanes planes_of(const Pack& pack, bool tilted) {
  SamplePlanes planes(pack.window, tilted, pack.positive_count());
  for (std::size_t b = 0; b < planes.chunks(); ++b)
    planes.fill_chunk(b * kSampleChunk, [&](std::size_t i) { return pack.positive(i); });
  return planes;
}

TEST(BinRule, ThresholdsSplitBinsExactly) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> any(-3.f, 3.f);
  for (int round = 0; round < 300; ++round) {
    const float low = any(random) * 0.1f;
    const BinRule rule = bin_rule(low, low + std::abs(any(random)) * 0.01f + 1e-6f);
    for (const int bin : {0, 1, 100, 200, 254}) {
      const float at = threshold_after(rule, bin);
      EXPECT_GT(bin_of(rule, at), bin);
      EXPECT_LE(bin_of(rule, std::nextafter(at, -1e30f)), bin);
    }
  }
  // Floats lie closest near zero. So a threshold near zero is the most floats away from the first guess.
  for (const float high : {0.5f, 0.3123f, 1e-3f, 3.f}) {
    const BinRule rule = bin_rule(-high, high);
    for (const int bin : {126, 127, 128}) {
      const float at = threshold_after(rule, bin);
      EXPECT_GT(bin_of(rule, at), bin);
      EXPECT_LE(bin_of(rule, std::nextafter(at, -1e30f)), bin);
    }
  }
  // No finite response is in a bin above 200.
  EXPECT_EQ(threshold_after({0.f, 1e-38f}, 200), std::numeric_limits<float>::infinity());
  EXPECT_EQ(bin_of(bin_rule(1.f, 1.f), 7.f), 0);
  EXPECT_EQ(bin_of(bin_rule(0.f, 1.f), -5.f), 0);
  EXPECT_EQ(bin_of(bin_rule(0.f, 1.f), 5.f), kBins - 1);
  EXPECT_EQ(bin_of(bin_rule(0.f, 1.f), 0.5f), 128);
}

// A feature's response equals the value that the sieve computes. So a stump with the response as its
// threshold rejects the window, and a stump with the next larger float passes the window.
TEST(Bins, ResponsesAreTheSieves) {
  const Pack pack = sample::make_sample_pack({13, 11}, 100, 0, 4);
  const SamplePlanes planes = planes_of(pack, true);
  const FeatureList list = list_features(FeatureSet::kHaarTilted, pack.window, 300, 9);
  const std::vector<BinFeature> features = bin_features(list);
  for (std::size_t f = 0; f < features.size(); ++f) {
    float responses[kSampleChunk];
    responses_ref(features[f], planes, 1, responses);
    for (std::size_t s : {std::size_t{0}, std::size_t{17}, std::size_t{35}}) {
      CascadeModel model;
      model.window = pack.window;
      model.haar = {list.haar[f]};
      model.nodes = {{0, -1, 0, responses[s]}};
      model.leaves = {1.f, 0.f};
      model.trees = {{0, 1, 0}};
      model.stages = {{0, 1, 0.5f}};
      const auto passes = [&](float threshold) {
        model.nodes[0].threshold = threshold;
        const auto sieve = make_sieve_ref(Cascade(model));
        LevelPlan plan;
        plan_levels({pack.window, pack.window, 2.0, {}, {}}, plan);
        SieveResult result;
        sieve->run(pack.positive(kSampleChunk + s), plan, result);
        return !result.survivors.empty();
      };
      EXPECT_FALSE(passes(responses[s]));
      EXPECT_TRUE(passes(std::nextafter(responses[s], 1e30f)));
    }
  }
}

class BinsByTarget : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};

TEST_P(BinsByTarget, LanesEqualTheReference) {
  for (const int count : {1, 63, 64, 130}) {
    const Pack pack = sample::make_sample_pack({15, 14}, count, 0, 8);
    for (const FeatureSet set : {FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
      const FeatureList list = list_features(set, pack.window, 400, 3);
      const SamplePlanes planes = planes_of(pack, list.tilted);
      for (const BinFeature& feature : bin_features(list)) {
        BinRule rule;
        if (set != FeatureSet::kLbp) {
          rule = choose_rule_ref(feature, planes);
          const BinRule lanes = choose_rule_cpu(feature, planes);
          ASSERT_EQ(rule.low, lanes.low);
          ASSERT_EQ(rule.per_unit, lanes.per_unit);
        }
        for (std::size_t b = 0; b < planes.chunks(); ++b) {
          std::uint8_t wanted[kSampleChunk], bins[kSampleChunk];
          bin_chunk_ref(feature, rule, planes, b, wanted);
          bin_chunk_cpu(feature, rule, planes, b, bins);
          ASSERT_EQ(std::vector<int>(wanted, wanted + kSampleChunk),
                    std::vector<int>(bins, bins + kSampleChunk));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, BinsByTarget, ::testing::ValuesIn(list_simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace winnow
