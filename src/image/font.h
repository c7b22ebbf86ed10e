// The letters that `draw_text` knows: printable ASCII, 5 dots wide and 7 high. A row is 5 bits, the leftmost
// dot in bit 4. Anything else is a hollow box.
#pragma once

#include <array>
#include <cstdint>

namespace winnow {

inline constexpr int kGlyphWidth = 5, kGlyphHeight = 7;
using Glyph = std::array<std::uint8_t, kGlyphHeight>;

const Glyph& glyph_of(unsigned char character);

}  // namespace winnow
