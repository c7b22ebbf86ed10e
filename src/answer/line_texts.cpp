#include "answer/line_texts.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace winnow {
namespace {

// The shortest text of the value, rounded to a multiple of 1 / `decimals`.
std::string rounded(double value, double decimals) {
  const double units = std::round(value * decimals);
  return units == 0 ? "0" : shortest(units / decimals);
}

}  // namespace

std::string shortest(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::string place_text(double value) { return rounded(value, 100); }
std::string chance_text(double value) { return rounded(value, 1000); }

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

std::string json_frame(const FrameResult& result, const char* list, const std::string& items, bool timing) {
  return fmt::format(
      R"({{"source":{},"frame":{},"time":{},"width":{},"height":{},"model":{},"{}":[{}]{}}})"
      "\n",
      json_string(result.source), result.frame, result.time ? json_number(*result.time) : "null",
      result.picture.width, result.picture.height, json_string(result.model), list, items,
      timing ? fmt::format(R"(,"backend":{},"seconds":{:.6f})", json_string(result.backend), result.seconds)
             : "");
}

std::string csv_start(const FrameResult& result, const Box& box) {
  return fmt::format("{},{},{},{},{},{},{}", csv_field(result.source), result.frame,
                     result.time ? shortest(*result.time) : "", box.x, box.y, box.width, box.height);
}

std::string csv_timing(const FrameResult& result) {
  return fmt::format(",{},{:.6f}", csv_field(result.backend), result.seconds);
}

}  // namespace winnow
