// Gives what the files of an evaluation of trackers share.
//
// In:     a report, not copied.
// Out:    counts of frames, and the rule. `check_trackers` throws kUsage for a report that does not fit
//         together.
// Memory: results belong to the caller.
// Thread: any.
#pragma once

#include <cstdint>
#include <string>

#include <winnow/eval_tracking.h>

namespace winnow {

// Throws kUsage if a tracker was judged on other sequences than the report's, or by another rule than the
// first tracker.
void check_trackers(const TrackingReport& report);
// The overlap of a right box; that of `TrackingRule` if there is no tracker.
double right_overlap(const TrackingReport& report);
// The frames behind the first one in which the object is marked, and in which it is not.
struct MarkedFrames {
  std::int64_t present = 0, absent = 0;
};
MarkedFrames count_marked(const MarkedSequence& sequence);

}  // namespace winnow
