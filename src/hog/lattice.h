// Splits the windows of a level into lattices: windows a cell apart, whose blocks lie on one grid.
//
// In:     a level, and the side of a cell.
// Out:    lattices. Each window of the level is in one of them. If the step is a cell, there is one; if it is
//         half a cell, there are four.
// Exact:  whole numbers.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "scale/plan.h"

namespace winnow {

struct Lattice {
  int x = 0, y = 0;        // of its first window, in pixels of the level
  int cols = 0, rows = 0;  // places for windows
  // The level's windows are at each `stride`-th place of a row and a column. From one to the next there are
  // `period` windows of the level.
  int period = 1, stride = 1;
  std::int64_t first_window = 0;  // of the plan

  std::int64_t windows() const {
    return std::int64_t{(cols + stride - 1) / stride} * ((rows + stride - 1) / stride);
  }
};

// Calls `take(lattice)` for each lattice of the level, if there are any.
template <class Take>
void each_lattice(const Level& level, int cell, Take take) {
  Lattice lattice;
  lattice.period = cell / std::gcd(level.step, cell);
  lattice.stride = lattice.period * level.step / cell;
  const auto places = [&](int all, int first) {
    return (all - first - 1) / lattice.period * lattice.stride + 1;
  };
  for (int row = 0; row < std::min(lattice.period, level.rows); ++row) {
    for (int column = 0; column < std::min(lattice.period, level.cols); ++column) {
      lattice.x = column * level.step, lattice.y = row * level.step;
      lattice.cols = places(level.cols, column), lattice.rows = places(level.rows, row);
      lattice.first_window = level.first_window + static_cast<std::int64_t>(row) * level.cols + column;
      take(lattice);
    }
  }
}

}  // namespace winnow
