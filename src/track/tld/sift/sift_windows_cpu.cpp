// Sifts windows with SIMD and threads, as track/tld/sift/sift_windows.h declares; its opening comment holds
// here.
//
// A stretch of a row is as many pixels as `find_fern_lanes` takes. If few windows that vary begin in it, each
// is judged alone.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/share_work.h"
#include "track/tld/object_search.h"
#include "track/tld/sift/fern_lanes.h"
#include "track/tld/sift/sift_windows.h"
#include "track/tld/sift/spread_lanes.h"
#include "track/tld/sift/spread_rule.h"

namespace winnow {
namespace {

constexpr int kFewWindows = 3;  // of a stretch, that take less time alone
constexpr int kPartsPerThread = 4;
constexpr std::int64_t kWorthThread = 100'000;  // windows, which take a thread longer than its start

// Rows of windows of one size.
struct Rows {
  std::size_t level;
  RowRange rows;
};

// Parts of about the same number of windows, in the order of the windows.
std::vector<Rows> parts_of(const LevelPlan& windows, int threads) {
  const std::int64_t parts_wanted = threads > 1 ? std::int64_t{threads} * kPartsPerThread : 1;
  const std::int64_t most = std::max<std::int64_t>(1, windows.window_count / parts_wanted);
  std::vector<Rows> parts;
  for (std::size_t number = 0; number < windows.levels.size(); ++number) {
    const Level& level = windows.levels[number];
    if (level.cols == 0) continue;
    const int step =
        static_cast<int>(std::clamp<std::int64_t>(most / level.cols, 1, std::max(level.rows, 1)));
    for (int row = 0; row < level.rows; row += step)
      parts.push_back({number, {row, std::min(row + step, level.rows)}});
  }
  return parts;
}

class Sieve {
 public:
  Sieve(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object)
      : frame_(frame), blurred_(frame.blurred()), grid_(grid), object_(object) {}

  void sift(const Rows& part, std::vector<LikelyWindow>& likely) const {
    const Level& level = grid_.windows.levels[part.level];
    const double least = least_spread(object_.least_variance, level.window.width, level.window.height);
    const int at_once = (kFernLanes - 1) / level.step + 1, width = level.width - level.window.width + 1;
    std::uint64_t begins = 0;  // pixels of a stretch at which windows begin
    for (int i = 0; i < at_once; ++i) begins |= std::uint64_t{1} << (i * level.step);
    for (int row = part.rows.first; row < part.rows.last; ++row) {
      const Stretch stretch{level, grid_.offsets[part.level], row * level.row_step,
                            level.first_window + std::int64_t{row} * level.cols};
      for (int first = 0; first < level.cols; first += at_once) {
        const int count = std::min(at_once, level.cols - first), x = first * level.step;
        const std::uint64_t wanted =
            count == at_once ? begins : begins & ~(~std::uint64_t{0} << (count * level.step));
        const std::uint64_t varied =
            wanted & find_varied_lanes(frame_.spread_rows(x, stretch.y, level.window.height), level.window,
                                       least, (count - 1) * level.step + 1, width - x);
        if (varied != 0) judge(stretch, first, varied, likely);
      }
    }
  }

 private:
  struct Stretch {
    const Level& level;
    const FernOffsets& offsets;
    int y;
    std::int64_t first_window;  // of the row
  };

  void judge(const Stretch& stretch, int first, std::uint64_t varied,
             std::vector<LikelyWindow>& likely) const {
    const int step = stretch.level.step;
    const std::uint8_t* const from = blurred_.row(stretch.y) + first * step;
    const auto for_each = [&](const auto& pattern_at) {
      for (std::uint64_t rest = varied; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const FernPattern pattern = pattern_at(lane);
        const std::int32_t sum = object_.ferns.sum(pattern);
        if (sum >= kFernOne) likely.push_back({stretch.first_window + first + lane / step, sum, pattern});
      }
    };
    if (std::popcount(varied) < kFewWindows)
      return for_each([&](int lane) { return fern_pattern(from + lane, stretch.offsets); });
    FernLanes lanes;
    find_fern_lanes(from, stretch.offsets, lanes);
    for_each([&](int lane) { return lanes.pattern(lane); });
  }

  const ObjectFrame& frame_;
  const GrayView blurred_;
  const ObjectGrid& grid_;
  const LearntObject& object_;
};

}  // namespace

void sift_windows_cpu(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                      int threads, std::vector<LikelyWindow>& likely) {
  const Sieve sieve(frame, grid, object);
  threads = static_cast<int>(std::clamp<std::int64_t>(grid.windows.window_count / kWorthThread, 1, threads));
  const std::vector<Rows> parts = parts_of(grid.windows, threads);
  likely.clear();
  if (threads == 1) {
    for (const Rows& part : parts) sieve.sift(part, likely);
    return;
  }
  std::vector<std::vector<LikelyWindow>> lists(parts.size());
  share_work(threads, parts.size(), 1, [&](std::size_t, std::size_t i) { sieve.sift(parts[i], lists[i]); });
  for (const std::vector<LikelyWindow>& list : lists) likely.insert(likely.end(), list.begin(), list.end());
}

}  // namespace winnow
