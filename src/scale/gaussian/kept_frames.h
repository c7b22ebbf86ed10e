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
//         which frame a pyramid shows. Views of levels become invalid with the next `take` or `deepen`.
// Thread: one thread at a time; between calls of `take` and `deepen` any number of threads may read.
#pragma once

#include <cstdint>

#include <winnow/image.h>

#include "scale/gaussian/gaussian_pyramid.h"

namespace winnow {

class KeptFrames {
 public:
  // `halve`: the backend's form of the step.
  explicit KeptFrames(HalveStep halve) : halve_(halve) {}

  // Keeps `frame` as the newest frame, with as many levels as `GaussianPyramid::make` gives it. The frame that
  // was the newest becomes the frame before.
  void take(GrayView frame, int levels);
  // Gives the kept frames as many levels as `take` would. Levels beyond these stay.
  void deepen(int levels);
  // Forgets both frames, as after a cut. The next frame then has no frame before it.
  void forget() { kept_ = 0; }

  // `now` is null before the first frame. `before` is null without an earlier frame of the same size.
  const GaussianPyramid* now() const { return kept_ > 0 ? &now_ : nullptr; }
  const GaussianPyramid* before() const { return kept_ > 1 ? &before_ : nullptr; }

 private:
  HalveStep halve_;
  GaussianPyramid now_, before_, deeper_;
  int kept_ = 0;  // the number of kept frames of the present size, at most 2
};

}  // namespace winnow
