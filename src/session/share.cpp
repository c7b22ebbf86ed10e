#include "session/share.h"

#include <algorithm>
#include <numeric>

namespace winnow {

std::vector<std::vector<RowRange>> share_rows(const LevelPlan& plan, int parts,
                                              const std::function<int(int step)>& together) {
  const auto count = static_cast<std::size_t>(parts);
  std::vector<std::vector<RowRange>> shares(count);
  std::vector<std::int64_t> windows(count);  // that each part has
  std::vector<std::size_t> by_load(count);
  std::iota(by_load.begin(), by_load.end(), 0);
  for (const Level& level : plan.levels) {
    const int rows = together(level.step), bands = (level.rows + rows - 1) / rows;
    // As many for all; those that are left for those who have least.
    std::vector<int> own(count, bands / parts);
    std::stable_sort(by_load.begin(), by_load.end(),
                     [&](std::size_t a, std::size_t b) { return windows[a] < windows[b]; });
    for (int i = 0; i < bands % parts; ++i) ++own[by_load[static_cast<std::size_t>(i)]];
    int next = 0;
    for (std::size_t part = 0; part < count; ++part) {
      const RowRange range{std::min(next * rows, level.rows),
                           std::min((next + own[part]) * rows, level.rows)};
      next += own[part];
      windows[part] += std::int64_t{range.last - range.first} * level.cols;
      shares[part].push_back(range);
    }
  }
  return shares;
}

RowRange pixel_rows(const Level& level, RowRange windows, Size window) {
  if (windows.first >= windows.last) return {};
  return {windows.first * level.step,
          std::min(level.height, (windows.last - 1) * level.step + window.height)};
}

RowRange equal_share(int rows, int part, int parts) {
  const auto edge = [&](int i) { return static_cast<int>(std::int64_t{rows} * i / parts); };
  return {edge(part), edge(part + 1)};
}

}  // namespace winnow
