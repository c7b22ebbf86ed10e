#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "base/simd.h"
#include "primitives/reduce.h"

namespace winnow {
namespace {

class GiveTargetBack {
 public:
  ~GiveTargetBack() { simd_force(""); }
};

TEST(Reduce, ByHand) {
  const std::vector<std::uint32_t> values{7, 4294967295u, 3, 4294967295u};
  EXPECT_EQ(sum_ref(values), 8589934600u);
  EXPECT_EQ(extremes_ref(values), (Extremes{3, 4294967295u}));
  EXPECT_EQ(sum_ref({}), 0u);
  EXPECT_EQ(extremes_ref({}), (Extremes{std::numeric_limits<std::uint32_t>::max(), 0}));
}

TEST(Reduce, CpuEqualsTheReference) {
  const GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (std::size_t size = 0; size < 200; ++size) {
      SCOPED_TRACE(testing::Message() << target << ", size and seed " << size);
      std::mt19937 random(static_cast<unsigned>(size));
      std::vector<std::uint32_t> values(size + 1);
      for (std::uint32_t& v : values)
        v = size % 3 == 0 ? 0xFFFFFFFFu - random() % 3 : static_cast<std::uint32_t>(random());
      const std::span<const std::uint32_t> odd = std::span(values).subspan(1);  // a list that is not aligned
      ASSERT_EQ(sum_cpu(odd), sum_ref(odd));
      ASSERT_EQ(sum_cpu(odd), std::accumulate(odd.begin(), odd.end(), std::uint64_t{0}));
      ASSERT_EQ(extremes_cpu(odd), extremes_ref(odd));
    }
  }
}

// Tests that an extreme is found at every place of the list.
TEST(Reduce, ExtremesAtEveryPlace) {
  const GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (std::size_t at = 0; at < 75; ++at) {
      std::vector<std::uint32_t> values(75, 1000);
      values[at] = 5;
      EXPECT_EQ(extremes_cpu(values), (Extremes{5, 1000})) << at;
      values[at] = 3'000'000'000u;
      EXPECT_EQ(extremes_cpu(values), (Extremes{1000, 3'000'000'000u})) << at;
    }
  }
}

}  // namespace
}  // namespace winnow
