// Halves both sides of a grey picture, smoothed by 5 x 5 binomial weights. One step of a Gaussian pyramid.
//
// In:     a grey picture (any stride) that is not empty.
// Out:    its half, whose size is `halved(source.size())`. Bytes behind a target's row are not written.
// Exact:  equal to OpenCV's pyrDown of 8-bit grey with BORDER_REFLECT_101.
// Memory: the caller owns source, target and scratch, and the two pictures do not overlap. The scratch grows
//         with the widest picture, and keeps its memory.
// Thread: any. Each thread needs its own `HalveRow`.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/gaussian/halve_rule.h"

namespace winnow {

// Scratch of one thread: for one row of the half, the sums down the columns of the source. The sums of even
// columns and of odd columns lie apart.
struct HalveRow {
  std::vector<std::uint16_t> sums;
};

// A form of the halving step. The reference does not use the scratch.
using HalveStep = void (*)(GrayView source, ImageView<std::uint8_t> target, HalveRow& row);
void halve_ref(GrayView source, ImageView<std::uint8_t> target, HalveRow& row);
void halve_cpu(GrayView source, ImageView<std::uint8_t> target, HalveRow& row);

}  // namespace winnow
