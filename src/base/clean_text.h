// Texts that may be shown: valid UTF-8 without control characters (a tab and a line feed are allowed), so
// that a hostile file's words do not steer a terminal or break JSON.
#pragma once

#include <string>
#include <string_view>

namespace winnow {

bool is_clean_text(std::string_view text);
// The same text with every byte that is not clean replaced by '?'; carriage returns are left out.
std::string clean_text(std::string_view text);

}  // namespace winnow
