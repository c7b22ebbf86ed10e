// Tests the tiles of a picture that is divided among devices and waves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scale/share.h"
#include "scale/waves.h"
#include "sieve/tiles/tile_places.h"

namespace winnow {
namespace {

// Expects that a tile reads only rows of pixels that its own wave or an earlier wave makes. No wave makes a
// row of pixels that an earlier wave has made.
void expect_pixels_are_made(const LevelPlan& plan, const TilePlaces& tiles, const DeviceWaves& waves) {
  std::vector<std::vector<bool>> made;  // per level: which rows of pixels are made
  for (const Level& level : plan.levels) made.emplace_back(static_cast<std::size_t>(level.height));
  for (std::size_t w = 0; w < waves.pixels.size(); ++w) {
    for (const auto& [number, rows] : waves.pixels[w]) {
      std::vector<bool>& of_level = made[static_cast<std::size_t>(number)];
      const auto first = of_level.begin() + rows.first, last = of_level.begin() + rows.last;
      if (w > 0) {
        EXPECT_EQ(std::count(first, last, true), 0) << "wave " << w << ", level " << number;
      }
      std::fill(first, last, true);
    }
    const WaveItems mine = tiles.waves.of(static_cast<int>(w));
    for (std::uint32_t i = mine.first; i < mine.first + mine.count; ++i) {
      const TilePlace& place = tiles.places[i];
      const std::vector<bool>& of_level = made[place.level];
      const int first = static_cast<int>(place.y) * tiles.levels[place.level].tile_rows *
                        plan.levels[place.level].step,
                last = first + place.extent.plane_rows - 1;
      ASSERT_LE(last, static_cast<int>(of_level.size()));
      EXPECT_EQ(std::count(of_level.begin() + first, of_level.begin() + last, false), 0)
          << "wave " << w << ", level " << place.level << ", tile " << place.x << ", " << place.y;
    }
  }
}

// Counts the windows of tiles as a device's kernel does.
TEST(TileShares, EveryWindowIsInOneTileOfOneShare) {
  const TileShape shapes[kTileLayouts] = {tile_shape({24, 24}, 1, 48), tile_shape({24, 24}, 2, 56)};
  for (const Size picture :
       {Size{2400, 1800}, Size{2501, 1777}, Size{640, 480}, Size{100, 700}, Size{24, 24}}) {
    LevelPlan plan;
    plan_levels({picture, {24, 24}, 1.1, {}, {}}, plan);
    for (const int devices : {1, 2, 4, 7}) {
      std::vector<std::uint8_t> judged(static_cast<std::size_t>(plan.window_count));
      int device = 0;
      for (const auto& rows : share_rows(plan, devices, [&](int step) { return shapes[step - 1].rows; })) {
        const RowRange own = equal_share(picture.height, device++, devices);
        const auto together = [&](int step) { return shapes[step - 1].rows; };
        const DeviceWaves waves =
            device_waves(plan, picture, {24, 24}, rows, together, arrivals(own, 100, picture.height));
        const TilePlaces tiles = lay_tiles(plan, shapes, waves.windows);
        std::vector<int> numbered(static_cast<std::size_t>(tiles.numbers));
        for (const TilePlace& place : tiles.places) {
          const TileLevel& level = tiles.levels[place.level];
          const int top = static_cast<int>(place.y) * level.tile_rows, left = place.x * kTileCols;
          const std::int64_t number = level.number(place.x, place.y);
          ASSERT_LT(number, tiles.numbers);
          EXPECT_EQ(++numbered[static_cast<std::size_t>(number)], 1);
          for (int row = top; row < top + place.extent.rows; ++row) {
            for (int col = left; col < std::min(left + 32 * place.extent.halves_a_row, level.cols); ++col)
              ++judged[static_cast<std::size_t>(level.first_window + std::int64_t{row} * level.cols + col)];
          }
        }
        expect_pixels_are_made(plan, tiles, waves);
      }
      // Every window must be judged exactly once.
      std::int64_t wrong = 0;
      for (const Level& level : plan.levels) {
        for (std::int64_t i = 0; i < std::int64_t{level.rows} * level.cols; ++i)
          wrong += judged[static_cast<std::size_t>(level.first_window + i)] != 1;
      }
      EXPECT_EQ(wrong, 0) << picture.width << "x" << picture.height << ", " << devices << " parts";
    }
  }
}

}  // namespace
}  // namespace winnow
