// Spells numbers and names in result lines.
//
// In:     numbers, and bytes from outside.
// Out:    text for JSON or CSV.
// Exact:  the same text for the same value.
// Memory: texts belong to the caller.
// Thread: any.
#pragma once

#include <string>

namespace winnow {

std::string shortest(double value);  // the shortest text that reads back as the same number
std::string json_string(const std::string& bytes);
std::string json_number(double value);            // "null" if it is not finite
std::string csv_field(const std::string& bytes);  // quoted if it must be

}  // namespace winnow
