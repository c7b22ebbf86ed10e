// Sifts windows one after the other, as track/tld/sift/sift_windows.h declares; its opening comment holds here.
#include <cstddef>
#include <cstdint>

#include "track/tld/object_search.h"
#include "track/tld/sift/sift_windows.h"

namespace winnow {

void sift_windows_ref(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object, int,
                      std::vector<LikelyWindow>& likely) {
  const GrayView blurred = frame.blurred();
  likely.clear();
  for (std::size_t number = 0; number < grid.windows.levels.size(); ++number) {
    const Level& level = grid.windows.levels[number];
    std::int64_t window = level.first_window;
    for (int row = 0; row < level.rows; ++row) {
      for (int col = 0; col < level.cols; ++col, ++window) {
        const Box box{col * level.step, row * level.row_step, level.window.width, level.window.height};
        if (!is_varied(frame, box, object)) continue;
        const FernPattern pattern = fern_pattern(blurred.row(box.y) + box.x, grid.offsets[number]);
        const std::int32_t sum = object.ferns.sum(pattern);
        if (sum >= kFernOne) likely.push_back({window, sum, pattern});
      }
    }
  }
}

}  // namespace winnow
