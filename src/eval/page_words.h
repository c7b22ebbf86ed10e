// Writes numbers and texts as the pages of evaluations show them.
//
// In:     figures, and texts of any bytes.
// Out:    text for HTML; a dash stands for NaN.
// Exact:  the same text for the same input.
// Memory: text is a new string.
// Thread: any.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "base/clean_text.h"
#include "page/html.h"

namespace winnow {

inline std::string clean(const std::string& words) { return xml_text(clean_text(words)); }

inline std::string percent(double fraction, int digits = 1) {
  return std::isnan(fraction) ? "–" : fmt::format("{:.{}f} %", 100 * fraction, digits);
}

inline std::string plain(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

inline std::string number(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3g}", value); }

// Writes 1234567 as 1 234 567, with spaces at which lines do not break.
inline std::string spaced(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, "\u202f");
  return text;
}

inline std::string pictures(std::int64_t count) {
  return spaced(count) + (count == 1 ? " picture" : " pictures");
}

}  // namespace winnow
