// Bytes from outside (file names, model cards) made fit for output.
#pragma once

#include <string>
#include <string_view>

namespace winnow::cli {

// Valid UTF-8: each byte that is no part of a character becomes U+FFFD.
std::string clean_utf8(std::string_view bytes);
// The same, and control characters other than line feeds become '?', so that no name can steer a terminal.
std::string printable(std::string_view bytes);
// The shortest text that reads back as the same number.
std::string shortest(double value);
// "1 picture", "2 pictures"
std::string counted(long long n, const std::string& noun);

}  // namespace winnow::cli
