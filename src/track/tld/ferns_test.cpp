// Tests ferns: pairs, patterns, and what they learn.
#include "track/tld/ferns.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace winnow {
namespace {

FernPattern pattern_of(std::uint16_t value) {
  FernPattern pattern;
  pattern.fill(value);
  return pattern;
}

TEST(Ferns, PairsShareARowOrAColumn) {
  const FernPairs pairs = make_fern_pairs(3);
  int rows = 0;
  for (const FernPair& pair : pairs) {
    EXPECT_TRUE(pair.x[0] == pair.x[1] || pair.y[0] == pair.y[1]);
    rows += pair.y[0] == pair.y[1] && pair.x[0] != pair.x[1] ? 1 : 0;
  }
  EXPECT_GT(rows, kFernPairs / 3);
  EXPECT_LT(rows, 2 * kFernPairs / 3);
}

TEST(Ferns, OffsetsLieInTheWindow) {
  const FernPairs pairs = make_fern_pairs(4);
  for (const Size window : {Size{24, 31}, Size{1, 1}, Size{300, 8}}) {
    std::int32_t right = 0, bottom = 0;
    for (const auto& ends : fern_offsets(pairs, window, 1000))
      for (const std::int32_t offset : ends) {
        EXPECT_GE(offset, 0);
        right = std::max(right, offset % 1000);
        bottom = std::max(bottom, offset / 1000);
      }
    EXPECT_LT(right, window.width);
    EXPECT_LT(bottom, window.height);
    EXPECT_GT(right, window.width * 9 / 10 - 2);
    EXPECT_GT(bottom, window.height * 9 / 10 - 2);
  }
}

TEST(Ferns, TheFirstPairGivesTheHighestBit) {
  const FernPattern pattern = fern_pattern([](std::size_t pair, std::size_t end) {
    return static_cast<int>(end == 0 && (pair == 0 || pair == 2 * kFernBits + 12));
  });
  EXPECT_EQ(pattern[0], 1 << 12);
  EXPECT_EQ(pattern[1], 0);
  EXPECT_EQ(pattern[2], 1);
  const FernPattern equal = fern_pattern([](std::size_t, std::size_t) { return 7; });
  EXPECT_EQ(equal, pattern_of(0));
}

TEST(Ferns, AValueIsTheObjectsPartOfWhatWasSeen) {
  Ferns ferns;
  const std::vector<FernPattern> object{pattern_of(5)}, other{pattern_of(6)};
  EXPECT_EQ(ferns.sum(object[0]), 0);
  ferns.learn(object, {}, 10 * kFernOne, Random(1));
  EXPECT_EQ(ferns.sum(object[0]), 10 * kFernOne);
  EXPECT_EQ(ferns.sum(other[0]), 0);
  // Two rounds made the object's pattern count twice. As something else it counts once: its sum is then below
  // half.
  ferns.learn({}, object, 0, Random(1));
  ferns.learn({}, object, 0, Random(1));
  EXPECT_EQ(ferns.sum(object[0]), 10 * (kFernOne * 2 / 5));
}

TEST(Ferns, LearnsOnlyWhatItDoesNotKnow) {
  Ferns ferns;
  const std::vector<FernPattern> object{pattern_of(1)}, other{pattern_of(2)};
  ferns.learn(object, other, -1, Random(1));  // no sum is at most -1, and the other's sum is below half
  EXPECT_EQ(ferns.sum(object[0]), 0);
  EXPECT_EQ(ferns.sum(other[0]), 0);
  ferns.learn(object, other, 0, Random(1));  // counts in the first round alone: then its sum is above 0
  ferns.learn({}, object, 0, Random(1));
  EXPECT_EQ(ferns.sum(object[0]), 10 * (kFernOne / 3));
}

}  // namespace
}  // namespace winnow
