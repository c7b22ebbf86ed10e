#include "cluster/split/split_shares.h"

#include <algorithm>

#include "scale/share.h"

namespace winnow {

std::vector<SplitShare> split_shares(const LevelPlan& plan, Size picture, Size window, int ranks) {
  constexpr int kLeastHeights = 8;
  std::vector<SplitShare> shares(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<RowRange> rows;
    for (const Level& level : plan.levels) {
      if (std::int64_t{kLeastHeights} * level.window.height > picture.height)
        rows.push_back({0, rank == 0 ? level.rows : 0});
      else
        rows.push_back(equal_share(level.rows, rank, ranks));
    }
    SplitShare& share = shares[static_cast<std::size_t>(rank)];
    cut_plan(plan, rows, share.part);
    for (const Level& level : share.part.windows.levels) {
      const RowRange covered = source_rows(level, pixel_rows(level, {0, level.rows}, window), picture.height);
      const bool first = share.rows.first >= share.rows.last;
      share.rows.first = first ? covered.first : std::min(share.rows.first, covered.first);
      share.rows.last = std::max(share.rows.last, covered.last);
    }
  }
  return shares;
}

}  // namespace winnow
