#include "sieve/tile_places.h"

namespace winnow {

TilePlaces lay_tiles(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts],
                     std::span<const RowRange> wanted) {
  TilePlaces tiles;
  for (const Level& level : plan.levels) {
    const int layout = level.step - 1, rows = shapes[layout].rows;
    const auto number = static_cast<std::uint16_t>(tiles.levels.size());
    RowRange range = wanted.empty() ? RowRange{0, level.rows} : wanted[number];
    // An empty one may lie at the level's end, inside a row of tiles that is another's.
    if (range.first >= range.last) range = {};
    tiles.levels.push_back({level.first_window, level.cols, range.last, layout});
    for (int y = range.first / rows; y * rows < range.last; ++y) {
      for (int x = 0; x * kTileCols < level.cols; ++x)
        tiles.places.push_back({number, static_cast<std::uint16_t>(x), static_cast<std::uint32_t>(y)});
    }
  }
  return tiles;
}

}  // namespace winnow
