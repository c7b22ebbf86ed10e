// Gives the place of a point in a picture, in fractions of pixels.
//
// The middle of the first pixel is (0, 0), as in `FlowPoint`. Boxes and `Point` count from the corner of the
// first pixel, so the same place has coordinates there that are larger by 0.5.
//
// Exact:  plain doubles; host and device code compute the same.
// Memory: plain data.
// Thread: any.
#pragma once

namespace winnow {

struct PointPlace {
  double x = 0, y = 0;
};

}  // namespace winnow
