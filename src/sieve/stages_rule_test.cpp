#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sieve/stages_rule.h"

namespace winnow {
namespace {

TEST(StagesRule, TiesGoRightAndStay) {
  EXPECT_TRUE(haar_goes_left(3.f, 0.5f, 1.5000001f));
  EXPECT_FALSE(haar_goes_left(3.f, 0.5f, 1.5f));
  EXPECT_FALSE(haar_goes_left(std::numeric_limits<float>::quiet_NaN(), 1.f, 0.f));
  EXPECT_FALSE(stage_rejects(0.25, 0.25f));
  EXPECT_TRUE(stage_rejects(std::nextafter(0.25, 0.0), 0.25f));
}

TEST(StagesRule, TheSlackIsTakenOffInFloat) {
  ModelRules rules;
  EXPECT_EQ(stage_limit({0, 1, 0.822689f}, rules), 0.822689f - 1e-5f);
  EXPECT_EQ(stage_limit({0, 1, 1000.f}, rules), 1000.f);  // the slack is too small to change 1000
  rules.threshold_slack = 0;
  EXPECT_EQ(stage_limit({0, 1, 0.5f}, rules), 0.5f);
}

TEST(StagesRule, NormOfAWindow) {
  // 50 pixels have the value 10 and 50 have 30: the spread is 100 * 50,000 - 2,000^2 = 1,000,000.
  const WindowNorm norm = window_norm(100, 2000, 50'000);
  EXPECT_EQ(norm.factor, 1e-3f);
  EXPECT_FALSE(norm.flat == (100 * 1e-3f < 1e-1));
  EXPECT_TRUE(window_norm(100, 1000, 10'000).flat);  // all pixels 10
  EXPECT_EQ(window_norm(100, 1000, 10'000).factor, 1.f);
  EXPECT_TRUE(window_norm(100, 1001, 10'000).flat);   // a negative spread: the sums have wrapped
  EXPECT_TRUE(window_norm(100, 1000, 10'001).flat);   // spread 10^2, norm 1 / 10: 100 / 10 is not below 0.1
  EXPECT_TRUE(window_norm(100, 1000, 19'801).flat);   // spread 990^2, norm 1 / 990: 100 / 990 is above 0.1
  EXPECT_FALSE(window_norm(100, 1000, 20'201).flat);  // spread 1010^2, norm 1 / 1010: 100 / 1010 is below 0.1
  // A sum of squares is unsigned, up to 2^32. A sum of pixels from 2^31 on wraps to a negative number.
  EXPECT_FALSE(window_norm(2, 0, 4'000'000'000u).flat);
  EXPECT_EQ(window_norm(2, 0xFFFFFFFFu, 4'000'000'000u).factor, window_norm(2, 1, 4'000'000'000u).factor);
}

TEST(StagesRule, ValueOfAHaarFeature) {
  HaarFeature feature;
  feature.rects = {HaarRect{{0, 0, 1, 1}, -1.f}, HaarRect{{0, 0, 1, 1}, 2.f}, HaarRect{}};
  EXPECT_EQ(haar_value(feature, 100, 70, 12345), 40.f);
  feature.rects[2] = {{0, 0, 1, 1}, 0.5f};
  EXPECT_EQ(haar_value(feature, 100, 70, 10), 45.f);
  // Terms are added from the left: a large term swallows a small one before the third is added.
  feature.rects[0].weight = 1e8f, feature.rects[1].weight = 1.f, feature.rects[2].weight = -1e8f;
  EXPECT_EQ(haar_value(feature, 1, 1, 1), 0.f);
}

TEST(StagesRule, CodeOfAnLbpFeature) {
  //            128 64 32
  //              1  .  16
  //              2  4  8
  const std::uint32_t equal[9] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
  EXPECT_EQ(lbp_code(equal), 255);
  const int bits[9] = {128, 64, 32, 1, 0, 16, 2, 4, 8};
  for (int i = 0; i < 9; ++i) {
    std::uint32_t cells[9] = {4, 4, 4, 4, 5, 4, 4, 4, 4};
    if (i != 4) cells[i] = 6;
    EXPECT_EQ(lbp_code(cells), bits[i]) << i;
  }
}

TEST(StagesRule, SubsetsAreTwoHundredAndFiftySixBits) {
  for (int code = 0; code < 256; ++code) {
    LbpSubset subset{};
    subset[static_cast<std::size_t>(code / 32)] = static_cast<std::int32_t>(1u << (code % 32));
    for (int other = 0; other < 256; ++other) ASSERT_EQ(lbp_goes_left(subset, other), other == code);
  }
}

TEST(StagesRule, BinsOfATable) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float none = std::numeric_limits<float>::quiet_NaN();
  const auto bin = [](float value) { return table_bin(value, 0.5f, 1.f, 2.f); };
  EXPECT_EQ(bin(2.f), 0);  // exactly at `low`
  EXPECT_EQ(bin(-5.f), 0);
  EXPECT_EQ(bin(2.9f), 0);
  for (int b = 1; b < kTableBins; ++b) {
    const auto from = static_cast<float>(2 + b);
    EXPECT_EQ(bin(from), b);
    EXPECT_EQ(bin(std::nextafter(from, -kInfinity)), b - 1);
  }
  EXPECT_EQ(bin(18.f), 15);
  EXPECT_EQ(bin(1e30f), 15);
  EXPECT_EQ(bin(kInfinity), 15);
  EXPECT_EQ(bin(-kInfinity), 0);
  EXPECT_EQ(bin(none), 0);
  EXPECT_EQ(table_bin(7.f, none, 0.f, 1.f), 0);
  EXPECT_EQ(table_bin(1e30f, 1e30f, 0.f, 1.f), 15);  // the product exceeds every float
  // With `per_unit` 0 all values fall into one bin, even if the product of an infinite value and 0 is NaN.
  for (const float value : {-9.f, 0.f, 9.f, kInfinity, -kInfinity, none})
    EXPECT_EQ(table_bin(value, 1.f, -3.f, 0.f), 0);
}

}  // namespace
}  // namespace winnow
