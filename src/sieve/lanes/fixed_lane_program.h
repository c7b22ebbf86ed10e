// Makes the lane program of a fixed-point cascade: stages in blocks that are run in one pass.
//
// In:     a checked fixed-point model and a geometry. Its stages may have one weak classifier each.
// Out:    a `LaneProgram` whose `LaneStage`s are blocks of the model's stages. A stage has one `LaneCheck`,
//         or several if it has too many weak classifiers for one part.
// Exact:  sums and limits are integers, so nothing needs a second look.
// Memory: the program is the caller's and does not refer to the model.
#pragma once

#include <winnow/cascade_model.h>

#include "sieve/lanes/lane_program.h"

namespace winnow {

LaneProgram make_fixed_lane_program(const CascadeModel& model, const LaneGeometry& geometry);

}  // namespace winnow
