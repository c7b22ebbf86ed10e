// Defines waves: rows of a frame's levels that are made or judged together, as rows of the picture arrive.
//
// A wave lists rows of levels: rows of pixels, or rows of windows. An empty list of waves means one wave of
// all rows.
//
// In:     a level plan, or the ends of waves in a list that is sorted by wave.
// Out:    `whole_levels`: a wave of all rows. `WaveEnds` maps a wave to its range in the sorted list.
// Exact:  integers.
// Memory: plain data, owned by the caller.
// Thread: any.
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

constexpr int kEveryWave = -1;  // all waves at once

// A range of items in a list that is sorted by wave.
struct WaveItems {
  std::uint32_t first = 0, count = 0;
};

class WaveEnds {
 public:
  void clear() { ends_.clear(); }
  // Ends a wave. `items`: the number of items in this wave and in all waves before it.
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

// Makes one wave that has all rows of all levels. `rows(level)` gives the number of rows of a level.
template <class Rows>
Wave whole_levels(const LevelPlan& plan, Rows rows) {
  Wave wave;
  for (const Level& level : plan.levels) wave.push_back({static_cast<int>(wave.size()), {0, rows(level)}});
  return wave;
}

}  // namespace winnow
