#include "sieve/tiles/tile_places.h"

#include <algorithm>
#include <functional>

namespace winnow {
namespace {

constexpr int kRowSteps = 4;
// The fewest rows of windows of a tile. With fewer, too many rows of pixels would lie in two tiles.
constexpr int kLeastRows = 16;

int tiles_across(const Level& level) { return (level.cols + kTileCols - 1) / kTileCols; }
int rows_of_tiles(int rows, int in_tile) { return (rows + in_tile - 1) / in_tile; }

// The largest number of rows per tile that gives at least `enough` tiles, but no fewer than kLeastRows rows.
int most_rows(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts], int enough) {
  int most = kMostTileRows;
  for (; most > kLeastRows; most -= kRowSteps) {
    int count = 0;
    for (const Level& level : plan.levels) {
      count += tiles_across(level) * rows_of_tiles(level.rows, std::min(most, shapes[level.step - 1].rows));
    }
    if (count >= enough) break;
  }
  return most;
}

}  // namespace

TilePlaces lay_tiles(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts],
                     std::span<const Wave> waves, int enough) {
  TilePlaces tiles;
  const int most = waves.empty() ? most_rows(plan, shapes, enough) : kMostTileRows;
  for (const Level& level : plan.levels) {
    tiles.levels.push_back({level.first_window, level.cols, 0, level.step - 1,
                            std::min(most, shapes[level.step - 1].rows), 0, tiles_across(level)});
  }
  const Wave all = whole_levels(plan, [](const Level& level) { return level.rows; });
  if (waves.empty()) waves = {&all, 1};
  int across = 0;  // the number of tiles in a row of the widest level
  for (const Wave& wave : waves) {
    for (const auto& [number, rows] : wave) {
      TileLevel& level = tiles.levels[static_cast<std::size_t>(number)];
      if (rows.first < rows.last) level.rows = std::max(level.rows, rows.last);
      across = std::max(across, level.across);
    }
  }
  for (TileLevel& level : tiles.levels) {
    level.first_number = tiles.numbers;
    tiles.numbers += level.across * rows_of_tiles(level.rows, level.tile_rows);
  }
  for (const Wave& wave : waves) {
    for (int x = 0; x < across; ++x) {
      for (const auto& [number, rows] : wave) {
        const TileLevel& level = tiles.levels[static_cast<std::size_t>(number)];
        // An empty range of rows may lie at the level's end, inside a row of tiles that belongs to another
        // wave. The loop below would list that row of tiles a second time.
        if (rows.first >= rows.last || x >= level.across) continue;
        const int in_tile = level.tile_rows;
        for (int y = rows.first / in_tile; y * in_tile < rows.last; ++y) {
          const int rows_here = std::min(in_tile, level.rows - y * in_tile),
                    columns_here = std::min(kTileCols, level.cols - x * kTileCols);
          tiles.places.push_back(
              {static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(x),
               static_cast<std::uint32_t>(y),
               tile_extent(shapes[level.layout], level.layout + 1, rows_here, columns_here),
               plan.levels[static_cast<std::size_t>(number)].corner.y + y * in_tile * (level.layout + 1)});
        }
      }
    }
    tiles.waves.end_wave(tiles.places.size());
  }
  return tiles;
}

void put_largest_first(TilePlaces& tiles) {
  for (std::size_t wave = 0; wave < tiles.waves.count(); ++wave) {
    const WaveItems of = tiles.waves.of(static_cast<int>(wave));
    std::ranges::stable_sort(std::span(tiles.places).subspan(of.first, of.count), std::greater{},
                             [&](const TilePlace& place) {
                               const int left = place.x * kTileCols, cols = tiles.levels[place.level].cols;
                               return place.extent.rows * std::min(kTileCols, cols - left);
                             });
  }
}

}  // namespace winnow
