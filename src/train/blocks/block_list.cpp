// Lists the blocks of a window from which a training may choose (`list_hog_blocks`, winnow/train_hog.h).
//
// Exact:  window and grid alone decide the list. Blocks are sorted by shape, then side, row and column. In a
//         training, earlier blocks win ties.
// Memory: the list belongs to the caller.
#include <winnow/train_hog.h>

#include <string>

#include "train/options.h"

namespace winnow {
namespace {

constexpr int kLeastBlock = 12;  // the shortest side that a block may have, in pixels
// Neighbouring blocks of one size lie kFine pixels apart if their shorter side is below kFineBlock pixels,
// else kCoarse pixels. If a step of the grid is longer, they lie one step apart.
constexpr int kFineBlock = 48;
constexpr int kFine = 4, kCoarse = 8;

}  // namespace

// Blocks are square, or twice as tall as wide, or twice as wide as tall.
std::vector<HogBlock> list_hog_blocks(Size window, int grid) {
  if (grid != 2 && grid != 4 && grid != 8)
    refuse("the grid is " + std::to_string(grid) + " pixels, it must be 2, 4 or 8");
  constexpr int kMostCells = 255;  // a block's place and size are bytes
  for (const int side : {window.width, window.height}) {
    if (side < 0 || side % grid != 0 || side / grid > kMostCells)
      refuse("a side of the window is " + std::to_string(side) + " pixels, it must be a multiple of " +
             std::to_string(grid) + " up to " + std::to_string(kMostCells * grid));
  }
  std::vector<HogBlock> list;
  const Size cells{window.width / grid, window.height / grid};
  for (const Size shape : {Size{1, 1}, Size{1, 2}, Size{2, 1}}) {
    for (int side = 1; 2 * side * shape.width <= cells.width && 2 * side * shape.height <= cells.height;
         ++side) {
      if (2 * side * grid < kLeastBlock) continue;
      const Size cell{side * shape.width, side * shape.height};
      const int apart = 2 * side * grid < kFineBlock ? kFine : kCoarse;
      const int step = apart > grid ? apart / grid : 1;
      for (int y = 0; y + 2 * cell.height <= cells.height; y += step) {
        for (int x = 0; x + 2 * cell.width <= cells.width; x += step) {
          list.push_back({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y),
                          static_cast<std::uint8_t>(cell.width), static_cast<std::uint8_t>(cell.height)});
        }
      }
    }
  }
  return list;
}

}  // namespace winnow
