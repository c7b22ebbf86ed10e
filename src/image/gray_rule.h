// The grey of a colour, for every picture but a JPEG in YCbCr (whose Y plane is taken as it is).
// Agreement: exact. Integers only; weights of Rec. 601 in 1/32768 that add up to one, so r = g = b stays what
// it is.
#pragma once

#include <cstdint>

#include <winnow/image.h>

namespace winnow {

constexpr std::uint8_t gray_of(Rgb p) {
  return static_cast<std::uint8_t>((9798u * p.r + 19235u * p.g + 3735u * p.b + 16384u) >> 15);
}

}  // namespace winnow
