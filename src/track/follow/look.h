// Remembers how an object looks, and compares two looks.
//
// In:     a grey picture, and the box of an object, which may reach beyond the picture.
// Out:    a small picture of the box's middle; a likeness from -1 to 1, whatever brightness and contrast are.
// Exact:  whole numbers, and three operations of doubles for a likeness.
// Memory: plain data.
// Thread: any.
// Cost:   2,304 pixels a look; `looks_around` makes 27 looks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/image.h>

namespace winnow {

inline constexpr int kLookSide = 24;

// Means of 2 x 2 pixels, spread evenly over the middle of a box.
struct Look {
  std::array<std::uint8_t, kLookSide * kLookSide> pixels{};
};

Look look_at(GrayView picture, const RealBox& box);

// Looks of the box, and of boxes a little beside it, smaller and larger: searches place one object
// differently.
void looks_around(GrayView picture, const RealBox& box, std::vector<Look>& looks);

// The normalised cross correlation; 0 if all pixels of a look have the same grey.
double likeness_of(const Look& a, const Look& b);
// The greatest likeness of a look of one list to a look of the other; -1 if a list is empty.
double likeness_of(std::span<const Look> some, std::span<const Look> others);

}  // namespace winnow
