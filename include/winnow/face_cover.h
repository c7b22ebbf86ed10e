// Holds a box that hides a face in a frame of a video, and why the box is there.
//
// In:     nothing; these are results.
// Exact:  same results for every backend and thread count.
// Memory: plain data.
#pragma once

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

enum class CoverReason {
  kFound,      // a search found the face in this frame
  kCarried,    // flow carried the face to this frame
  kJoined,     // the face was there before and afterwards
  kLingering,  // the face was there a few frames before or afterwards
};
WINNOW_API const char* reason_name(CoverReason reason);  // "found", "carried", "joined", "lingering"

struct FaceCover {
  Box box;
  int path = 0;      // the same number for all covers of one face; rises from 1 in a video
  int searches = 0;  // how many searches found the face, as far as known when the box is given
  CoverReason reason = CoverReason::kFound;
  bool operator==(const FaceCover&) const = default;
};

}  // namespace winnow
