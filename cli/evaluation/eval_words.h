// Writes the figures of an evaluation in words and as JSON; NaN becomes "-" in words, and null in JSON.
//
// Out:    values of JSON, and new strings.
// Thread: any.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace winnow::cli {

inline std::string percent(double fraction, int digits = 1) {
  return std::isnan(fraction) ? "-" : fmt::format("{:.{}f}", 100 * fraction, digits);
}

inline std::string plain(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", value); }

inline std::string short_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3g}", value);
}

inline nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace winnow::cli
