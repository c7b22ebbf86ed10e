// The names of YOLO's classes.
#include <algorithm>

#include <winnow/error.h>

#include "truth/place.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

std::string unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0])
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

void keep(std::string_view name, std::vector<std::string>& names) {
  if (names.size() == kMaxCategories) throw Error(ErrorCode::kLimit, "there are too many classes");
  names.push_back(unquoted(name));
  if (names.back().empty()) throw Error(ErrorCode::kFormat, "a class has no name");
}

// Where one of `ends` stands outside quotes, or the end of the text. A quote begins a name.
std::size_t find_bare(std::string_view text, std::string_view ends) {
  char quote = 0;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (begins && (c == '"' || c == '\'')) {
      quote = c;
    } else if (ends.find(c) != std::string_view::npos &&
               (c != '#' || i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      return i;
    }
    begins = c == ',' || c == '[' || c == ':' || (begins && (c == ' ' || c == '\t' || c == '-'));
  }
  return text.size();
}

// Up to a comment: '#' behind a blank, as YAML has it.
std::string_view without_comment(std::string_view text) { return trim(text.substr(0, find_bare(text, "#"))); }

// "[a, b]"
void read_flow(std::string_view list, std::vector<std::string>& names) {
  if (list.back() != ']') throw Error(ErrorCode::kFormat, "a list of names that does not end on its line");
  list = trim(list.substr(1, list.size() - 2));
  while (!list.empty()) {
    const std::size_t end = find_bare(list, ",");
    keep(list.substr(0, end), names);
    list = end == list.size() ? std::string_view() : trim(list.substr(end + 1));
  }
}

// "- a" or "0: a", whose numbers count from 0.
void read_item(std::string_view text, std::vector<std::string>& names) {
  const std::string_view line = without_comment(text);
  if (line.starts_with("- ")) return keep(line.substr(2), names);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_count(trim(line.substr(0, colon))))
    throw Error(ErrorCode::kFormat, shown(line) + " is no name of a class: '- name' or '0: name'");
  if (trim(line.substr(0, colon)) != std::to_string(names.size()))
    throw Error(ErrorCode::kFormat, "the classes are not numbered 0, 1, 2 and so on");
  keep(line.substr(colon + 1), names);
}

}  // namespace

std::vector<std::string> class_list(std::string_view text) {
  std::vector<std::string> names;
  Lines lines(text);
  while (lines.next()) at_line([&] { return lines.number(); }, [&] { keep(lines.text(), names); });
  return names;
}

std::vector<std::string> yaml_names(std::string_view text) {
  std::vector<std::string> names;
  Lines lines(text);
  bool inside = false;
  while (lines.next_data()) {
    const std::string_view line = lines.text();
    // A key at the margin ends the list; its items may stand at the margin too.
    const bool item = lines.indented() || line.starts_with("- ");
    at_line([&] { return lines.number(); },
            [&] {
              if (inside && item) return read_item(line, names);
              inside = !item && line.starts_with("names:");
              const std::string_view rest = inside ? without_comment(line.substr(6)) : std::string_view();
              if (rest.empty()) return;
              inside = false;
              if (rest[0] != '[') throw Error(ErrorCode::kFormat, "names are a list: [a, b]");
              read_flow(rest, names);
            });
  }
  return names;
}

}  // namespace winnow
