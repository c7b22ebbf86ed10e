// Makes text from outside, such as file names and model cards, fit for output.
//
// In:     any bytes.
// Out:    a new string.
// Thread: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winnow::cli {

// Clean UTF-8. Control characters other than line feeds become '?', so that no name steers a terminal.
std::string printable(std::string_view bytes);
// The line that holds `at`; without `at`, the first line that says something. The number of other lines is
// added.
std::string one_line(const std::string& text, std::size_t at = std::string::npos);
// Finds the terms of a model card by their name. Comments begin with what the file is, which the card's
// source gives already.
std::string terms_line(const std::string& terms);
// Writes a count with its noun: "1 picture", "2 pictures".
std::string counted(long long n, const std::string& noun);

}  // namespace winnow::cli
