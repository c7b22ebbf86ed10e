// Tests ferns: pairs, patterns, and what they learn.
#include "track/tld/ferns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "base/random.h"

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

// The rule in plain loops: every pattern is asked in every round.
struct PlainFerns {
  struct Seen {
    std::int64_t object = 0, others = 0;
  };
  std::vector<Seen> seen = std::vector<Seen>(std::size_t{kFerns} << kFernBits);
  std::int64_t counted = 0;  // patterns of the object

  std::int32_t value(std::size_t at) const {
    const std::int64_t all = seen[at].object + seen[at].others;
    return all == 0 ? 0 : static_cast<std::int32_t>(seen[at].object * kFernOne / all);
  }
  static std::size_t place(std::size_t fern, const FernPattern& pattern) {
    return (fern << kFernBits) + pattern[fern];
  }
  std::int32_t sum(const FernPattern& pattern) const {
    std::int32_t all = 0;
    for (std::size_t fern = 0; fern < kFerns; ++fern) all += value(place(fern, pattern));
    return all;
  }
  // In the order of hashes, of which 32 bits count.
  void learn(const std::vector<FernPattern>& object, const std::vector<FernPattern>& others,
             std::int32_t enough, Random random, const std::function<bool(std::size_t)>& is_other) {
    std::vector<std::size_t> order(object.size() + others.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::uint64_t seed = random.bits();
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return hash(seed, a) >> 32 < hash(seed, b) >> 32; });
    for (int round = 0; round < 2; ++round) {
      for (const std::size_t i : order) {
        const bool is_object = i < object.size();
        const FernPattern& pattern = is_object ? object[i] : others[i - object.size()];
        if (!is_object && !is_other(i - object.size())) continue;
        if (is_object ? sum(pattern) > enough : sum(pattern) < 5 * kFernOne) continue;
        counted += is_object ? 1 : 0;
        for (std::size_t fern = 0; fern < kFerns; ++fern) {
          Seen& here = seen[place(fern, pattern)];
          ++(is_object ? here.object : here.others);
        }
      }
    }
  }
};

TEST(Ferns, LearnALongListAsPlainLoopsDo) {
  Ferns ferns;
  PlainFerns plain;
  Random random(4);
  std::int64_t counted = 0, late = 0;
  for (int lesson = 0; lesson < 60; ++lesson) {
    const int kinds = 2 + lesson % 4;
    const auto some = [&](int count) {
      std::vector<FernPattern> list(static_cast<std::size_t>(count));
      for (FernPattern& pattern : list)
        for (std::uint16_t& code : pattern) code = static_cast<std::uint16_t>(random.below(kinds));
      return list;
    };
    const std::vector<FernPattern> object = some(random.below(12)), others = some(random.below(200));
    std::vector<LikelyWindow> windows;
    for (std::size_t i = 0; i < others.size(); ++i)
      windows.push_back({static_cast<std::int64_t>(i), ferns.sum(others[i]), others[i]});
    // In some lessons the object's patterns do not count, so that no value rises. In some they can count only
    // when others have counted.
    std::int32_t least = 10 * kFernOne;
    for (const FernPattern& pattern : object) least = std::min(least, ferns.sum(pattern));
    const std::int32_t enough = lesson % 3 == 0 ? -1 : lesson % 3 == 1 ? 5 * kFernOne : least - 1;
    const std::int64_t before = plain.counted;
    if (lesson % 2 == 0) {
      ferns.learn(object, others, enough, Random(9, lesson));
      plain.learn(object, others, enough, Random(9, lesson), [](std::size_t) { return true; });
    } else {
      ferns.learn_windows(
          object, windows, [](const LikelyWindow& window) { return window.window % 4 != 1; }, enough,
          Random(9, lesson));
      plain.learn(object, others, enough, Random(9, lesson), [](std::size_t i) { return i % 4 != 1; });
    }
    late += lesson % 3 == 2 && plain.counted > before ? 1 : 0;
    for (std::size_t at = 0; at < plain.seen.size(); ++at)
      ASSERT_EQ(ferns.values()[at], plain.value(at)) << "lesson " << lesson;
  }
  EXPECT_GT(late, 5);
  for (const PlainFerns::Seen& seen : plain.seen) counted += seen.others;
  EXPECT_GT(counted, 1000);
}

}  // namespace
}  // namespace winnow
