#include "track/tld/sift/near_windows.h"

#include <algorithm>
#include <cmath>

#include "base/real_box.h"

namespace winnow {
namespace {

// Rows or columns of a grid whose windows may touch what lies between `from` and `to`.
RowRange touching(double from, double to, int side, int step, int count) {
  const auto bound = [&](double at) {
    return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(count)));
  };
  return {bound(std::floor((from - side) / step)), bound(std::floor(to / step) + 1)};
}
RowRange touching_rows(const Level& level, const RealBox& box) {
  return touching(box.y, box.y + box.height, level.window.height, level.row_step, level.rows);
}
RowRange touching_columns(const Level& level, const RealBox& box) {
  return touching(box.x, box.x + box.width, level.window.width, level.step, level.cols);
}

}  // namespace

std::vector<NearWindow> nearest_windows(const ObjectGrid& grid, const RealBox& box, double above,
                                        std::size_t most) {
  std::vector<NearWindow> list;
  for (const Level& level : grid.windows.levels) {
    // A window whose area is too far from the box's cannot overlap it enough.
    const double area = static_cast<double>(level.window.width) * level.window.height;
    if (area < above * area_of(box) || area_of(box) < above * area) continue;
    const RowRange rows = touching_rows(level, box), columns = touching_columns(level, box);
    for (int row = rows.first; row < rows.last; ++row) {
      for (int col = columns.first; col < columns.last; ++col) {
        const double overlap = overlap_of(
            box, {static_cast<double>(col * level.step), static_cast<double>(row * level.row_step),
                  static_cast<double>(level.window.width), static_cast<double>(level.window.height)});
        if (overlap > above)
          list.push_back({level.first_window + std::int64_t{row} * level.cols + col, overlap});
      }
    }
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const NearWindow& a, const NearWindow& b) { return a.overlap > b.overlap; });
  if (list.size() > most) list.resize(most);
  return list;
}

std::vector<SummedPattern> far_patterns_of(const ObjectGrid& grid, const RealBox& box,
                                           std::span<const LikelyWindow> likely, double below) {
  std::vector<SummedPattern> list;
  list.reserve(likely.size());
  auto next = likely.begin();
  for (const Level& level : grid.windows.levels) {
    // Windows of other rows do not touch the box.
    const RowRange rows = touching_rows(level, box);
    const std::int64_t first = level.first_window + std::int64_t{rows.first} * level.cols,
                       last = level.first_window + std::int64_t{rows.last} * level.cols,
                       end = level.first_window + std::int64_t{level.rows} * level.cols;
    for (; next != likely.end() && next->window < end; ++next) {
      if (next->window < first || next->window >= last ||
          overlap_of(box, real_box(grid_box(grid.windows, next->window))) < below)
        list.push_back({&next->pattern, next->sum});
    }
  }
  return list;
}

}  // namespace winnow
