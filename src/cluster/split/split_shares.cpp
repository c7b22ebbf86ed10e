#include "cluster/split/split_shares.h"

#include <algorithm>

#include "scale/share.h"

namespace winnow {
namespace {

// The windows of a height of at most 1 / `least` of the picture, and above 1 / `most`.
struct HeightClass {
  int least, most, shares;
  bool holds(const Level& level, int picture) const {
    const std::int64_t height = level.window.height;
    return (least == 0 || least * height <= picture) && (most == 0 || most * height > picture);
  }
};

RowRange covered_rows(const LevelPlan& part, Size window, int picture) {
  RowRange rows;
  for (const Level& level : part.levels) {
    const RowRange covered = source_rows(level, pixel_rows(level, {0, level.rows}, window), picture);
    const bool first = rows.first >= rows.last;
    rows.first = first ? covered.first : std::min(rows.first, covered.first);
    rows.last = std::max(rows.last, covered.last);
  }
  return rows;
}

}  // namespace

std::vector<SplitShare> split_shares(const LevelPlan& plan, Size picture, Size window, int ranks,
                                     int strips) {
  std::vector<SplitShare> shares;
  std::vector<RowRange> rows(plan.levels.size());
  for (const HeightClass& of : {HeightClass{0, 8, 1}, {8, 32, ranks}, {32, 0, ranks * strips}}) {
    for (int i = 0; i < of.shares; ++i) {
      for (std::size_t l = 0; l < rows.size(); ++l)
        rows[l] = of.holds(plan.levels[l], picture.height) ? equal_share(plan.levels[l].rows, i, of.shares)
                                                           : RowRange{};
      SplitShare& share = shares.emplace_back();
      cut_plan(plan, rows, share.part);
      share.rows = covered_rows(share.part.windows, window, picture.height);
    }
  }
  return shares;
}

}  // namespace winnow
