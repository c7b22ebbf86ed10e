#include "sieve/tile_places.h"

#include <algorithm>

namespace winnow {

TilePlaces lay_tiles(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts],
                     std::span<const Wave> waves) {
  TilePlaces tiles;
  for (const Level& level : plan.levels)
    tiles.levels.push_back({level.first_window, level.cols, 0, level.step - 1});
  const Wave all = whole_levels(plan, [](const Level& level) { return level.rows; });
  if (waves.empty()) waves = {&all, 1};
  for (const Wave& wave : waves) {
    for (const auto& [number, rows] : wave) {
      // An empty one may lie at the level's end, inside a row of tiles that is another's.
      if (rows.first >= rows.last) continue;
      TileLevel& level = tiles.levels[static_cast<std::size_t>(number)];
      level.rows = std::max(level.rows, rows.last);
      const int in_tile = shapes[level.layout].rows;
      for (int y = rows.first / in_tile; y * in_tile < rows.last; ++y) {
        for (int x = 0; x * kTileCols < level.cols; ++x) {
          tiles.places.push_back({static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(x),
                                  static_cast<std::uint32_t>(y)});
        }
      }
    }
    tiles.waves.end_wave(tiles.places.size());
  }
  return tiles;
}

}  // namespace winnow
