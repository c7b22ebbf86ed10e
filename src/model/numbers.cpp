#include "model/numbers.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace winnow {
namespace {

const char* parse_wide(std::string_view token, double& value) {
  std::string_view digits = token;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) digits.remove_prefix(1);
  if (digits.empty() || digits[0] == '+' || digits[0] == '-') return "is not a number";
  const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::result_out_of_range) return "is beyond the range of a double";
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return "is not a number";
  if (!std::isfinite(value)) return "is not a finite number";
  if (digits.find_first_of(".eE") == std::string_view::npos) {
    if (digits.size() > 1 && digits[0] == '0') return "has a leading zero, which OpenCV takes as octal";
    constexpr double kLargest = std::numeric_limits<std::int32_t>::max();
    if (value > (token[0] == '-' ? kLargest + 1 : kLargest)) return "is an integer beyond 32 bits";
  }
  if (token[0] == '-') value = -value;
  return nullptr;
}

// Adds a point to a spelling that has neither a point nor an exponent.
char* with_point(char* begin, char* end) {
  if (std::string_view(begin, static_cast<std::size_t>(end - begin)).find_first_of(".en") ==
      std::string_view::npos)
    *end++ = '.';
  return end;
}

}  // namespace

const char* parse_number(std::string_view token, double& value) { return parse_wide(token, value); }

const char* parse_number(std::string_view token, float& value) {
  double wide = 0;
  if (const char* problem = parse_wide(token, wide)) return problem;
  // Casting a double beyond float's range is undefined behaviour, so the value is refused first.
  constexpr double kTooLarge = 0x1.ffffffp127;  // values from here on round to infinity
  if (std::fabs(wide) >= kTooLarge) return "is beyond the range of a float";
  value = static_cast<float>(wide);
  return nullptr;
}

const char* parse_number(std::string_view token, std::int32_t& value) {
  double wide = 0;
  if (const char* problem = parse_wide(token, wide)) return problem;
  if (wide != std::trunc(wide)) return "is not an integer";
  if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max()) {
    return "is an integer beyond 32 bits";
  }
  value = static_cast<std::int32_t>(wide);
  return nullptr;
}

void append_real(std::string& text, float value) {
  char buffer[64];
  const auto same = [&](const char* end) {
    float back = 0;
    return parse_number({buffer, static_cast<std::size_t>(end - buffer)}, back) == nullptr &&
           std::bit_cast<std::uint32_t>(back) == std::bit_cast<std::uint32_t>(value);
  };
  char* end = with_point(buffer, std::to_chars(buffer, buffer + sizeof buffer - 1, value).ptr);
  // The shortest spelling of a float, read as a double, may be the middle between two floats. A spelling of
  // 17 digits cannot be the middle.
  if (!same(end))
    end = with_point(buffer, std::to_chars(buffer, buffer + sizeof buffer - 1, static_cast<double>(value),
                                           std::chars_format::scientific, 16)
                                 .ptr);
  text.append(buffer, end);
}

void append_real(std::string& text, double value) {
  char buffer[64];
  text.append(buffer, with_point(buffer, std::to_chars(buffer, buffer + sizeof buffer - 1, value).ptr));
}

}  // namespace winnow
