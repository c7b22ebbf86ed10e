// Checks the options of a follower. A scan checks all but the options of the search before it opens a video.
//
// In:     options as a caller gave them.
// Out:    a kUsage error for a number that is not in its range, or for a search whose boxes cannot be
//         followed.
// Thread: any.
#pragma once

#include <winnow/error.h>
#include <winnow/follower.h>

namespace winnow {

inline void check_following(const FollowOptions& options) {
  constexpr int kMostGap = 100'000;
  if (options.detect_every < 1) throw Error(ErrorCode::kUsage, "detect_every must be 1 or more");
  if (options.gap < 0 || options.gap > kMostGap)
    throw Error(ErrorCode::kUsage, "gap must be from 0 to 100000 frames");
  if (!(options.smooth >= 0 && options.smooth <= 1))
    throw Error(ErrorCode::kUsage, "smooth must be a number from 0 to 1");
  if (options.between < Between::kSteady || options.between > Between::kCarry)
    throw Error(ErrorCode::kUsage, "between must be steady, fit or carry");
  if (!(options.begin >= 0 && options.begin <= 1))
    throw Error(ErrorCode::kUsage, "begin must be a presence from 0 to 1");
}

inline void check_followed_search(const DetectOptions& search) {
  if (search.raw || search.min_neighbors.value_or(1) < 1)
    throw Error(ErrorCode::kUsage, "faces are followed in merged boxes: min_neighbors must be 1 or more");
}

}  // namespace winnow
