// Numbers as OpenCV's files spell them, read and written without regard to the locale.
//
// Read: decimal, with an optional sign, point and exponent ("+1", "20.", ".5", "1e-3"), as a double that is
// then cast to what is wanted, which is what OpenCV does. What OpenCV would read as something else is
// refused: integers with leading zeros (octal there) or beyond 32 bits (wrapped there), and so are NaN,
// infinities and overflow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winnow {

// nullptr and `value` set, or what is wrong with `token`, to be put after it: "is not a number".
const char* parse_number(std::string_view token, float& value);
const char* parse_number(std::string_view token, std::int32_t& value);  // an integral real ("20.") will do

// Appends the shortest spelling that reads back, through double, as the same float. It always has a point or
// an exponent, since OpenCV tells reals from integers by them.
void append_real(std::string& text, float value);

}  // namespace winnow
