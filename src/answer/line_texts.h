// Spells numbers and names in result lines.
//
// In:     numbers, and bytes from outside.
// Out:    text for JSON or CSV.
// Exact:  the same text for the same value.
// Memory: texts belong to the caller.
// Thread: any.
#pragma once

#include <string>

#include <winnow/answer.h>

namespace winnow {

std::string shortest(double value);  // the shortest text that reads back as the same number
// The shortest text of a place in pixels, rounded to two decimals; of a confidence, rounded to three. Halves
// round away from zero.
std::string place_text(double value);
std::string chance_text(double value);
std::string json_string(const std::string& bytes);
std::string json_number(double value);            // "null" if the value is not finite
std::string csv_field(const std::string& bytes);  // in quotes if CSV requires quotes

// The whole line of JSON for a frame. `list` names the list that holds `items`.
std::string json_frame(const FrameResult& result, const char* list, const std::string& items, bool timing);
// The first columns of a line of CSV: source, frame, time and the four numbers of the box.
std::string csv_start(const FrameResult& result, const Box& box);
// The columns of backend and seconds, with a comma before each.
std::string csv_timing(const FrameResult& result);

}  // namespace winnow
