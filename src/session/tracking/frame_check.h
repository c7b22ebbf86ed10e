// Checks a frame of a video before it is followed.
//
// In:     a frame, and what it is for.
// Out:    kUsage for a frame without pixels; kLimit for sides above 65,536 pixels.
// Memory: nothing is kept.
// Thread: any.
#pragma once

#include <string>

#include <winnow/error.h>
#include <winnow/image.h>

namespace winnow {

// `what` begins the sentence: "a picture for flow".
inline void check_frame(GrayView frame, const char* what) {
  constexpr int kMaxSide = 1 << 16;
  if (frame.empty()) throw Error(ErrorCode::kUsage, std::string(what) + " must have pixels");
  if (frame.data == nullptr) throw Error(ErrorCode::kUsage, "a picture without pixels");
  if (frame.width > kMaxSide || frame.height > kMaxSide)
    throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
}

}  // namespace winnow
