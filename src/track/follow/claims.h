// Decides which boxes of one list are the same objects as boxes of another list.
//
// In:     how well each box of one list fits each box of the other.
// Out:    pairs of one box of each list, so that no box is in two pairs. Pairs that fit best come first.
// Exact:  doubles in a fixed order. Of equal fits, the pair of the first boxes comes first.
// Memory: the caller owns the lists.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <winnow/box.h>

namespace winnow {

// How near `box` lies to where an object should be. The object left `from` that many `frames` ago, with a
// speed in pixels a frame. Gives 1 at that place, and 0 or less for a box too far away. Gives 0 for a much
// larger or smaller box. The longer the object's way, the farther away the box may be.
double nearness_of(const RealBox& from, double speed_x, double speed_y, double frames, const RealBox& box);

struct Claim {
  std::size_t object, box;
};

// Pairs objects with boxes. Only pairs whose fit is above `least` are taken.
// `fits`: for each object, its fit with each of `boxes` boxes.
std::vector<Claim> claims_of(std::span<const double> fits, std::size_t boxes, double least);

}  // namespace winnow
