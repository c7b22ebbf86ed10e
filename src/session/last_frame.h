// Keeps a copy of a video's newest grey frame, so that another engine can go on with the video.
//
// In:     frames.
// Out:    a view of the copy.
// Exact:  the frame's own pixels.
// Memory: owns the copy. A frame of the same size allocates nothing.
// Thread: one thread at a time.
#pragma once

#include <utility>

#include <winnow/image.h>

#include "image/border.h"

namespace winnow {

class LastFrame {
 public:
  void take(GrayView frame) {
    if (copy_.size() != frame.size()) copy_ = GrayImage(frame.width, frame.height);
    if (!frame.empty()) add_border(frame, 0, copy_.view());
  }
  GrayView view() const { return copy_.view(); }

 private:
  GrayImage copy_;
};

}  // namespace winnow
