// Tests and cleans text for display, so that a hostile file neither controls a terminal nor breaks JSON.
//
// In:     any bytes.
// Out:    clean text is valid UTF-8 whose only control characters (C0, DEL or C1) are tab and line feed.
// Memory: the cleaned text is a new string.
// Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace winnow {

bool is_clean_text(std::string_view text);
// Returns a copy in which each byte outside a clean character is '?'. Carriage returns are left out.
std::string clean_text(std::string_view text);
// Writes control characters (C0 and DEL) as \n, \t, \r or, for instance, \x1b. Other bytes stay.
std::string one_line(std::string_view text);
// The text for an error message: clean, short and in quotation marks.
std::string quoted_text(std::string_view text);

}  // namespace winnow
