// Lays out tiles: assigns the windows of a plan to the blocks of a device.
//
// In:     a plan with steps 1 and 2, the rows of windows that a tile may have for each step, and either waves
//         or `enough`. A wave is a set of windows in whole rows of tiles, except at a level's end. `enough`
//         is the number of tiles that keeps a device busy; if there would be fewer tiles, all are made lower.
//         `enough` is ignored if there are waves.
// Out:    tiles wave by wave. In a wave, the first columns of tiles of all levels come first, then the second
//         columns, and so on. Every window of a wave is in one tile. A tile comes after its left neighbours,
//         whose verdicts it needs, and mostly long after them.
// Exact:  the layout decides only speed.
// Memory: the result is the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/device/host_device.h"
#include "scale/plan.h"
#include "scale/waves.h"
#include "sieve/tiles/tile_program.h"

namespace winnow {

struct TileLevel {
  std::int64_t first_window;
  std::int32_t cols;
  std::int32_t rows;       // rows of windows from the level's first row to the last row of any wave
  std::int32_t layout;     // step - 1
  std::int32_t tile_rows;  // rows of windows per tile; a level's last tiles may have fewer
  // The number of the level's first tile, and the number of tiles per row. Tiles are numbered level by level,
  // row by row.
  std::int32_t first_number, across;

  WINNOW_HOST_DEVICE std::int64_t number(std::int64_t x, std::int64_t y) const {
    return first_number + y * across + x;
  }
};
static_assert(sizeof(TileLevel) == 32, "every thread of a tile reads its level");
// A tile of a wave. `x`, `y`: the tile's column and row, counted in tiles from the level's first window.
// `top`: the row of pixels at which the tile begins, counted from the level's first row of pixels. In a part
// of a plan, a level's first window may lie below that first row.
struct TilePlace {
  std::uint16_t level, x;
  std::uint32_t y;
  TileExtent extent;
  std::int32_t top;
};
struct TilePlaces {
  std::vector<TileLevel> levels;
  std::vector<TilePlace> places;
  std::int32_t numbers = 0;  // the number of all tiles, including tiles in no wave
  WaveEnds waves;            // which of the `places` belong to each wave
};

TilePlaces lay_tiles(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts],
                     std::span<const Wave> waves, int enough = 0);

// Sorts the tiles of each wave by size, largest first, so that small tiles run last. A tile still comes after
// its left neighbours, because no left neighbour is smaller and the sort is stable.
void put_largest_first(TilePlaces& tiles);

}  // namespace winnow
