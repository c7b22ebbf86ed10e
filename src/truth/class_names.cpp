// Reads the names of YOLO's classes, as truth/truth_file.h declares; its opening comment holds here.
#include <charconv>
#include <cstdint>
#include <utility>

#include <winnow/error.h>

#include "truth/place.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

bool is_quoted(std::string_view text) {
  return text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
}

void append_utf8(std::uint32_t code, std::string& text) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  int shift = code < 0x800 ? 6 : code < 0x10000 ? 12 : 18;
  put((shift == 6 ? 0xc0 : shift == 12 ? 0xe0 : 0xf0) | code >> shift);
  while (shift > 0) put(0x80 | (code >> (shift -= 6) & 0x3f));
}

// Reads the escape sequence that begins with the backslash at `at`. Appends the character that the sequence
// stands for, and moves `at` to the last letter of the sequence.
void append_escaped(std::string_view text, std::size_t& at, std::string& name) {
  const char letter = at + 1 < text.size() ? text[++at] : '\\';
  const int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits == 0) {
    if (letter != '"' && letter != '\\' && letter != '/' && letter != ' ')
      throw Error(ErrorCode::kFormat, "a name of a class with a '\\' that is none of YAML's");
    name += letter;
    return;
  }
  const std::string_view number = text.substr(at + 1, digits);
  std::uint32_t code = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), code, 16);
  if (read.ptr != number.data() + digits || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    throw Error(ErrorCode::kFormat, "a name of a class with a '\\' and a number that is no letter's");
  append_utf8(code, name);
  at += digits;
}

// Removes YAML's quotes from a name. Within single quotes, '' is one quote mark. Within double quotes, a
// backslash begins an escape sequence.
std::string yaml_name(std::string_view text) {
  text = trim(text);
  if (!is_quoted(text)) return std::string(text);
  const char quote = text[0];
  text = text.substr(1, text.size() - 2);
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      append_escaped(text, i, name);
    } else {
      if (quote == '\'' && text.substr(i, 2) == "''") ++i;
      name += text[i];
    }
  }
  return name;
}

// Removes the quotes around a line of a list of names, if there are any. Such a line has no escape sequences.
std::string listed_name(std::string_view text) {
  return std::string(is_quoted(text) ? text.substr(1, text.size() - 2) : text);
}

void keep(std::string name, std::vector<std::string>& names) {
  if (names.size() == kMaxCategories) throw Error(ErrorCode::kLimit, "there are too many classes");
  if (name.empty()) throw Error(ErrorCode::kFormat, "a class has no name");
  names.push_back(std::move(name));
}

// The position of the first character outside quotes that is one of `ends`, or the end of the text. A '#'
// counts only at the start or behind a blank. A quote mark opens quotes only where a name begins.
std::size_t find_bare(std::string_view text, std::string_view ends) {
  char quote = 0;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      const bool pair = c == '\'' && text.substr(i, 2) == "''";
      if (quote == '"' ? c == '\\' : pair) {
        ++i;  // the next character is no quote mark
        continue;
      }
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

// The text before a comment. As in YAML, a comment begins with '#' behind a blank.
std::string_view without_comment(std::string_view text) { return trim(text.substr(0, find_bare(text, "#"))); }

// Reads an item of a list: "- a", or "0: a" with a number that counts items from 0.
void read_item(std::string_view text, std::vector<std::string>& names) {
  const std::string_view line = without_comment(text);
  if (line.starts_with("- ")) return keep(yaml_name(line.substr(2)), names);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_count(trim(line.substr(0, colon))))
    throw Error(ErrorCode::kFormat, shown(line) + " is no name of a class: '- name' or '0: name'");
  if (trim(line.substr(0, colon)) != std::to_string(names.size()))
    throw Error(ErrorCode::kFormat, "the classes are not numbered 0, 1, 2 and so on");
  keep(yaml_name(line.substr(colon + 1)), names);
}

// Whether a list in brackets ends with this text.
bool ends_flow(std::string_view list) { return list.back() == (list[0] == '{' ? '}' : ']'); }

// Reads a list such as "[a, b]" or "{0: a, 1: b}".
void read_flow(std::string_view list, std::vector<std::string>& names) {
  const bool numbered = list[0] == '{';
  list = trim(list.substr(1, list.size() - 2));
  while (!list.empty()) {
    const std::size_t end = find_bare(list, ",");
    if (numbered)
      read_item(list.substr(0, end), names);
    else
      keep(yaml_name(list.substr(0, end)), names);
    list = end == list.size() ? std::string_view() : trim(list.substr(end + 1));
  }
}

}  // namespace

std::vector<std::string> class_list(std::string_view text) {
  std::vector<std::string> names;
  Lines lines(text);
  while (lines.next())
    at_line([&] { return lines.number(); }, [&] { keep(listed_name(lines.text()), names); });
  return names;
}

std::vector<std::string> yaml_names(std::string_view text) {
  std::vector<std::string> names;
  Lines lines(text);
  bool inside = false;
  std::string flow;  // a list in brackets that goes on
  while (lines.next_data()) {
    const std::string_view line = lines.text();
    // A key at the margin ends the list. Items of the list may stand at the margin, too.
    const bool item = lines.indented() || line.starts_with("- ");
    at_line([&] { return lines.number(); },
            [&] {
              if (!flow.empty()) {
                flow += ' ';
                flow += without_comment(line);
                if (!ends_flow(flow)) return;
                read_flow(flow, names);
                return flow.clear();
              }
              if (inside && item) return read_item(line, names);
              inside = !item && line.starts_with("names:");
              const std::string_view rest = inside ? without_comment(line.substr(6)) : std::string_view();
              if (rest.empty()) return;
              inside = false;
              if (rest[0] != '[' && rest[0] != '{')
                throw Error(ErrorCode::kFormat, "names are a list: [a, b]");
              if (!ends_flow(rest)) return void(flow = rest);
              read_flow(rest, names);
            });
  }
  if (!flow.empty()) throw Error(ErrorCode::kFormat, "the list of names has no end");
  return names;
}

}  // namespace winnow
