#include "answer/line_texts.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include <winnow/answer.h>

namespace winnow {

std::string shortest(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::string json_string(const std::string& bytes) { return nlohmann::json(clean_utf8(bytes)).dump(); }

std::string json_number(double value) { return std::isfinite(value) ? shortest(value) : "null"; }

std::string csv_field(const std::string& bytes) {
  const std::string text = clean_utf8(bytes);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace winnow
