// Tests how a model's defaults fill options, and which defaults a model's card may have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <winnow/detection.h>
#include <winnow/error.h>
#include <winnow/search_defaults.h>

namespace winnow {
namespace {

const SearchDefaults kDefaults{1.2, 1.5, {4, 8}, Merge::kSupport, 7, -0.5, 2.5, 0.3};

TEST(SearchDefaults, FillWhatOptionsLeaveOut) {
  const DetectOptions options = complete_options({}, kDefaults);
  EXPECT_EQ(options.scale_factor, 1.2);
  EXPECT_EQ(options.enlarge, 1.5);
  EXPECT_EQ(options.step, (Size{4, 8}));
  EXPECT_EQ(options.merge, Merge::kSupport);
  EXPECT_EQ(options.min_neighbors, 7);
  EXPECT_EQ(options.min_score, -0.5);
  EXPECT_EQ(options.min_support, 2.5);
  EXPECT_EQ(options.border, 0.3);
}

TEST(SearchDefaults, WhatIsGivenStays) {
  DetectOptions given;
  given.scale_factor = 1.3;
  given.enlarge = 2;
  given.step = {16, 0};
  given.merge = Merge::kGroups;
  given.min_neighbors = 0;
  given.min_score = 1;
  given.min_support = 0;
  given.border = 0;
  const DetectOptions options = complete_options(given, kDefaults);
  EXPECT_EQ(options.scale_factor, 1.3);
  EXPECT_EQ(options.enlarge, 2);
  EXPECT_EQ(options.step, (Size{16, 0}));
  EXPECT_EQ(options.merge, Merge::kGroups);
  EXPECT_EQ(options.min_neighbors, 0);
  EXPECT_EQ(options.min_score, 1);
  EXPECT_EQ(options.min_support, 0);
  EXPECT_EQ(options.border, 0);
}

TEST(SearchDefaults, NonsenseIsRefused) {
  check_search_defaults({});
  check_search_defaults(kDefaults);
  const double nan = std::nan("");
  const auto refused = [](auto change) {
    SearchDefaults defaults = kDefaults;
    change(defaults);
    EXPECT_THROW(check_search_defaults(defaults), Error);
  };
  for (const double bad : {1., 0.5, nan, std::numeric_limits<double>::infinity()})
    refused([&](SearchDefaults& d) { d.scale_factor = bad; });
  for (const double bad : {0.9, 4.1, nan}) refused([&](SearchDefaults& d) { d.enlarge = bad; });
  for (const double bad : {-0.1, 1.1, nan}) refused([&](SearchDefaults& d) { d.border = bad; });
  for (const int bad : {-1, 65537}) refused([&](SearchDefaults& d) { d.step.height = bad; });
  refused([&](SearchDefaults& d) { d.min_score = nan; });
  refused([&](SearchDefaults& d) { d.min_support = nan; });
}

}  // namespace
}  // namespace winnow
