#include "session/share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sieve/tile_places.h"

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
      EXPECT_LE(*most - *least, 2 * most_in_band);
    }
  }
}

// Windows as a device's kernel takes them from its tiles.
TEST(Share, EveryWindowIsInOneTileOfOnePart) {
  TileShape shapes[kTileLayouts];
  shapes[0].rows = 48;
  shapes[1].rows = 56;
  for (const Size picture :
       {Size{2400, 1800}, Size{2501, 1777}, Size{640, 480}, Size{100, 700}, Size{24, 24}}) {
    LevelPlan plan;
    plan_levels({picture, {24, 24}, 1.1, {}, {}}, plan);
    for (const int parts : {1, 2, 4, 7}) {
      std::vector<std::uint8_t> judged(static_cast<std::size_t>(plan.window_count));
      for (const auto& rows : share_rows(plan, parts, [&](int step) { return shapes[step - 1].rows; })) {
        const TilePlaces tiles = lay_tiles(plan, shapes, rows);
        for (const TilePlace& place : tiles.places) {
          const TileLevel& level = tiles.levels[place.level];
          const int height = shapes[level.layout].rows, top = static_cast<int>(place.y) * height;
          for (int row = top; row < std::min(top + height, level.rows); ++row) {
            const int left = place.x * kTileCols;
            for (int col = left; col < std::min(left + kTileCols, level.cols); ++col)
              ++judged[static_cast<std::size_t>(level.first_window + std::int64_t{row} * level.cols + col)];
          }
        }
      }
      // Rows below a level's last walked one belong to no window.
      std::int64_t wrong = 0;
      for (const Level& level : plan.levels) {
        for (std::int64_t i = 0; i < std::int64_t{level.rows} * level.cols; ++i)
          wrong += judged[static_cast<std::size_t>(level.first_window + i)] != 1;
      }
      EXPECT_EQ(wrong, 0) << picture.width << "x" << picture.height << ", " << parts << " parts";
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
