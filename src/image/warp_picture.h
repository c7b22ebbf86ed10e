// One picture as many positives, as opencv_createsamples makes them: turned in space, seen by a camera two to
// four of its sides away, made lighter or darker, and laid onto a random place of a negative. In: the
// picture, the negatives' pictures and the bounds. Out: a window. exact, and a function of seed and number
// only, whatever the machine's threads, which share the window's rows. Cost: some eight taps for each pixel
// of the picture.
#pragma once

#include <cstdint>

#include <winnow/image.h>

#include "base/random.h"

namespace winnow {

// The bounds of a warp. Angles are radians: below a quarter turn about x and y, where the picture would be a
// line.
struct WarpBounds {
  double x = 1.1, y = 1.1, z = 0.5;  // turned about each axis, at most so far either way
  int intensity = 40;                // made lighter or darker, at most so much
  int background = -1;               // a grey of the picture that is clear; -1: none
  int background_tolerance = 80;     // greys this near to it are clear too
};

void warp_picture(GrayView picture, GrayView negative, const WarpBounds& bounds, Random& random,
                  ImageView<std::uint8_t> window);

}  // namespace winnow
