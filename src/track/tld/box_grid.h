// Lays windows of many sizes over a frame: the places where a search looks for an object.
//
// In:     the size of the frame, the size of the object, and the shortest side of a window.
// Out:    a plan in which the windows grow, not the picture: each level has scale 1, and windows of its own
//         size. Windows are numbered as in any plan (`scale/plan.h`).
// Exact:  whole numbers, after one product in doubles for each side. Steps are whole pixels. So windows are
//         more than those of TLD's authors, whose steps are fractions: their window of 24 pixels moves by
//         2.4, this one by 2.
// Memory: the caller owns the plan, whose memory is used again.
// Thread: any.
#pragma once

#include <cstdint>

#include <winnow/box.h>

#include "scale/plan.h"

namespace winnow {

// The sides of windows are those of the object, times 1.2^k for k from -10 to 10.
inline constexpr int kMostGridGrowth = 10;
// A window has at most so many pixels. Its sums of squares of p - 128 then fit in 32 bits
// (`sift/spread_rule.h`).
inline constexpr std::int64_t kMostWindowArea = (std::int64_t{1} << 18) - 1;

// Sizes whose shorter side is below `least_side`, or that do not fit in the frame, are left out.
void plan_boxes(Size frame, Size object, int least_side, LevelPlan& plan);

// The box of a window of such a plan.
inline Box grid_box(const LevelPlan& plan, std::int64_t window) {
  const WindowPlace place = place_window(plan, window);
  const Size size = plan.levels[static_cast<std::size_t>(place.level)].window;
  return {place.x, place.y, size.width, size.height};
}

}  // namespace winnow
