// Compares the bits of windows that vary enough with the rule, window by window.
#include "track/tld/sift/spread_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/random.h"
#include "base/simd.h"
#include "base/simd_for_test.h"
#include "track/tld/sift/spread_rule.h"

namespace winnow {
namespace {

// Rows of two planes. Their numbers are right modulo 2^32, as those of real planes are.
struct Rows {
  std::vector<std::uint32_t> rows[4];
  std::size_t first = 3;

  Rows(Size window, int pixels, Random random) {
    // Columns of black and white pixels, then of grey ones.
    const int columns = static_cast<int>(first) + pixels + window.width - 1;
    for (std::vector<std::uint32_t>& row : rows) row.assign(1, static_cast<std::uint32_t>(random.bits()));
    for (int column = 0; column < columns; ++column) {
      std::uint32_t sum = 0, squares = 0;
      for (int y = 0; y < window.height; ++y) {
        const auto pixel = static_cast<std::uint32_t>(
            column < columns / 2 ? 255 * random.below(2) : 100 + random.below(column % 23 + 1));
        sum += pixel;
        squares += pixel * pixel;
      }
      const auto top = [&](int plane) {
        rows[plane].push_back(rows[plane].back() + static_cast<std::uint32_t>(random.bits()));
        return rows[plane].back() - rows[plane][rows[plane].size() - 2];
      };
      const std::uint32_t above = top(0), above_squares = top(2);
      rows[1].push_back(rows[1].back() + above + sum);
      rows[3].push_back(rows[3].back() + above_squares + squares);
    }
  }
  SpreadRows view() const {
    return {rows[0].data() + first, rows[1].data() + first, rows[2].data() + first, rows[3].data() + first};
  }
  std::uint64_t spread(Size window, int pixel) const {
    const auto sum_of = [&](int plane) {
      const std::uint32_t *top = rows[plane].data() + first + pixel,
                          *bottom = rows[plane + 1].data() + first + pixel;
      return bottom[window.width] - bottom[0] - top[window.width] + top[0];
    };
    return spread_of(static_cast<std::uint32_t>(window.width * window.height), sum_of(0), sum_of(2));
  }
};

TEST(SpreadLanes, TellWhatTheRuleTells) {
  const sample::GiveTargetBack give_back;
  int varied = 0, asked = 0;
  for (const Size window : {Size{24, 31}, Size{1, 1}, Size{2, 8}, Size{511, 512}}) {
    for (const int pixels : {1, 3, 4, 7, 8, 15, 16, 17, 40, 63, 64, 100}) {
      const Rows rows(window, pixels, Random(5, window.width, pixels));
      std::vector<std::uint64_t> spreads;
      for (int pixel = 0; pixel < std::min(pixels, kSpreadLanes); ++pixel)
        spreads.push_back(rows.spread(window, pixel));
      std::vector<std::uint64_t> sorted = spreads;
      std::sort(sorted.begin(), sorted.end());
      // The spread of a window itself, a little more and a little less, and what no window or each has.
      const auto middle = static_cast<double>(sorted[sorted.size() / 2]);
      for (const double least : {middle, middle + 0.25, middle - 0.25, middle + 1, 0.0, 1e30}) {
        for (const std::string& target : simd_targets()) {
          simd_force(target);
          for (const int wanted :
               {1, static_cast<int>(spreads.size()) / 2, static_cast<int>(spreads.size())}) {
            const std::uint64_t bits = find_varied_lanes(rows.view(), window, least, wanted, pixels);
            for (int pixel = 0; pixel < wanted; ++pixel) {
              const bool is_varied = static_cast<double>(spreads[static_cast<std::size_t>(pixel)]) >= least;
              ASSERT_EQ(bits >> pixel & 1, is_varied ? 1u : 0u)
                  << target << " " << window.width << " " << pixels << " " << pixel << " " << least;
              varied += is_varied ? 1 : 0;
              ++asked;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(varied, asked / 4);
  EXPECT_LT(varied, asked * 3 / 4);
}

}  // namespace
}  // namespace winnow
