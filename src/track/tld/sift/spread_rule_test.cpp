// Tests the spread of a window's pixels, and the least spread of windows that vary enough.
#include "track/tld/sift/spread_rule.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(SpreadRule, AVarianceTimesTheSquareOfTheNumberOfPixels) {
  // Half of the pixels are 10, the others 13: all differ by 1.5 from the mean.
  for (const int height : {1, 7, 500}) {
    const auto count = static_cast<std::uint32_t>(24 * height), half = count / 2;
    const std::uint64_t spread = spread_of(count, 23 * half, 269 * half);
    EXPECT_EQ(static_cast<double>(spread), least_spread(2.25, 24, height)) << height;
    EXPECT_LT(static_cast<double>(spread), least_spread(2.2500001, 24, height)) << height;
    EXPECT_GT(static_cast<double>(spread), least_spread(2.2499999, 24, height)) << height;
  }
}

TEST(SpreadRule, SumsMayHaveWrapped) {
  // White pixels, one of them black. The sum of squares is above 2^32.
  constexpr std::uint32_t kCount = (1u << 18) - 1;
  constexpr std::uint64_t kSquares = std::uint64_t{255} * 255 * (kCount - 1);
  static_assert(kSquares > 0xFFFFFFFF);
  EXPECT_EQ(spread_of(kCount, 255 * (kCount - 1), static_cast<std::uint32_t>(kSquares)),
            std::uint64_t{255} * 255 * (kCount - 1));
}

}  // namespace
}  // namespace winnow
