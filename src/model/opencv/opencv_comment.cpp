#include "model/opencv/opencv_comment.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/clean_text.h"
#include "model/check.h"

namespace winnow {
namespace {

bool contains_word(std::string_view text, std::string_view lower_word) {
  for (std::size_t i = 0; i + lower_word.size() <= text.size(); ++i) {
    std::size_t n = 0;
    while (n < lower_word.size() && std::tolower(static_cast<unsigned char>(text[i + n])) == lower_word[n])
      ++n;
    if (n == lower_word.size()) return true;
  }
  return false;
}

bool speaks_of_terms(std::string_view text) {
  return contains_word(text, "license") || contains_word(text, "licence") || contains_word(text, "copyright");
}

// Bytes of 0x80 and above count as letters, because they are parts of letters outside ASCII.
bool has_letters(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](unsigned char c) { return c >= 0x80 || std::isalpha(c) != 0; });
}

// The lines that have letters, without the blanks around them.
std::string lines_with_letters(std::string_view comment) {
  std::string text;
  while (!comment.empty()) {
    std::string_view line = comment.substr(0, comment.find('\n'));
    comment.remove_prefix(line.size() < comment.size() ? line.size() + 1 : line.size());
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!line.empty() && blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && blank(line.back())) line.remove_suffix(1);
    if (!has_letters(line)) continue;
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

// The first line that has letters. Empty if that line is long or is the head of a licence.
std::string source_line(std::string_view comment) {
  constexpr std::size_t kLongest = 120;
  while (!comment.empty()) {
    std::string_view line = comment.substr(0, comment.find('\n'));
    comment.remove_prefix(line.size() < comment.size() ? line.size() + 1 : line.size());
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front()))) line.remove_prefix(1);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
    if (!has_letters(line)) continue;
    return line.size() <= kLongest && !speaks_of_terms(line) ? std::string(line) : std::string();
  }
  return {};
}

}  // namespace

void read_comment(const XmlFile& file, ModelCard& card, std::vector<std::string>& notes) {
  const std::string_view comment = file.leading_comment();
  if (comment.size() > kMaxTextBytes) {
    notes.push_back("The comment at the head of the file is too long to keep.");
    return;
  }
  const std::string clean = clean_text(comment);
  // A licence says that it must stay with the file, so a comment with a licence goes whole on the card as its
  // terms. Any other comment goes on the card as the source.
  if (speaks_of_terms(clean)) {
    card.source = source_line(clean);
    card.terms = clean;
  } else {
    card.source = lines_with_letters(clean);
  }
}

void put_head(std::string& out, const ModelCard& card) {
  out += "<?xml version=\"1.0\"?>\n";
  // Terms that were read from a comment contain the source already.
  const bool whole = card.terms.find(card.source) != std::string::npos;
  std::string text = whole ? card.terms : card.terms.empty() ? card.source : card.source + "\n" + card.terms;
  if (text.empty()) return;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '-' && text[i + 1] == '-') text.insert(i + 1, 1, ' ');  // XML forbids "--" in a comment
  }
  out += "<!--\n" + text + "\n-->\n";
}

}  // namespace winnow
