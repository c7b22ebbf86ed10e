// Copies of a positive that differ as pictures of the same thing do: turned, scaled, moved, blurred and lit a
// little differently. In: the picture, where the window lies in it, the bounds, and which copy of which
// positive this is. Out: the window's pixels. exact, and a function of seed, positive and copy only. Moves
// read the picture itself, so that what lies beside the window comes into it.
#pragma once

#include <cstdint>

#include <winnow/image.h>
#include <winnow/pack.h>

#include "base/random.h"
#include "image/warp.h"

namespace winnow {

// Throws kUsage if a bound makes no sense.
void check_jitter(const Jitter& jitter, Size window);

void sample_jittered(GrayView picture, const Affine& place, const Jitter& jitter, std::uint64_t seed,
                     std::uint64_t positive, std::uint64_t copy, ImageView<std::uint8_t> window);

// Its parts. A move maps the window to where its pixels come from, around its middle.
Affine draw_move(const Jitter& jitter, Size window, Random& random);
void change_light(const Jitter& jitter, ImageView<std::uint8_t> window, Random& random);

}  // namespace winnow
