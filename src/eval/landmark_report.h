// Checks that the evaluations in a report are of the report's own pictures.
//
// In:     a report, not copied.
// Out:    nothing, or an `Error` (kUsage).
// Thread: any.
#pragma once

#include <winnow/eval_landmarks.h>

namespace winnow {

void check_pictures(const LandmarkReport& report);

}  // namespace winnow
