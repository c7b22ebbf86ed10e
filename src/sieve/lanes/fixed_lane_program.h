// Makes the lane program of a fixed-point cascade: its stages in chunks, each of which runs in one pass.
//
// In:     a checked fixed-point model and a geometry. Stages may be as short as one weak classifier.
// Out:    a `LaneProgram` whose `LaneStage`s are chunks of the model's stages. A stage has one `LaneCheck`,
//         or several if it has too many weak classifiers for one segment.
// Exact:  sums and limits are integers, so no window is judged twice.
// Memory: the program is the caller's and does not refer to the model.
#pragma once

#include <winnow/cascade_model.h>

#include "sieve/lanes/lane_program.h"

namespace winnow {

LaneProgram make_fixed_lane_program(const CascadeModel& model, const LaneGeometry& geometry);

}  // namespace winnow
