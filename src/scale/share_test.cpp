#include "scale/share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scale/resize_rule.h"
#include "scale/waves.h"

namespace winnow {
namespace {

TEST(Share, EveryRowIsInOneShareAndSharesAreAlike) {
  for (const Size picture :
       {Size{4096, 3000}, Size{1920, 1080}, Size{640, 480}, Size{100, 2000}, Size{24, 24}}) {
    LevelPlan plan;
    plan_levels({picture, {20, 20}, 1.1, {}, {}}, plan);
    for (const int devices : {1, 2, 3, 4, 7}) {
      const auto together = [](int step) { return step == 2 ? 56 : 48; };
      const auto shares = share_rows(plan, devices, together);
      ASSERT_EQ(shares.size(), static_cast<std::size_t>(devices));
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
      EXPECT_LE(*most - *least, 2 * most_in_band);
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
  level.corner = {0, 30};  // a level of a `PlanPart` may begin below the top
  EXPECT_EQ(pixel_rows(level, {0, 5}, {20, 24}), (RowRange{30, 62}));
  EXPECT_EQ(pixel_rows(level, {5, 24}, {20, 24}), (RowRange{40, 100}));
}

TEST(Share, RowsOfThePictureThatALevelIsResizedFrom) {
  LevelPlan plan;
  plan_levels({{640, 480}, {24, 24}, 1.1, {}, {}}, plan);
  for (const Level& level : plan.levels) {
    for (int row = 0; row < level.height; ++row) {
      const ResizeTap tap = resize_tap(row, 480, level.height);
      const RowRange source = source_rows(level, {row, row + 1}, 480);
      EXPECT_EQ(source.first, level.height == 480 ? row : tap.offset);
      EXPECT_EQ(source.last, source.first + (level.height != 480 && tap.weight > 0 ? 2 : 1));
      EXPECT_LE(source.last, 480);
    }
  }
  EXPECT_EQ(source_rows(plan.levels[3], {5, 5}, 480), (RowRange{0, 0}));
}

TEST(Share, RowsArriveTwiceAsManyEachTime) {
  using Ranges = std::vector<RowRange>;
  EXPECT_EQ(arrivals({0, 4096}, 1024, 16384), (Ranges{{0, 1024}, {0, 2048}, {0, 4096}, {0, 16384}}));
  EXPECT_EQ(arrivals({12288, 16384}, 1024, 16384),
            (Ranges{{12288, 13312}, {12288, 14336}, {12288, 16384}, {0, 16384}}));
  EXPECT_EQ(arrivals({0, 1000}, 501, 1000), (Ranges{{0, 1000}}));
  EXPECT_EQ(arrivals({0, 1200}, 600, 1200), (Ranges{{0, 600}, {0, 1200}}));
  EXPECT_EQ(arrivals({40, 50}, 300, 1200), (Ranges{{40, 50}, {0, 1200}}));
  EXPECT_EQ(arrivals({7, 7}, 300, 1200), (Ranges{{7, 7}, {0, 1200}}));
}

// A wave's windows need only rows that have arrived, and at least one row that had not arrived before the
// previous wave.
TEST(Share, WindowsAreInTheFirstWaveThatHasTheirRows) {
  const Size picture{900, 5000}, window{24, 24};
  const auto together = [](int step) { return step == 2 ? 64 : 48; };
  LevelPlan plan;
  plan_levels({picture, window, 1.1, {}, {}}, plan);
  for (const int devices : {1, 2, 3}) {
    const auto shares = share_rows(plan, devices, together);
    for (int device = 0; device < devices; ++device) {
      const std::vector<RowRange> there =
          arrivals(equal_share(picture.height, device, devices), 200, picture.height);
      const DeviceWaves waves =
          device_waves(plan, picture, window, shares[static_cast<std::size_t>(device)], together, there);
      ASSERT_EQ(waves.windows.size(), there.size());
      const auto has = [&](std::size_t wave, RowRange rows) {
        return rows.first >= there[wave].first && rows.last <= there[wave].last;
      };
      std::vector<std::int64_t> windows(there.size());
      for (std::size_t w = 0; w < there.size(); ++w) {
        ASSERT_EQ(waves.windows[w].size(), waves.pixels[w].size());
        for (std::size_t i = 0; i < waves.windows[w].size(); ++i) {
          const auto [number, rows] = waves.windows[w][i];
          const Level& level = plan.levels[static_cast<std::size_t>(number)];
          const RowRange covered = pixel_rows(level, rows, window), mine = waves.pixels[w][i].rows;
          EXPECT_EQ(waves.pixels[w][i].level, number);
          EXPECT_GE(mine.first, covered.first);
          EXPECT_LE(mine.last, covered.last);
          if (w == 0) {
            EXPECT_EQ(mine, covered);
          }
          EXPECT_TRUE(has(w, source_rows(level, mine, picture.height)));
          for (int row = rows.first; w > 0 && row < rows.last; row += together(level.step)) {
            const RowRange band{row, std::min(row + together(level.step), rows.last)};
            EXPECT_FALSE(has(w - 1, source_rows(level, pixel_rows(level, band, window), picture.height)));
          }
          windows[w] += std::int64_t{rows.last - rows.first} * level.cols;
        }
      }
      // Most windows do not wait for rows of other shares.
      if (devices > 1) {
        std::int64_t all = 0;
        for (const std::int64_t of : windows) all += of;
        EXPECT_LT(windows.back() * 2, all);
      }
    }
  }
}

TEST(Share, EqualSharesCoverAllRows) {
  for (const int rows : {0, 1, 3, 16384}) {
    for (const int devices : {1, 2, 3, 4}) {
      int next = 0;
      for (int device = 0; device < devices; ++device) {
        const RowRange range = equal_share(rows, device, devices);
        EXPECT_EQ(range.first, next);
        next = range.last;
      }
      EXPECT_EQ(next, rows);
    }
  }
}

}  // namespace
}  // namespace winnow
