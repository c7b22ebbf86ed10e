// Splits a text into lines, words and numbers.
//
// In:     a text, possibly hostile, not copied; lines are views of it.
// Out:    words and numbers, or an `Error` (kFormat, kLimit) without a place (truth/place.h adds it).
// Exact:  numbers are the nearest doubles, whatever the locale.
// Memory: the text must outlive `Lines` and all views. Words are new strings.
// Thread: any; a `Lines` belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

inline constexpr double kLargestNumber = 1 << 30;  // no picture has a longer side (image/files/decode.h)
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

// Walks through the lines of a text, and skips blank lines.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next();  // goes to the next line; false at the end
  // Goes to the next line that does not begin with '#'.
  bool next_data();
  std::string_view text() const { return text_; }  // without outer blanks
  std::string_view raw() const { return raw_; }    // with its outer blanks: outer tabs may mean empty columns
  bool indented() const { return indented_; }
  std::int64_t number() const { return number_; }  // the first line is 1

 private:
  std::string_view rest_, raw_, text_;
  std::int64_t number_ = 0;
  bool indented_ = false;
};

// The fields of a line between separators. The separator ' ' stands for any run of blanks and tabs. A field
// that begins with a quote mark ends at the next quote mark that is not doubled. A doubled quote mark ("")
// stands for one quote mark in the field. Other fields lose the blanks around them.
std::vector<std::string> split(std::string_view line, char separator);
// ',' if the line has a comma outside quotes, else ' '.
char separator_of(std::string_view line);
// Throws kFormat if numbers stand behind semicolons: "a.jpg;1;2,5". For lines without a head line above that
// has semicolons, too.
void refuse_semicolons(std::string_view line);

std::string_view trim(std::string_view text);
std::string lower(std::string_view text);

// Whether the word is a decimal, finite, and at most kLargestNumber away from 0, whatever the locale.
bool is_real(std::string_view word);
bool is_count(std::string_view word);  // digits only
// These two read a number, or throw "<what>: 'abc' is not a number". `what` names the number in the sentence.
double read_real(std::string_view word, const char* what);
std::int64_t read_count(std::string_view word, const char* what, std::int64_t largest);

// Text of the file for an error message: short, quoted, printable.
std::string shown(std::string_view text);
// A real number for an error message: "0", "-2.5".
std::string shown(double value);

}  // namespace winnow
