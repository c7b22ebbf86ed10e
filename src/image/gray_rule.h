// Converts a colour to grey, for every picture but a JPEG in YCbCr, whose Y plane is taken as it is.
//
// In:     8 bits for each of red, green and blue.
// Out:    8 bits of grey.
// Exact:  integers only. The weights are those of Rec. 601 in units of 1/32768. They add up to 32768, so a
//         pixel with r = g = b keeps its value.
#pragma once

#include <cstdint>

#include <winnow/image.h>

namespace winnow {

inline constexpr std::uint32_t kGrayRed = 9798, kGrayGreen = 19235, kGrayBlue = 3735;
inline constexpr int kGrayBits = 15;

constexpr std::uint8_t gray_of(Rgb p) {
  return static_cast<std::uint8_t>(
      (kGrayRed * p.r + kGrayGreen * p.g + kGrayBlue * p.b + (1u << (kGrayBits - 1))) >> kGrayBits);
}

}  // namespace winnow
