// Makes a positive sample for a training from a picture of the object, as opencv_createsamples does.
//
// In:     the picture; a negative, which is a picture without the object; the bounds; random numbers. The
//         pictures are not copied.
// Out:    the pixels of a window, in memory of the caller. The picture is turned in space, made lighter or
//         darker, and laid onto a random piece of the negative. The camera is two to four times the picture's
//         longer side away.
// Exact:  a function of the pictures, the bounds and the random numbers only, for every number of threads.
// Memory: nothing is kept.
// Thread: any. The call divides the rows of the window among all threads of the machine.
// Cost:   about eight taps for each pixel of the picture.
#pragma once

#include <cstdint>

#include <winnow/image.h>

#include "base/random.h"

namespace winnow {

// The bounds of a warp. Angles are radians. Angles about x and y must be below 90 degrees. At 90 degrees the
// camera would see the picture as a line.
struct WarpBounds {
  double x = 1.1, y = 1.1, z = 0.5;  // the largest angle about each axis, in both directions
  int intensity = 40;                // the largest change of light, in both directions
  int background = -1;               // a grey of the picture that is transparent; -1: none
  int background_tolerance = 80;     // greys at most this far from `background` are transparent, too
};

void warp_picture(GrayView picture, GrayView negative, const WarpBounds& bounds, Random& random,
                  ImageView<std::uint8_t> window);

}  // namespace winnow
