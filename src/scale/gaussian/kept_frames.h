// Keeps the newest frame of a video and the frame before, each with its Gaussian pyramid.
//
// One `KeptFrames` takes each frame once. All sessions that read the frame use the same object: flow, a
// tracker, a detector of cuts.
//
// In:     a video's grey frames, in order.
// Out:    the pyramids of the last two frames of one size.
// Exact:  as `GaussianPyramid`.
// Memory: a `KeptFrames` owns its pyramids, and uses their memory again from frame to frame. A frame may be
//         freed when `take` returns. The frame must not lie in the kept frames. If memory for a frame is
//         short, no frame is kept. Pointers to pyramids live as long as the `KeptFrames`; `take` changes
//         which frame a pyramid shows.
// Thread: one thread at a time; between two calls of `take` any number of threads may read.
#pragma once

#include <cstdint>

#include <winnow/image.h>

#include "scale/gaussian/gaussian_pyramid.h"

namespace winnow {

class KeptFrames {
 public:
  // `levels`: as `GaussianPyramid::make` takes it. `halve`: the backend's form of the step.
  KeptFrames(int levels, HalveStep halve) : levels_(levels), halve_(halve) {}

  // Keeps `frame` as the newest frame. The frame that was the newest becomes the frame before.
  void take(GrayView frame);
  // Forgets both frames, as after a cut. The next frame then has no frame before it.
  void forget() { kept_ = 0; }

  // `now` is null before the first frame. `before` is null without an earlier frame of the same size.
  const GaussianPyramid* now() const { return kept_ > 0 ? &now_ : nullptr; }
  const GaussianPyramid* before() const { return kept_ > 1 ? &before_ : nullptr; }

 private:
  int levels_;
  HalveStep halve_;
  GaussianPyramid now_, before_;
  int kept_ = 0;  // the number of kept frames of the present size, at most 2
};

}  // namespace winnow
