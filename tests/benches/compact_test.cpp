#include <gtest/gtest.h>

#include <vector>

#include <winnow/error.h>

#include "base/simd.h"
#include "primitives/compact.h"
#include "sieve/random_for_test.h"

namespace winnow {
namespace {

class GiveTargetBack {
 public:
  ~GiveTargetBack() { simd_force(""); }
};

TEST(Compact, ByHand) {
  const std::vector<std::int64_t> windows{10, 20, 30, 1LL << 40, 50};
  std::vector<std::int64_t> out(5, -1);
  const std::uint64_t mask[] = {~std::uint64_t{0b10010}};  // bits beyond the last window are set, too
  EXPECT_EQ(compact_ref(windows, mask, out), 3u);
  EXPECT_EQ(out, (std::vector<std::int64_t>{10, 30, 1LL << 40, -1, -1}));
}

TEST(Compact, CpuEqualsTheReference) {
  const GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      SCOPED_TRACE(testing::Message() << target << ", seed " << seed);
      sample::Random random(seed);
      const int size = seed < 200 ? static_cast<int>(seed) : random.between(200, 3000);
      // The fraction of windows that live: none, few, some, most or all. In every third word of the mask, 1
      // minus this fraction lives.
      const double fraction = random.one_of(std::vector<double>{0, 0.02, 0.1, 0.3, 0.5, 0.9, 1});
      std::vector<std::int64_t> windows(static_cast<std::size_t>(size)), wanted(windows), got(windows);
      std::vector<std::uint64_t> mask(windows.size() / 64 + 1, ~std::uint64_t{0});
      std::vector<std::int64_t> by_hand;
      std::int64_t id = -5;
      for (std::size_t i = 0; i < windows.size(); ++i) {
        windows[i] = id += 1 + static_cast<std::int64_t>(random.bits() >> 40);
        const double here = i / 64 % 3 == 1 ? 1 - fraction : fraction;
        if (!random.chance(here)) mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
        if ((mask[i / 64] >> (i % 64) & 1) != 0) by_hand.push_back(windows[i]);
      }
      const std::size_t kept = compact_ref(windows, mask, wanted);
      ASSERT_EQ(std::vector<std::int64_t>(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(kept)),
                by_hand);
      ASSERT_EQ(compact_cpu(windows, mask, got), kept);
      for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(got[i], wanted[i]) << i;
      ASSERT_EQ(compact_cpu(windows, mask, windows), kept) << "in its own place";
      for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(windows[i], wanted[i]) << i << ", in its own place";
    }
  }
}

TEST(Compact, RoomIsChecked) {
  const std::vector<std::int64_t> windows(65);
  std::vector<std::int64_t> out(65);
  const std::vector<std::uint64_t> mask(2);
  for (const auto& compact : {compact_ref, compact_cpu}) {
    EXPECT_EQ(compact(windows, mask, out), 0u);
    EXPECT_THROW(compact(windows, std::span(mask).first(1), out), Error);
    EXPECT_THROW(compact(windows, mask, std::span(out).first(64)), Error);
    EXPECT_EQ(compact({}, {}, {}), 0u);
  }
}

}  // namespace
}  // namespace winnow
