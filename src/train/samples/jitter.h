// Makes copies of a positive that differ a little from it: rotated, scaled, moved, blurred, and in other
// light.
//
// In:     a picture, the window's place in the picture, the bounds of the changes, the seed, the number of
//         the positive, and the number of the copy.
// Out:    the window's pixels, in memory of the caller.
// Exact:  the same bytes on every machine. The random numbers depend only on the seed and on the two numbers.
// Memory: blurring allocates working memory; nothing is kept.
// Thread: any.
//
// A copy is cut from the picture, not from the original window. A moved copy therefore shows pixels of the
// picture that lie beside the original window.
#pragma once

#include <cstdint>

#include <winnow/image.h>
#include <winnow/pack.h>

#include "base/random.h"
#include "image/warp.h"

namespace winnow {

// Throws kUsage if a bound is out of its range.
void check_jitter(const Jitter& jitter, Size window);

void sample_jittered(GrayView picture, const Affine& place, const Jitter& jitter, std::uint64_t seed,
                     std::uint64_t positive, std::uint64_t copy, ImageView<std::uint8_t> window);

// The two random steps of `sample_jittered`. `draw_move` returns a map from each point of the copy to the
// point of the original window that it shows.
Affine draw_move(const Jitter& jitter, Size window, Random& random);
void change_light(const Jitter& jitter, ImageView<std::uint8_t> window, Random& random);

}  // namespace winnow
