#include "sieve/tiles/tile_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "scale/plan_part.h"

namespace winnow {
namespace {

constexpr Size kWindow{24, 20};

struct Laid {
  LevelPlan plan;
  TileShape shapes[kTileLayouts] = {tile_shape(kWindow, 1, 64), tile_shape(kWindow, 2, 48)};
  TilePlaces tiles;

  explicit Laid(Size picture, int enough = 0) {
    plan_levels({picture, kWindow, 1.1, {}, {}}, plan);
    tiles = lay_tiles(plan, shapes, {}, enough);
  }
};

// The left neighbours of a tile must be handed out before the tile, which needs their verdicts. Every tile
// number must be handed out exactly once.
void expect_left_neighbours_first(const TilePlaces& tiles) {
  std::set<std::tuple<int, int, int>> before;
  std::vector<int> numbers(static_cast<std::size_t>(tiles.numbers));
  for (const TilePlace& place : tiles.places) {
    const TileLevel& level = tiles.levels[place.level];
    const int y = static_cast<int>(place.y);
    const bool first = place.x == 0;
    EXPECT_TRUE(first || before.contains({place.level, y, place.x - 1}));
    before.insert({place.level, y, place.x});
    ++numbers[static_cast<std::size_t>(level.number(place.x, y))];
  }
  EXPECT_EQ(numbers, std::vector<int>(numbers.size(), 1));
}

TEST(TilePlaces, ColumnAfterColumn) {
  for (const Size picture : {Size{640, 480}, Size{1921, 300}, Size{70, 900}, Size{24, 20}}) {
    SCOPED_TRACE(testing::Message() << picture.width << "x" << picture.height);
    const Laid laid(picture);
    int column = 0;
    for (const TilePlace& place : laid.tiles.places) {
      EXPECT_GE(place.x, column);  // tiles of all levels come column by column, so neighbours are far apart
      column = place.x;
    }
    expect_left_neighbours_first(laid.tiles);
  }
}

TEST(TilePlaces, LargestFirst) {
  for (const Size picture : {Size{640, 480}, Size{1921, 300}, Size{70, 900}, Size{24, 20}}) {
    SCOPED_TRACE(testing::Message() << picture.width << "x" << picture.height);
    Laid laid(picture, 300);
    put_largest_first(laid.tiles);
    int before = kTileCols * kMostTileRows;
    for (const TilePlace& place : laid.tiles.places) {
      const int across = laid.tiles.levels[place.level].cols - place.x * kTileCols;
      const int windows = place.extent.rows * std::min(kTileCols, across);
      EXPECT_LE(windows, before);
      before = windows;
    }
    expect_left_neighbours_first(laid.tiles);
  }
}

// Planes hold exactly the pixels that a tile's windows cover. Bands hold every row of pixels once.
TEST(TilePlaces, ExtentsCoverTheirWindows) {
  for (const int enough : {0, 300, 1000}) {
    const Laid laid({641, 479}, enough);
    for (const TilePlace& place : laid.tiles.places) {
      const TileLevel& level = laid.tiles.levels[place.level];
      const Level& of = laid.plan.levels[place.level];
      const TileShape& shape = laid.shapes[level.layout];
      const TileExtent& extent = place.extent;
      const int top = static_cast<int>(place.y) * level.tile_rows, left = place.x * kTileCols;
      const int columns = std::min(kTileCols, level.cols - left);
      EXPECT_EQ(extent.rows, std::min(level.tile_rows, level.rows - top));
      EXPECT_EQ(extent.halves_a_row, (columns + 31) / 32);
      EXPECT_EQ(extent.pixels, (columns - 1) * of.step + kWindow.width);
      EXPECT_LE(left * of.step + extent.pixels, of.width);
      const int pixel_rows = extent.plane_rows - 1;
      EXPECT_EQ(pixel_rows, (extent.rows - 1) * of.step + kWindow.height);
      EXPECT_LE(top * of.step + pixel_rows, of.height);
      EXPECT_LE(extent.plane_rows, shape.plane_rows);
      EXPECT_GE(extent.band * kTileBands, pixel_rows);
      EXPECT_LT((extent.band - 1) * kTileBands, pixel_rows);
      for (int row = 0; row < pixel_rows; ++row)
        EXPECT_EQ(row * extent.band_reciprocal >> 16, row / extent.band);
    }
  }
}

// The tiles of a part of a plan begin where the part's windows begin.
TEST(TilePlaces, PartsOfPlansBeginLower) {
  const Laid laid({641, 479});
  PlanPart part;
  std::vector<RowRange> rows(laid.plan.levels.size());
  rows[0] = {5, laid.plan.levels[0].rows};
  rows[1] = {100, 150};
  cut_plan(laid.plan, rows, part);
  const TilePlaces tiles = lay_tiles(part.windows, laid.shapes, {});
  ASSERT_EQ(tiles.levels.size(), 2u);
  EXPECT_EQ(tiles.levels[0].rows, laid.plan.levels[0].rows - 5);
  EXPECT_EQ(tiles.levels[1].rows, 50);
  expect_left_neighbours_first(tiles);
  std::int64_t windows = 0;
  for (const TilePlace& place : tiles.places) {
    const TileLevel& level = tiles.levels[place.level];
    const int columns = std::min(kTileCols, level.cols - place.x * kTileCols);
    const int top = std::array{10, 200}.at(place.level) +
                    static_cast<int>(place.y) * level.tile_rows * (level.layout + 1);
    EXPECT_EQ(place.top, top);
    windows += std::int64_t{place.extent.rows} * columns;
    EXPECT_LE(top + place.extent.plane_rows - 1, part.windows.levels[place.level].height);
  }
  EXPECT_EQ(windows, part.windows.window_count);
}

// There are at least `enough` tiles, unless they would have fewer than 16 rows of windows each. Tiles are not
// lower than necessary.
TEST(TilePlaces, LowerWhereThereAreFew) {
  const auto count = [](const Laid& laid) { return static_cast<int>(laid.tiles.places.size()); };
  const auto rows = [](const Laid& laid) { return laid.tiles.levels.back().tile_rows; };
  const Laid whole({640, 480});
  EXPECT_EQ(rows(whole), 64);
  EXPECT_EQ(whole.tiles.levels.front().tile_rows, 48);
  EXPECT_EQ(rows(Laid({640, 480}, count(whole))), 64);
  int before = 64;
  std::map<int, int> counts;  // maps a number of rows per tile to the number of tiles
  for (int enough = count(whole) + 1; enough < 3 * count(whole); ++enough) {
    const Laid laid({640, 480}, enough);
    EXPECT_LE(rows(laid), before);
    before = rows(laid);
    EXPECT_TRUE(count(laid) >= enough || rows(laid) == 16) << enough;
    counts[before] = count(laid);
    const auto higher = counts.upper_bound(before);
    EXPECT_TRUE(higher == counts.end() || higher->second < enough) << enough;
  }
  EXPECT_GE(counts.size(), 10u);
  EXPECT_EQ(before, 16);
  EXPECT_EQ(rows(Laid({100, 100}, 1 << 20)), 16);
}

}  // namespace
}  // namespace winnow
