#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include <winnow/error.h>

#include "base/simd.h"
#include "primitives/scan.h"

namespace winnow {
namespace {

class GiveTargetBack {
 public:
  ~GiveTargetBack() { simd_force(""); }
};

std::vector<std::uint32_t> random_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> values(size);
  for (std::uint32_t& v : values) v = static_cast<std::uint32_t>(random());
  return values;
}

void compare(const std::vector<std::uint32_t>& values, int threads) {
  std::vector<std::uint32_t> wanted(values.size()), got(values.size());
  const std::uint32_t total = std::accumulate(values.begin(), values.end(), 0u);
  std::inclusive_scan(values.begin(), values.end(), wanted.begin());
  ASSERT_EQ(inclusive_scan_ref(values, got), total);
  ASSERT_EQ(got, wanted);
  got.assign(values.size(), 1);
  ASSERT_EQ(inclusive_scan_cpu(values, got, threads), total);
  ASSERT_EQ(got, wanted);
  got = values;  // in place
  ASSERT_EQ(inclusive_scan_cpu(got, got, threads), total);
  ASSERT_EQ(got, wanted);

  std::exclusive_scan(values.begin(), values.end(), wanted.begin(), 0u);
  ASSERT_EQ(exclusive_scan_ref(values, got), total);
  ASSERT_EQ(got, wanted);
  got.assign(values.size(), 1);
  ASSERT_EQ(exclusive_scan_cpu(values, got, threads), total);
  ASSERT_EQ(got, wanted);
  got = values;
  ASSERT_EQ(exclusive_scan_cpu(got, got, threads), total);
  ASSERT_EQ(got, wanted);
}

TEST(Scan, SmallSizes) {
  const GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (std::size_t size = 0; size < 70; ++size) {
      SCOPED_TRACE(testing::Message() << target << ", size and seed " << size);
      compare(random_values(size, static_cast<unsigned>(size)), 1 + static_cast<int>(size % 3));
      if (HasFatalFailure()) return;
    }
  }
}

// Sizes lie around the limits from which the work is divided into two and into three ranges.
TEST(Scan, LargeSizesAndThreads) {
  const GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (const std::size_t size : {32767u, 32768u, 32769u, 49151u, 49152u, 100'003u}) {
      for (const int threads : {-1, 1, 2, 3, 100}) {
        SCOPED_TRACE(testing::Message() << target << ", size " << size << ", " << threads << " threads");
        compare(random_values(size, 3), threads);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Scan, SizesMustAgree) {
  const std::vector<std::uint32_t> values(5);
  std::vector<std::uint32_t> out(4);
  EXPECT_THROW(inclusive_scan_ref(values, out), Error);
  EXPECT_THROW(exclusive_scan_ref(values, out), Error);
  EXPECT_THROW(inclusive_scan_cpu(values, out), Error);
  EXPECT_THROW(exclusive_scan_cpu(values, out, 2), Error);
}

}  // namespace
}  // namespace winnow
