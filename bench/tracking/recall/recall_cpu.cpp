#include "tracking/recall/recall_cpu.h"

#include <stdexcept>

#include "scale/plan.h"
#include "track/tld/sift/spread_rule.h"

namespace bench {
using namespace winnow;

void find_varied(const SearchedFrame& in, Team& team, std::vector<std::uint32_t>& varied) {
  struct Row {
    const Level* level;
    int number;
  };
  std::vector<Row> rows;
  for (const Level& level : in.grid.windows.levels)
    for (int row = 0; row < level.rows; ++row) rows.push_back({&level, row});
  std::vector<std::vector<std::uint32_t>> parts(team.parts());
  team.share(rows.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
    std::vector<std::uint32_t>& list = parts[part];
    for (std::size_t i = first; i < last; ++i) {
      const Level& level = *rows[i].level;
      const std::int64_t window = level.first_window + std::int64_t{rows[i].number} * level.cols;
      const double least = least_spread(in.object.least_variance, level.window.width, level.window.height);
      Box box{0, rows[i].number * level.row_step, level.window.width, level.window.height};
      for (int col = 0; col < level.cols; ++col, box.x += level.step)
        if (static_cast<double>(in.frame.spread(box)) >= least)
          list.push_back(static_cast<std::uint32_t>(window + col));
    }
  });
  varied.clear();
  for (const std::vector<std::uint32_t>& part : parts) varied.insert(varied.end(), part.begin(), part.end());
}

void find_patterns(const SearchedFrame& in, Team& team, std::span<const std::uint32_t> varied,
                   std::vector<FernPattern>& patterns) {
  patterns.resize(varied.size());
  const GrayView blurred = in.frame.blurred();
  const std::vector<Level>& levels = in.grid.windows.levels;
  team.share(varied.size(), [&](std::size_t, std::size_t first, std::size_t last) {
    std::size_t size = 0;
    for (std::size_t i = first; i < last; ++i) {
      while (size + 1 < levels.size() && levels[size + 1].first_window <= varied[i]) ++size;
      const PixelPoint corner = window_corner(levels[size], varied[i] - levels[size].first_window);
      patterns[i] = fern_pattern(blurred.row(corner.y) + corner.x, in.grid.offsets[size]);
    }
  });
}

void ConfidenceSums::find(std::span<const std::uint32_t> windows, const FernIndices& indices,
                          std::span<const std::uint16_t> values, bool own_arrays, Team& team,
                          std::span<std::int32_t> confidences) {
  const auto sum_of = [&](std::size_t i) {
    std::int32_t sum = 0;
    for (std::size_t fern = 0; fern < kFerns; ++fern)
      sum += values[fern << kFernBits | indices.first[fern * indices.fern_step + i * indices.window_step]];
    return sum;
  };
  if (!own_arrays) {
    team.share(windows.size(), [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) confidences[windows[i]] = sum_of(i);
    });
    return;
  }
  own_.resize(team.parts());
  team.share(windows.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
    own_[part].resize(last - first);
    for (std::size_t i = first; i < last; ++i) own_[part][i - first] = sum_of(i);
  });
  std::size_t i = 0;
  for (const std::vector<std::int32_t>& part : own_)
    for (const std::int32_t sum : part) confidences[windows[i++]] = sum;
}

void check_recall(const Recall& recall, std::span<const LikelyWindow> likely) {
  std::size_t kept = 0;
  bool same = true;
  for (std::size_t i = 0; i < recall.varied.size(); ++i) {
    const std::int32_t sum = recall.confidences[recall.varied[i]];
    if (sum < kFernOne) continue;
    if (kept < likely.size()) {
      const LikelyWindow& wanted = likely[kept];
      same = same && wanted.window == recall.varied[i] && wanted.sum == sum &&
             wanted.pattern == recall.patterns[i];
    }
    ++kept;
  }
  if (!same || kept != likely.size())
    throw std::runtime_error("windows judged in parts are not those of the whole search");
}

}  // namespace bench
