// What of a frame is made and judged together: everything at once, or one wave after the other, as rows of
// the picture arrive. A wave is rows of levels, of pixels or of windows; no waves at all are one of
// everything. `WaveEnds`: of a list of items in the order of their waves, which are a wave's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scale/plan.h"

namespace winnow {

struct LevelRows {
  int level = 0;
  RowRange rows;
  bool operator==(const LevelRows&) const = default;
};

using Wave = std::vector<LevelRows>;

constexpr int kEveryWave = -1;

struct WaveItems {
  std::uint32_t first = 0, count = 0;
};

class WaveEnds {
 public:
  void clear() { ends_.clear(); }
  // So many items are in this wave and those before it.
  void end_wave(std::size_t items) { ends_.push_back(static_cast<std::uint32_t>(items)); }
  std::size_t count() const { return ends_.size(); }
  WaveItems of(int wave) const {
    if (ends_.empty()) return {};
    if (wave == kEveryWave) return {0, ends_.back()};
    const std::uint32_t first = wave == 0 ? 0 : ends_[static_cast<std::size_t>(wave) - 1];
    return {first, ends_[static_cast<std::size_t>(wave)] - first};
  }

 private:
  std::vector<std::uint32_t> ends_;
};

// Every row of every level; `rows(level)`: how many it has.
template <class Rows>
Wave whole_levels(const LevelPlan& plan, Rows rows) {
  Wave wave;
  for (const Level& level : plan.levels) wave.push_back({static_cast<int>(wave.size()), {0, rows(level)}});
  return wave;
}

}  // namespace winnow
