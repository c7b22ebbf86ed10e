#include "scale/gaussian/kept_frames.h"

#include <algorithm>

namespace winnow {

void KeptFrames::take(GrayView frame, int levels) {
  const bool same = kept_ > 0 && now_.level(0).size() == frame.size();
  const int kept = frame.empty() ? 0 : same ? std::min(kept_ + 1, 2) : 1;
  kept_ = 0;  // stays 0 if memory is short
  now_.swap(before_);
  now_.make(frame, levels, halve_);
  kept_ = kept;
}

void KeptFrames::deepen(int levels) {
  GaussianPyramid* const kept[] = {&now_, &before_};
  for (int i = 0; i < kept_; ++i) {
    const GrayView frame = kept[i]->level(0);
    if (kept[i]->levels() >= gaussian_levels(frame.size(), levels)) continue;
    deeper_.make(frame, levels, halve_);
    deeper_.swap(*kept[i]);
  }
}

}  // namespace winnow
