// Tests that percentiles of frame times are those of the sorted list, within the stated error.
#include "terminal/frame_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace winnow::cli {
namespace {

constexpr double kError = 0.01;

TEST(FrameTimes, PercentilesAreThoseOfTheSortedList) {
  std::mt19937 random(5);
  // Times from 2 us to 1,000 s.
  std::uniform_real_distribution<double> exponent(-5.7, 3);
  for (const std::size_t count : {1, 2, 3, 20, 21, 5000}) {
    SCOPED_TRACE(count);
    FrameTimes times;
    std::vector<double> list;
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back(std::pow(10, exponent(random)));
      times.add(list.back());
    }
    std::sort(list.begin(), list.end());
    for (const double fraction : {0.0, 0.05, 0.5, 0.95, 1.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(count)));
      const double wanted = list[std::max<std::size_t>(rank, 1) - 1];
      EXPECT_NEAR(times.percentile(fraction), wanted, wanted * kError) << fraction;
    }
    EXPECT_EQ(times.greatest(), list.back());
  }
}

TEST(FrameTimes, EqualTimesGiveOneFigure) {
  FrameTimes times;
  EXPECT_TRUE(times.empty());
  EXPECT_EQ(times.percentile(0.5), 0);
  for (int i = 0; i < 7; ++i) times.add(0.0123);
  EXPECT_FALSE(times.empty());
  EXPECT_EQ(times.text(), "median 12.3 ms, 95th percentile 12.3 ms, greatest 12.3 ms");
}

TEST(FrameTimes, OneSlowFrameOfTwentyOneIsAboveThe95thPercentile) {
  FrameTimes times;
  times.add(8);
  for (int i = 0; i < 20; ++i) times.add(0.002);
  EXPECT_EQ(times.text(), "median 2.00 ms, 95th percentile 2.00 ms, greatest 8000.0 ms");
}

TEST(FrameTimes, TimesOutOfRangeCountAsTheNearest) {
  FrameTimes times;
  times.add(0);
  EXPECT_EQ(times.percentile(0.5), 1e-6);
  times.add(1e9);
  EXPECT_EQ(times.percentile(1), 3600);
  EXPECT_EQ(times.greatest(), 3600);
}

}  // namespace
}  // namespace winnow::cli
