// Lists the windows near to a box, and the patterns of likely windows far from it.
//
// In:     a grid of windows, a box on its level, and overlaps.
// Out:    the nearest windows, the nearest first; patterns with their sums, in the order of the windows.
// Exact:  overlaps are those of `overlap_of`. Windows that cannot touch the box are passed over.
// Memory: patterns belong to the likely windows.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "track/tld/learnt_object.h"
#include "track/tld/object_search.h"

namespace winnow {

struct NearWindow {
  std::int64_t window;
  double overlap;
};

// At most `most` windows that overlap the box by more than `above`, which is 0 or more.
std::vector<NearWindow> nearest_windows(const ObjectGrid& grid, const RealBox& box, double above,
                                        std::size_t most);

// The patterns of windows that overlap the box by less than `below`, which is above 0. `likely` is in the
// order of the windows' numbers.
std::vector<SummedPattern> far_patterns_of(const ObjectGrid& grid, const RealBox& box,
                                           std::span<const LikelyWindow> likely, double below);

}  // namespace winnow
