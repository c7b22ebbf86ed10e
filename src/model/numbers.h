// Reads and writes numbers as OpenCV's files spell them, whatever the locale.
//
// In:     a decimal with an optional sign, point and exponent ("+1", "20.", ".5", "1e-3").
// Out:    a double; or a float or an integer, cast from the double, as OpenCV does; or a sentence that names
//         the mistake.
// Exact:  the value is OpenCV's. Integers with leading zeros are refused, because OpenCV reads them as octal.
//         Integers beyond 32 bits are refused, because OpenCV wraps them. NaN, infinities and overflow are
//         refused, too.
// Memory: `append_real` may grow the text. Sentences live as long as the program.
// Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winnow {

// Sets `value` and returns nullptr if `token` is a number. Otherwise returns the end of a sentence that
// begins with `token`: "is not a number".
const char* parse_number(std::string_view token, float& value);
const char* parse_number(std::string_view token, double& value);
const char* parse_number(std::string_view token, std::int32_t& value);  // accepts an integral real ("20.")

// Appends the shortest spelling that reads back, through double, as the same value. The spelling always has a
// point or an exponent, since OpenCV distinguishes reals from integers by them.
void append_real(std::string& text, float value);
void append_real(std::string& text, double value);

}  // namespace winnow
