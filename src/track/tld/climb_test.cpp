// Tests that a climb ends at the best box nearby.
#include "track/tld/climb.h"

#include <gtest/gtest.h>

#include <cmath>

namespace winnow {
namespace {

double apart(const RealBox& a, const RealBox& b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.width - b.width) +
         std::abs(a.height - b.height);
}

TEST(Climb, FindsTheSummit) {
  const RealBox from{100, 80, 30, 60}, summit{104, 74, 32, 64};
  const auto score = [&](const RealBox& box) { return -apart(box, summit); };
  const Climbed fine = climb(from, 0.125, score), coarse = climb(from, 1, score);
  EXPECT_LT(apart(fine.box, summit), 2.5);
  EXPECT_DOUBLE_EQ(fine.score, score(fine.box));
  EXPECT_GE(fine.score, coarse.score);
  EXPECT_GT(coarse.score, score(from));
}

TEST(Climb, StaysWhereNothingIsBetter) {
  const RealBox from{10, 20, 30, 45};
  int scores = 0;
  const Climbed end = climb(from, 0.5, [&](const RealBox&) {
    ++scores;
    return 1.0;
  });
  EXPECT_EQ(end.box, from);
  EXPECT_EQ(scores, 1 + 2 * 6);
}

TEST(Climb, EndsOnAnEndlessSlope) {
  const Climbed end = climb({0, 0, 15, 15}, 0.5, [](const RealBox& box) { return box.x; });
  EXPECT_DOUBLE_EQ(end.box.x, 12);
}

}  // namespace
}  // namespace winnow
