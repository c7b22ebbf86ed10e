#include "truth/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include <winnow/error.h>

namespace winnow {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

// Sets `value` and returns nullptr. If the word is no number, returns the end of a sentence that says why.
const char* parse_real(std::string_view word, double& value) {
  std::string_view digits = word;
  if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
  if (digits.empty() || (digits.size() < word.size() && digits[0] == '-')) return "is not a number";
  const char* const end = digits.data() + digits.size();
  const std::from_chars_result result = std::from_chars(digits.data(), end, value);
  if (result.ec == std::errc::result_out_of_range) return "is beyond the range of numbers";
  if (result.ec != std::errc() || result.ptr != end) return "is not a number";
  if (!std::isfinite(value)) return "is not a finite number";
  if (std::fabs(value) > kLargestNumber) return "is more than any picture has pixels";
  return nullptr;
}

bool has_decimal_comma(std::string_view word) {
  std::string pointed(word);
  double value = 0;
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  return pointed != word && parse_real(pointed, value) == nullptr;
}

// The field that begins with the quote mark at `at`. Moves `at` behind the field.
std::string quoted_field(std::string_view line, std::size_t& at) {
  std::string field;
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      field += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      field += line[++at];
    } else {
      ++at;
      return field;
    }
  }
  throw Error(ErrorCode::kFormat, "a quote is not closed on its line");
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& letter : small)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return small;
}

bool Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    indented_ = rest_[0] == ' ' || rest_[0] == '\t';
    raw_ = rest_.substr(0, end);
    if (raw_.ends_with('\r')) raw_.remove_suffix(1);
    text_ = trim(raw_);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++number_;
    if (raw_.size() > kLongestLine)
      throw Error(ErrorCode::kLimit,
                  "a line may have " + std::to_string(kLongestLine) + " bytes, this one has more", {},
                  "line " + std::to_string(number_));
    if (!text_.empty()) return true;
  }
  return false;
}

bool Lines::next_data() {
  while (next())
    if (text_[0] != '#') return true;
  return false;
}

std::vector<std::string> split(std::string_view line, char separator) {
  const bool blanks = separator == ' ';
  // If tabs separate fields, a tab is no blank.
  const std::string_view around = separator == '\t' ? " " : kBlanks;
  const auto skip = [&](std::size_t at) { return std::min(line.find_first_not_of(around, at), line.size()); };
  std::vector<std::string> fields;
  std::size_t at = skip(0);
  bool open = !blanks;  // another field follows, perhaps an empty one
  while (open || at < line.size()) {
    if (at < line.size() && line[at] == '"') {
      const std::size_t begin = at;
      fields.push_back(quoted_field(line, at));
      const std::size_t next = skip(at);
      if (next < line.size() && (blanks ? next == at : line[next] != separator))
        throw Error(ErrorCode::kFormat, "text behind the closed quote of " + shown(line.substr(begin)));
      at = next;
    } else {
      const std::size_t end =
          std::min(blanks ? line.find_first_of(kBlanks, at) : line.find(separator, at), line.size());
      fields.emplace_back(trim(line.substr(at, end - at)));
      at = blanks ? skip(end) : end;
    }
    open = !blanks && at < line.size();  // a separator stands at `at`
    if (open) at = skip(at + 1);
  }
  return fields;
}

char separator_of(std::string_view line) {
  bool inside = false;
  for (const char letter : line) {
    if (letter == '"') inside = !inside;
    if (letter == ',' && !inside) return ',';
  }
  return ' ';
}

void refuse_semicolons(std::string_view line) {
  if (line.find(';') == std::string_view::npos) return;
  const std::vector<std::string> fields = split(line, ';');
  bool any = false;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (!fields[i].empty() && !is_real(fields[i]) && !has_decimal_comma(fields[i])) return;
    any = any || !fields[i].empty();
  }
  if (!any) return;
  throw Error(
      ErrorCode::kFormat,
      "the columns are separated by ';', which is read below a head line only; name the columns in one "
      "(file;...), or write ',' between them");
}

bool is_real(std::string_view word) {
  double value = 0;
  return parse_real(word, value) == nullptr;
}

bool is_count(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

double read_real(std::string_view word, const char* what) {
  double value = 0;
  if (word.empty()) throw Error(ErrorCode::kFormat, std::string(what) + " is missing");
  if (const char* problem = parse_real(word, value))
    throw Error(ErrorCode::kFormat, std::string(what) + ": " + shown(word) + " " + problem +
                                        (has_decimal_comma(word) ? "; write it with a decimal point" : ""));
  return value;
}

std::int64_t read_count(std::string_view word, const char* what, std::int64_t largest) {
  std::int64_t value = 0;
  if (word.empty()) throw Error(ErrorCode::kFormat, std::string(what) + " is missing");
  if (!is_count(word))
    throw Error(ErrorCode::kFormat, std::string(what) + ": " + shown(word) + " is not a whole number");
  const bool fits = std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc();
  if (!fits || value > largest)
    throw Error(ErrorCode::kLimit, std::string(what) + " is " + shown(word) + ", at most " +
                                       std::to_string(largest) + " may be");
  return value;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string clean = "'";
  for (const char letter : text.substr(0, kLongest)) clean += letter >= ' ' && letter <= '~' ? letter : '?';
  return clean + (text.size() > kLongest ? "...'" : "'");
}

std::string shown(double value) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
  return std::string(text, result.ptr);
}

}  // namespace winnow
