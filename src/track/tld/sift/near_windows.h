// Lists the windows near to a box, and tells which windows are far from it.
//
// In:     a grid of windows, a box on its level, and an overlap.
// Out:    the nearest windows, the nearest first; whether a window is far.
// Exact:  overlaps are those of `overlap_of`. Windows that cannot touch the box are passed over.
// Memory: the caller owns the list. The grid must outlive a `FarWindows`.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/box.h>

#include "track/tld/learnt_object.h"

namespace winnow {

struct NearWindow {
  std::int64_t window;
  double overlap;
};

// At most `most` windows that overlap the box by more than `above`, which is 0 or more.
std::vector<NearWindow> nearest_windows(const ObjectGrid& grid, const RealBox& box, double above,
                                        std::size_t most);

// Tells which windows overlap a box by less than `below`, which is above 0.
class FarWindows {
 public:
  FarWindows(const ObjectGrid& grid, const RealBox& box, double below);
  // Takes least time if windows are asked for in rising order.
  bool holds(std::int64_t window);

 private:
  void enter(std::size_t level);

  const LevelPlan& windows_;
  RealBox box_;
  double below_;
  std::size_t level_ = 0;
  std::int64_t first_ = 0, last_ = 0, end_ = 0;  // windows of rows that may touch the box; the level's end
};

}  // namespace winnow
