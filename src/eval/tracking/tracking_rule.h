// Judges one frame of a track.
//
// In:     the marked object and the tracker's answer in the same frame.
// Out:    overlap and distance, and whether they reach a bound.
// Exact:  doubles by single IEEE operations.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <winnow/eval_tracking.h>

#include "base/real_box.h"

namespace winnow {

inline JudgedFrame judge_frame(const FrameBox& marked, const FrameBox& answer) {
  JudgedFrame frame{marked.box.has_value(), answer.box.has_value(), 0,
                    std::numeric_limits<double>::quiet_NaN(), answer.confidence};
  if (!frame.present || !frame.found) return frame;
  const RealBox &object = *marked.box, &box = *answer.box;
  const double right = box.x + box.width / 2 - (object.x + object.width / 2);
  const double down = box.y + box.height / 2 - (object.y + object.height / 2);
  // Rounding may give equal boxes a little more than 1.
  frame.overlap = std::min(overlap_of(box, object), 1.0);
  frame.distance = std::sqrt(right * right + down * down);
  return frame;
}

inline bool is_right(const JudgedFrame& frame, const TrackingRule& rule) {
  return frame.present && frame.found && frame.overlap >= rule.overlap;
}

// Whether the frame counts at point `i` of the success curve.
inline bool exceeds(const JudgedFrame& frame, std::size_t i) {
  return frame.overlap > static_cast<double>(i) / static_cast<double>(kSuccessSteps);
}

// Whether the middles are at most `pixels` apart. A comparison with NaN is false.
inline bool is_within(const JudgedFrame& frame, std::size_t pixels) {
  return frame.distance <= static_cast<double>(pixels);
}

// The number of the bin for a confidence from 0 to 1.
inline std::size_t bin_of(double confidence, std::size_t bins) {
  const auto bin = static_cast<std::size_t>(confidence * static_cast<double>(bins));
  return bin < bins ? bin : bins - 1;
}

}  // namespace winnow
