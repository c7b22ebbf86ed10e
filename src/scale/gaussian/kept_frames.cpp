#include "scale/gaussian/kept_frames.h"

#include <algorithm>

namespace winnow {

void KeptFrames::take(GrayView frame) {
  const bool same = kept_ > 0 && now_.level(0).size() == frame.size();
  const int kept = frame.empty() ? 0 : same ? std::min(kept_ + 1, 2) : 1;
  kept_ = 0;  // stays 0 if memory is short
  now_.swap(before_);
  now_.make(frame, levels_, halve_);
  kept_ = kept;
}

}  // namespace winnow
