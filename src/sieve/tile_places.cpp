#include "sieve/tile_places.h"

#include <algorithm>

namespace winnow {

TilePlaces lay_tiles(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts],
                     std::span<const Wave> waves) {
  TilePlaces tiles;
  for (const Level& level : plan.levels) {
    tiles.levels.push_back(
        {level.first_window, level.cols, 0, level.step - 1, 0, (level.cols + kTileCols - 1) / kTileCols});
  }
  const Wave all = whole_levels(plan, [](const Level& level) { return level.rows; });
  if (waves.empty()) waves = {&all, 1};
  int across = 0;  // of the widest level
  for (const Wave& wave : waves) {
    for (const auto& [number, rows] : wave) {
      TileLevel& level = tiles.levels[static_cast<std::size_t>(number)];
      if (rows.first < rows.last) level.rows = std::max(level.rows, rows.last);
      across = std::max(across, level.across);
    }
  }
  for (TileLevel& level : tiles.levels) {
    const int in_tile = shapes[level.layout].rows;
    level.first_number = tiles.numbers;
    tiles.numbers += level.across * ((level.rows + in_tile - 1) / in_tile);
  }
  for (const Wave& wave : waves) {
    for (int x = 0; x < across; ++x) {
      for (const auto& [number, rows] : wave) {
        const TileLevel& level = tiles.levels[static_cast<std::size_t>(number)];
        const TileShape& shape = shapes[level.layout];
        // Rows that are none may lie at the level's end, inside a row of tiles that is another's.
        if (rows.first >= rows.last || x >= level.across) continue;
        for (int y = rows.first / shape.rows; y * shape.rows < rows.last; ++y) {
          const int part_rows = std::min(shape.rows, level.rows - y * shape.rows),
                    part_columns = std::min(kTileCols, level.cols - x * kTileCols);
          tiles.places.push_back({static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(x),
                                  static_cast<std::uint32_t>(y),
                                  tile_part(shape, level.layout + 1, part_rows, part_columns)});
        }
      }
    }
    tiles.waves.end_wave(tiles.places.size());
  }
  return tiles;
}

}  // namespace winnow
