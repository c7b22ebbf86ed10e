// Converts a backend's result for a point into the form that callers get.
//
// In:     the result of a backend for one point.
// Out:    the same numbers, with the place in doubles.
// Exact:  a double holds every float.
// Memory: plain data.
// Thread: any.
#pragma once

#include <winnow/flow_options.h>

#include "track/flow/flow_rule.h"

namespace winnow {

inline FlowPoint flow_point(const FlowResult& from) {
  return {static_cast<double>(from.place.x),
          static_cast<double>(from.place.y),
          from.found != 0,
          from.error,
          from.back_distance,
          from.ncc};
}

}  // namespace winnow
