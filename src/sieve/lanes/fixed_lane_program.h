// The lane program of a fixed-point cascade: its stages, which may have one weak classifier each, in blocks
// that are run in one pass.
#pragma once

#include <winnow/cascade_model.h>

#include "sieve/lanes/lane_program.h"

namespace winnow {

LaneProgram make_fixed_lane_program(const CascadeModel& model, const LaneGeometry& geometry);

}  // namespace winnow
