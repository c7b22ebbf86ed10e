#include "session/share.h"

#include <algorithm>

namespace winnow {

std::vector<std::vector<RowRange>> share_rows(const LevelPlan& plan, int parts,
                                              const std::function<int(int step)>& together) {
  const auto count = static_cast<std::size_t>(parts);
  std::vector<std::vector<RowRange>> shares(count);
  // Windows of the parts before each cut, on all levels so far: each level's cuts make good what those of the
  // levels before it have left.
  std::vector<std::int64_t> before(count + 1);
  std::int64_t all = 0;
  for (const Level& level : plan.levels) {
    const int rows = together(level.step);
    const std::int64_t in_band = std::int64_t{rows} * level.cols;
    all += std::int64_t{level.rows} * level.cols;
    int cut = 0;
    for (std::size_t part = 0; part < count; ++part) {
      const std::int64_t wanted = all * static_cast<std::int64_t>(part + 1) / parts - before[part + 1];
      const std::int64_t bands =
          in_band > 0 ? std::max<std::int64_t>(0, (wanted + in_band / 2) / in_band) : 0;
      const int next = part + 1 == count
                           ? level.rows
                           : static_cast<int>(std::clamp<std::int64_t>(bands * rows, cut, level.rows));
      shares[part].push_back({cut, next});
      cut = next;
      before[part + 1] += std::int64_t{cut} * level.cols;
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
