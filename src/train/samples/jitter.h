// Makes copies of a positive that differ a little: rotated, scaled, moved, blurred, and in other light.
//
// In:     a picture, the window's place in the picture, the bounds, the seed, and the numbers of positive and
//         copy.
// Out:    the window's pixels, in memory of the caller.
// Exact:  the same bytes on every machine. Chance depends only on seed, positive and copy.
// Memory: blurring allocates working memory; nothing is kept.
// Thread: any.
//
// A moved window is cut from the picture itself, so pixels beside the original window come into the copy.
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

// The two steps of `sample_jittered`. A move maps each point of the copy to its origin in the original
// window.
Affine draw_move(const Jitter& jitter, Size window, Random& random);
void change_light(const Jitter& jitter, ImageView<std::uint8_t> window, Random& random);

}  // namespace winnow
