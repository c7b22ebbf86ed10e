#include "scale/kept_frames.h"

#include <algorithm>

namespace winnow {

void KeptFrames::take(GrayView frame) {
  const bool same = kept_ > 0 && now_.level(0).size() == frame.size();
  now_.swap(before_);
  now_.make(frame, levels_, halve_);
  kept_ = frame.empty() ? 0 : same ? std::min(kept_ + 1, 2) : 1;
}

}  // namespace winnow
