#include "track/tld/box_grid.h"

#include <algorithm>
#include <cmath>

namespace winnow {

void plan_boxes(Size frame, Size object, int least_side, LevelPlan& plan) {
  plan.levels.clear();
  plan.window_count = 0;
  // Powers by multiplication: machines agree on products, but not on `std::pow`.
  constexpr double kGrowth = 1.2;
  double scale = 1;
  for (int k = 0; k < kMostGridGrowth; ++k) scale /= kGrowth;
  for (int k = -kMostGridGrowth; k <= kMostGridGrowth; ++k, scale *= kGrowth) {
    const Size window{static_cast<int>(std::lrint(object.width * scale)),
                      static_cast<int>(std::lrint(object.height * scale))};
    const int shorter = std::min(window.width, window.height);
    if (shorter < least_side || window.width > frame.width || window.height > frame.height ||
        std::int64_t{window.width} * window.height > kMostWindowArea)
      continue;
    Level level;
    level.width = frame.width;
    level.height = frame.height;
    level.window = window;
    // A tenth of the shorter side, halves rounded up.
    level.step = level.row_step = std::max(1, (shorter + 5) / 10);
    level.cols = (frame.width - window.width) / level.step + 1;
    level.rows = (frame.height - window.height) / level.step + 1;
    level.first_window = plan.window_count;
    plan.window_count += std::int64_t{level.cols} * level.rows;
    plan.levels.push_back(level);
  }
}

}  // namespace winnow
