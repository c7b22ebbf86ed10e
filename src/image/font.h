// Gives the letters of `draw_text`: printable ASCII, 5 dots wide and 7 high.
//
// In:     a character. A character that is not printable ASCII gives a hollow box.
// Out:    7 rows of 5 bits, the leftmost dot in bit 4.
// Memory: letters are constants that live as long as the program.
// Thread: any.
#pragma once

#include <array>
#include <cstdint>

namespace winnow {

inline constexpr int kGlyphWidth = 5, kGlyphHeight = 7;
using Glyph = std::array<std::uint8_t, kGlyphHeight>;

const Glyph& glyph_of(unsigned char character);

}  // namespace winnow
