// Gives the turn of a shape on the host.
//
// In:     the mean shape minus its middle, and a shape: x of all points, then y of all points.
// Out:    the turn.
// Exact:  sums in lanes, as shape_rule.h says. `turn` in shape_fit_ref.cpp and `find_turn` in
//         shape_block_cuda.cuh make the same sums.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstddef>

#include "shape/shape_program.h"
#include "shape/shape_rule.h"

namespace winnow {

template <class Wide, class Number>
ShapeTurn turn_of_shape(const MeanShape<Wide, Number>& mean, const Number* shape, int points) {
  Wide same[kTurnLanes] = {}, cross[kTurnLanes] = {};
  const Wide* const mean_y = mean.centred.data() + points;
  const Number* const shape_y = shape + points;
  for (int i = 0; i < points; i += kTurnLanes) {
    for (int lane = 0; lane < kTurnLanes && i + lane < points; ++lane) {
      const auto at = static_cast<std::size_t>(i + lane);
      const auto x = static_cast<Wide>(shape[at]), y = static_cast<Wide>(shape_y[at]);
      same[lane] += turn_same(mean.centred[at], mean_y[at], x, y);
      cross[lane] += turn_cross(mean.centred[at], mean_y[at], x, y);
    }
  }
  return turn_of(sum_of_lanes(same), sum_of_lanes(cross), mean.spread);
}

}  // namespace winnow
