#include "cluster/split/split_shares.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "scale/share.h"

namespace winnow {
namespace {

// The greatest height of windows that are dealt.
int greatest_low(const LevelPlan& plan, int picture, int ranks) {
  std::vector<std::pair<int, std::int64_t>> levels;  // heights of windows, and how many there are
  for (const Level& level : plan.levels)
    levels.emplace_back(level.window.height, std::int64_t{level.rows} * level.cols);
  std::sort(levels.rbegin(), levels.rend());
  std::int64_t kept = 0;
  for (const auto& [height, windows] : levels) {
    kept += windows;
    if (8 * std::int64_t{height} <= picture && 2 * ranks * kept > plan.window_count) return height;
  }
  return 0;
}

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
                                     int rounds) {
  std::vector<SplitShare> shares;
  std::vector<RowRange> rows(plan.levels.size());
  const auto cut = [&](auto&& rows_of) {
    for (std::size_t l = 0; l < rows.size(); ++l) rows[l] = rows_of(plan.levels[l]);
    SplitShare& share = shares.emplace_back();
    cut_plan(plan, rows, share.part);
    share.rows = covered_rows(share.part.windows, window, picture.height);
  };
  const int low = greatest_low(plan, picture.height, ranks);
  cut([&](const Level& level) { return level.window.height <= low ? RowRange{} : RowRange{0, level.rows}; });
  const int parts = ranks << (rounds - 1);
  int from = 0;
  for (int round = 0; round < rounds; ++round) {
    const int size = std::max(1, (parts - from) / (2 * ranks));
    for (int i = 0; i < ranks; ++i, from += size) {
      cut([&](const Level& level) {
        if (level.window.height > low) return RowRange{};
        return RowRange{equal_share(level.rows, from, parts).first,
                        equal_share(level.rows, from + size - 1, parts).last};
      });
    }
  }
  return shares;
}

}  // namespace winnow
