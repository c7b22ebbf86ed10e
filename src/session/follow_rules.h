// Says by which rules a follower keeps faces, from the options that its caller gave.
//
// In:     checked options, and whether presence counts.
// Out:    the rules of `FollowedObjects`.
// Exact:  products of doubles.
// Memory: plain data.
// Thread: any.
#pragma once

#include <winnow/face_search.h>
#include <winnow/follower.h>

#include "track/follow/followed_objects.h"

namespace winnow {

static_assert(static_cast<int>(Between::kSteady) == static_cast<int>(PointRule::kBlend));
static_assert(static_cast<int>(Between::kFit) == static_cast<int>(PointRule::kFit));
static_assert(static_cast<int>(Between::kCarry) == static_cast<int>(PointRule::kCarry));

// A fit with a presence below `kAskBelow` asks for a search. A face is doubted if the mean presence of its
// recent fits is below the part `kDoubted` of the presence that a new face needs.
inline constexpr double kAskBelow = 2 * kFacePresence, kDoubted = 0.1;

inline FollowRules follow_rules(const FollowOptions& options, bool presence_counts) {
  FollowRules rules{options.detect_every, options.gap, options.smooth,
                    static_cast<PointRule>(options.between), options.until_found.value_or(false)};
  if (presence_counts && options.between != Between::kCarry) {  // else no frame between searches has one
    rules.presence_counts = true;
    rules.ask_below = kAskBelow;
    rules.doubt_below = kDoubted * options.min_confidence.value_or(options.begin);
  }
  return rules;
}

}  // namespace winnow
