#include <gtest/gtest.h>

#include "sieve/random_for_test.h"
#include "sieve/skip_rule.h"

namespace winnow {
namespace {

// The walk in plain form: one window after the other.
SkipWord walk(std::uint32_t rejects, bool skip) {
  std::uint32_t skipped = 0;
  for (int i = 0; i < 32; ++i) {
    if (skip) {
      skipped |= 1u << i;
      skip = false;
    } else {
      skip = (rejects >> i & 1) != 0;
    }
  }
  return {skipped, skip};
}

void compare(std::uint32_t rejects) {
  for (const bool skip_first : {false, true}) {
    const SkipWord wanted = walk(rejects, skip_first), got = skip_after_rejects(rejects, skip_first);
    ASSERT_EQ(got.skipped, wanted.skipped) << std::hex << rejects << ", carry " << skip_first;
    ASSERT_EQ(got.skip_next, wanted.skip_next) << std::hex << rejects << ", carry " << skip_first;
  }
}

TEST(SkipRule, SixteenBitPatternsEverywhere) {
  for (std::uint32_t pattern = 0; pattern < 1u << 16; ++pattern) {
    for (const int at : {0, 1, 7, 15, 16}) {
      compare(pattern << at);
      compare(~(pattern << at));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SkipRule, RandomWords) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    sample::Random random(seed);
    for (int i = 0; i < 200'000; ++i) {
      // Words in which one half, three quarters and one quarter of the bits are rejects, on average.
      const std::uint64_t bits = random.bits(), more = random.bits();
      compare(static_cast<std::uint32_t>(bits));
      compare(static_cast<std::uint32_t>(bits | more));
      compare(static_cast<std::uint32_t>(bits & more));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SkipRule, AWordByHand) {
  // The first stage would reject windows 0, 1, 2 and 5. The walk skips window 1 after 0, 3 after 2, and 6
  // after 5.
  const SkipWord word = skip_after_rejects(0b100111, false);
  EXPECT_EQ(word.skipped, 0b1001010u);
  EXPECT_FALSE(word.skip_next);
  EXPECT_TRUE(skip_after_rejects(1u << 31, false).skip_next);
  EXPECT_EQ(skip_after_rejects(0, true).skipped, 1u);
}

}  // namespace
}  // namespace winnow
