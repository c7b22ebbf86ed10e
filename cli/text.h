// Makes text from outside, such as file names and model cards, fit for output.
//
// In:     any bytes.
// Out:    a new string.
// Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace winnow::cli {

// Clean UTF-8. Control characters other than line feeds become '?', so that no name steers a terminal.
std::string printable(std::string_view bytes);
// Writes a count with its noun: "1 picture", "2 pictures".
std::string counted(long long n, const std::string& noun);

}  // namespace winnow::cli
