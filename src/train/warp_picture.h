// One picture as many positives, as opencv_createsamples makes them: turned in space, seen by a camera two to
// four of its sides away, made lighter or darker, and laid onto a random place of a negative. In: the
// picture, the negatives' pictures and the bounds. Out: a window. exact, and a function of seed and number
// only, whatever the machine's threads, which share the window's rows. Cost: some eight taps for each pixel
// of the picture.
#pragma once

#include <cstdint>

#include <winnow/image.h>
#include <winnow/pack.h>

#include "train/random.h"

namespace winnow {

// Throws kUsage if a bound makes no sense.
void check_warps(const PackOptions& options);

void warp_picture(GrayView picture, GrayView negative, const PackOptions& options, Random& random,
                  ImageView<std::uint8_t> window);

}  // namespace winnow
