#include "session/share.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(Share, EveryRowIsInOnePartAndPartsAreAlike) {
  for (const Size picture :
       {Size{4096, 3000}, Size{1920, 1080}, Size{640, 480}, Size{100, 2000}, Size{24, 24}}) {
    LevelPlan plan;
    plan_levels({picture, {20, 20}, 1.1, {}, {}}, plan);
    for (const int parts : {1, 2, 3, 4, 7}) {
      const auto together = [](int step) { return step == 2 ? 56 : 48; };
      const auto shares = share_rows(plan, parts, together);
      ASSERT_EQ(shares.size(), static_cast<std::size_t>(parts));
      std::vector<std::int64_t> windows(shares.size());
      std::int64_t most_in_band = 0;
      for (std::size_t l = 0; l < plan.levels.size(); ++l) {
        const Level& level = plan.levels[l];
        int next = 0;
        for (std::size_t p = 0; p < shares.size(); ++p) {
          ASSERT_EQ(shares[p].size(), plan.levels.size());
          const RowRange range = shares[p][l];
          EXPECT_EQ(range.first, next);
          EXPECT_GE(range.last, range.first);
          EXPECT_TRUE(range.last % together(level.step) == 0 || range.last == level.rows);
          next = range.last;
          windows[p] += std::int64_t{range.last - range.first} * level.cols;
        }
        EXPECT_EQ(next, level.rows);
        most_in_band = std::max<std::int64_t>(most_in_band, std::int64_t{level.cols} * together(level.step));
      }
      const auto [least, most] = std::minmax_element(windows.begin(), windows.end());
      EXPECT_LE(*most - *least, most_in_band);
    }
  }
}

TEST(Share, PixelsThatWindowsCover) {
  Level level;
  level.height = 100;
  level.step = 2;
  EXPECT_EQ(pixel_rows(level, {0, 5}, {20, 24}), (RowRange{0, 32}));
  EXPECT_EQ(pixel_rows(level, {5, 40}, {20, 24}), (RowRange{10, 100}));
  EXPECT_EQ(pixel_rows(level, {7, 7}, {20, 24}), (RowRange{0, 0}));
}

TEST(Share, EqualSharesCoverAllRows) {
  for (const int rows : {0, 1, 3, 16384}) {
    for (const int parts : {1, 2, 3, 4}) {
      int next = 0;
      for (int part = 0; part < parts; ++part) {
        const RowRange range = equal_share(rows, part, parts);
        EXPECT_EQ(range.first, next);
        next = range.last;
      }
      EXPECT_EQ(next, rows);
    }
  }
}

}  // namespace
}  // namespace winnow
