// The plan of one frame: the sizes at which the frame is searched, and the places of all windows.
//
// In:     picture size, window size, scale factor, size limits, and the model's rules.
// Out:    the levels, the largest first. A window is an integer:
//           id = level.first_window + row * level.cols + col
//         `window_corner` gives its corner on the level.
// Exact:  plain IEEE arithmetic in OpenCV's order (docs/design/002-opencv-answer.md).
// Memory: the caller owns the plan. `plan_levels` uses the plan's memory again.
// Thread: any; a plan is plain data.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/plan_rules.h>

#include "base/device/host_device.h"

namespace winnow {

struct Level {
  float scale = 1;    // pixels of the picture per pixel of the level
  double factor = 0;  // the scale in double, for rules whose boxes need it; else 0
  int width = 0;      // the size of the picture at this level
  int height = 0;
  int step = 1;       // pixels of the level from one window of a row to the next
  int row_step = 1;   // pixels from one row of windows to the next; for cascades equal to `step`
  PixelPoint corner;  // the first window's corner on the level; (0, 0) for cascades, except in a PlanPart
  int cols = 0;       // windows in a row of the grid
  int rows = 0;       // rows of windows that are searched; OpenCV's stripes may leave out the last row
  Size window;        // a window's size in the picture, halves rounded to even
  std::int64_t first_window = 0;
};

// Rows `first` to `last` - 1, of pixels or of a grid of windows.
struct RowRange {
  int first = 0, last = 0;
  bool operator==(const RowRange&) const = default;
};

struct LevelPlan {
  std::vector<Level> levels;
  std::int64_t window_count = 0;
};

struct PlanRequest {
  Size picture;
  Size window;
  double scale_factor = 1.1;  // must be above 1, or `plan_levels` may not end; `Detector` checks this
  Size min_size;              // the least size of a window in the picture; a side of 0 is no limit
  Size max_size;              // a side of 0 is no limit; for cascades the other side then has no limit either
  PlanRules rules{};
  int max_levels = 0;  // for kOpenCvHog: the most levels, counted from scale 1; 0 is OpenCV's 64
  // The largest enlargement of the picture, 1 or more. There is an enlarged level of scale 1 / scale_factor^k
  // for each k = 1, 2, ... while scale_factor^k is at most `enlarge`. Enlarged levels come before the level
  // of scale 1, and all their rows are searched.
  double enlarge = 1;
  // For rules with `any_place`. Windows begin up to this many pixels outside of each level. Outside, the
  // level is mirrored about its outermost pixels (OpenCV's BORDER_REFLECT_101), as often as needed. Padding
  // adds no levels.
  Size padding{};
  // For rules with `any_place`: the corners of all windows, which then have the model's size. Each window is
  // a level of its own, of scale 1.
  std::vector<PixelPoint> locations{};
  bool operator==(const PlanRequest&) const = default;
};

// Uses the memory of `plan` again. The window's sides must be 1 or more, or the call may not end. If the
// picture is smaller than the window, the plan has no levels, unless padding or enlarging makes enough room.
// A level may have no windows.
void plan_levels(const PlanRequest& request, LevelPlan& plan);

struct WindowPlace {
  int level;
  int x, y;  // the window's corner on the level
};
// `id` must be at least 0 and below `window_count`, which is not checked.
WindowPlace place_window(const LevelPlan& plan, std::int64_t id);

// The corner on the level of a window with the number `inside` = row * cols + col.
WINNOW_HOST_DEVICE inline PixelPoint window_corner(const Level& level, std::int64_t inside) {
  return {level.corner.x + static_cast<int>(inside % level.cols) * level.step,
          level.corner.y + static_cast<int>(inside / level.cols) * level.row_step};
}

// The box in the picture, not clipped, of a window with the corner (x, y) on the level. Halves round to even.
WINNOW_HOST_DEVICE inline Box window_box(const Level& level, int x, int y) {
  if (level.factor > 0)
    return {static_cast<int>(lrint(x * level.factor)), static_cast<int>(lrint(y * level.factor)),
            level.window.width, level.window.height};
  return {static_cast<int>(lrintf(static_cast<float>(x) * level.scale)),
          static_cast<int>(lrintf(static_cast<float>(y) * level.scale)), level.window.width,
          level.window.height};
}

}  // namespace winnow
