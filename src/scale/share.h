// Divides a picture's rows among several devices as shares, and cuts one device's share into waves.
//
// In:     the level plan, the number of shares, and the number of rows of windows in a row of tiles.
// Out:    `share_rows`: per share and level a range of rows of windows. `device_waves`: per wave, the rows of
//         windows that can be judged once certain rows of the picture have arrived, and the rows of pixels
//         that these windows need.
// Exact:  every row of windows is in one share, and in one wave of that share. Shares have equally many
//         windows, give or take a row of tiles at either end.
// Memory: the caller owns plan and results.
// Thread: any.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scale/plan.h"
#include "scale/waves.h"

namespace winnow {

// The number of rows of windows in a row of tiles, on levels with this step. A row of tiles is never cut.
using TileRows = std::function<int(int step)>;

// Returns a list per share, with a range of rows of windows per level.
std::vector<std::vector<RowRange>> share_rows(const LevelPlan& plan, int devices, const TileRows& tile_rows);

// The rows of pixels of a level that these rows of windows cover.
RowRange pixel_rows(const Level& level, RowRange windows, Size window);
// The rows of the picture from which these rows of a level are resized.
RowRange source_rows(const Level& level, RowRange pixels, int picture_height);

// The rows of the picture that have arrived before each wave of a share. The share's own rows arrive first,
// from the top down, from the host. Each wave waits for about twice as many rows as the wave before it. The
// first wave waits for at least `least` rows, or for all own rows if there are fewer. All other rows arrive
// before one last wave.
std::vector<RowRange> arrivals(RowRange own, int least, int picture_height);

// The windows of a share. Each window is in the first wave that begins after the window's rows have arrived.
// The last wave has the whole picture. `pixels` lists the rows that a wave's windows cover and that no
// earlier wave has made.
struct DeviceWaves {
  std::vector<Wave> windows, pixels;
};
DeviceWaves device_waves(const LevelPlan& plan, Size picture, Size window, std::span<const RowRange> own,
                         const TileRows& tile_rows, std::span<const RowRange> there);

// Share number `device` of `devices` equal shares of `rows` rows.
RowRange equal_share(int rows, int device, int devices);

}  // namespace winnow
