// Where tiles lie: which windows of a plan a block of a device judges.
// In: a plan, rows of windows that a tile may have for each step, and the waves of windows that are wanted
// (whole rows of tiles, but at a level's end), or how many tiles are enough to keep a device busy: where
// there are fewer, tiles are made lower. Out: tiles wave by wave, column after column of all levels: every
// wanted window is in one of them, and a tile comes after its left neighbours, for whose verdicts it waits,
// mostly long after. exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/host_device.h"
#include "scale/plan.h"
#include "scale/waves.h"
#include "sieve/tiles/device_program.h"

namespace winnow {

struct TileLevel {
  std::int64_t first_window;
  std::int32_t cols;
  std::int32_t rows;  // from the first on, up to the last that is wanted
  std::int32_t layout;
  std::int32_t tile_rows;  // of windows, in each tile but a level's last ones
  // Tiles are numbered level by level, row by row: the number of the first, and how many a row has.
  std::int32_t first_number, across;

  WINNOW_HOST_DEVICE std::int64_t number(std::int64_t x, std::int64_t y) const {
    return first_number + y * across + x;
  }
};
struct TilePlace {
  std::uint16_t level, x;
  std::uint32_t y;
  TilePart part;
};
struct TilePlaces {
  std::vector<TileLevel> levels;
  std::vector<TilePlace> places;
  std::int32_t numbers = 0;  // that tiles have, those that are not wanted among them
  WaveEnds waves;            // of places
};

TilePlaces lay_tiles(const LevelPlan& plan, const TileShape (&shapes)[kTileLayouts],
                     std::span<const Wave> waves, int enough = 0);

// In each wave largest tiles first, so that those which begin when others are done are small. A tile still
// comes after its left neighbours, none of which is smaller.
void put_largest_first(TilePlaces& tiles);

}  // namespace winnow
