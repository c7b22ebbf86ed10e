// Splits the windows of a level into lattices. Windows of a lattice lie whole cells apart, so that their
// blocks lie on one grid.
//
// In:     a level, and the side of a cell.
// Out:    lattices. Each window of the level is in one lattice. If the step is a cell, there is one lattice;
//         if the step is half a cell, there are four.
// Exact:  integers.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "scale/plan.h"

namespace winnow {

struct Lattice {
  int x = 0, y = 0;        // from the level's first window to the lattice's first window, in pixels
  int cols = 0, rows = 0;  // columns and rows of places for windows, which lie a cell apart
  // Every `step`-th place of a row, and of a column, has a window. `period`: neighbouring windows of the
  // lattice are this many windows of the level apart.
  Size period{1, 1}, step{1, 1};
  std::int64_t first_window = 0;  // number of the lattice's first window in the plan

  std::int64_t windows() const {
    return std::int64_t{(cols + step.width - 1) / step.width} * ((rows + step.height - 1) / step.height);
  }
};

// Calls `take(lattice)` for each lattice of the level, if there are any.
template <class Take>
void each_lattice(const Level& level, int cell, Take take) {
  Lattice lattice;
  const auto period_of = [&](int step) { return cell / std::gcd(step, cell); };
  lattice.period = {period_of(level.step), period_of(level.row_step)};
  lattice.step = {lattice.period.width * level.step / cell, lattice.period.height * level.row_step / cell};
  const auto places = [](int all, int first, int period, int step) {
    return (all - first - 1) / period * step + 1;
  };
  for (int row = 0; row < std::min(lattice.period.height, level.rows); ++row) {
    for (int column = 0; column < std::min(lattice.period.width, level.cols); ++column) {
      lattice.x = column * level.step, lattice.y = row * level.row_step;
      lattice.cols = places(level.cols, column, lattice.period.width, lattice.step.width);
      lattice.rows = places(level.rows, row, lattice.period.height, lattice.step.height);
      lattice.first_window = level.first_window + static_cast<std::int64_t>(row) * level.cols + column;
      take(lattice);
    }
  }
}

}  // namespace winnow
