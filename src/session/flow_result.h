// Gives what flow found of a point as callers get it.
//
// In:     a result of a backend.
// Out:    the same numbers, places in doubles.
// Exact:  every float is a double.
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
