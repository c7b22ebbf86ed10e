// Lines, words and numbers of a text that may be hostile. Errors are kFormat or kLimit and know no place
// (truth/place.h adds it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

inline constexpr double kLargestNumber = 1 << 30;  // no picture has a longer side (image/decode.h)
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

// The lines that are not blank, without the blanks around them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next();  // false at the end
  // The next one that is no comment ('#' first).
  bool next_data();
  std::string_view text() const { return text_; }
  std::string_view raw() const { return raw_; }  // with the blanks around it, which may be empty columns
  bool indented() const { return indented_; }
  std::int64_t number() const { return number_; }  // the first line is 1

 private:
  std::string_view rest_, raw_, text_;
  std::int64_t number_ = 0;
  bool indented_ = false;
};

// The parts of a line between separators; ' ' stands for any run of blanks and tabs. A part that begins with
// a quote ends at the next lone one ("" is a quote inside); other parts lose the blanks around them.
std::vector<std::string> split(std::string_view line, char separator);
// ',' if the line has one outside quotes, else ' '.
char separator_of(std::string_view line);

std::string_view trim(std::string_view text);
std::string lower(std::string_view text);

// Decimal, finite, at most kLargestNumber away from 0, whatever the locale.
bool is_real(std::string_view word);
bool is_count(std::string_view word);  // digits only
// These throw "'abc' is not a number", with `what` it was to be.
double read_real(std::string_view word, const char* what);
std::int64_t read_count(std::string_view word, const char* what, std::int64_t largest);

// Words of the file for an error: short, quoted, printable.
std::string shown(std::string_view text);
// A real number for an error: "0", "-2.5".
std::string shown(double value);

}  // namespace winnow
