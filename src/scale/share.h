// A picture's work dealt to several devices by rows, and a device's part to waves.
// In: its plan, how many rows of windows are judged tile_rows on each level. Out: for each part, the rows of
// windows of each level that are its own: every row is in one part, parts are ranges, and their windows are
// as many, but for those of a row of tiles at either end. Of a part, what can be judged once certain rows of
// the picture are there. exact.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scale/plan.h"
#include "scale/waves.h"

namespace winnow {

// Rows of windows that may not be parted, on levels of that step.
using TileRows = std::function<int(int step)>;

// One list a part.
std::vector<std::vector<RowRange>> share_rows(const LevelPlan& plan, int parts, const TileRows& tile_rows);

// Rows of pixels of a level that windows of these rows cover.
RowRange pixel_rows(const Level& level, RowRange windows, Size window);
// Rows of the picture that these rows of a level are resized from.
RowRange source_rows(const Level& level, RowRange pixels, int picture_height);

// What is there of a picture, before each wave of a part whose own rows come from the host, from the top, and
// whose others come after them: each wave waits for about twice as many as the one before it, the first
// for at least `least`, if there are so many.
std::vector<RowRange> arrivals(RowRange own, int least, int picture_height);

// A part's windows, each in the first wave whose rows of the picture suffice; the last has the whole picture.
// Of pixels, what a wave's windows cover and no wave before it has made.
struct PartWaves {
  std::vector<Wave> windows, pixels;
};
PartWaves part_waves(const LevelPlan& plan, Size picture, Size window, std::span<const RowRange> part,
                     const TileRows& tile_rows, std::span<const RowRange> there);

// Part `part` of `parts` of so many rows.
RowRange equal_share(int rows, int part, int parts);

}  // namespace winnow
