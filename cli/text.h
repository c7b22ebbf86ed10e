// Bytes from outside (file names, model cards) made fit for output.
#pragma once

#include <string>
#include <string_view>

namespace winnow::cli {

// Clean UTF-8 without control characters other than line feeds: each becomes '?'. So no name steers a
// terminal.
std::string printable(std::string_view bytes);
// "1 picture", "2 pictures"
std::string counted(long long n, const std::string& noun);

}  // namespace winnow::cli
