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

FarWindows::FarWindows(const ObjectGrid& grid, const RealBox& box, double below)
    : windows_(grid.windows), box_(box), below_(below) {
  if (!windows_.levels.empty()) enter(0);
}

void FarWindows::enter(std::size_t level) {
  const Level& entered = windows_.levels[level_ = level];
  const RowRange rows = touching_rows(entered, box_);
  first_ = entered.first_window + std::int64_t{rows.first} * entered.cols;
  last_ = entered.first_window + std::int64_t{rows.last} * entered.cols;
  end_ = entered.first_window + std::int64_t{entered.rows} * entered.cols;
}

bool FarWindows::holds(std::int64_t window) {
  if (window < windows_.levels[level_].first_window) enter(0);
  while (window >= end_) enter(level_ + 1);
  if (window < first_ || window >= last_) return true;
  const Level& level = windows_.levels[level_];
  const PixelPoint at = window_corner(level, window - level.first_window);
  return overlap_of(box_, real_box({at.x, at.y, level.window.width, level.window.height})) < below_;
}

}  // namespace winnow
