// Makes any bytes valid UTF-8, and safe for a terminal, as winnow/answer.h declares; its opening comment
// holds here.
#include <winnow/answer.h>

#include "base/clean_text.h"

namespace winnow {
namespace {

// The length of the character at the beginning of `bytes`; 0 if no character begins there. Overlong forms and
// surrogates do not count as characters.
std::size_t character_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[i])) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xC0u) == 0x80u; };
  const unsigned first = at(0);
  if (first < 0x80u) return 1;
  if (first >= 0xC2u && first <= 0xDFu) return follows(1) ? 2 : 0;
  if (first >= 0xE0u && first <= 0xEFu) {
    if (!follows(1) || !follows(2)) return 0;
    const unsigned code = (first & 0x0Fu) << 12 | (at(1) & 0x3Fu) << 6 | (at(2) & 0x3Fu);
    return code < 0x800u || (code >= 0xD800u && code <= 0xDFFFu) ? 0 : 3;
  }
  if (first >= 0xF0u && first <= 0xF4u) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    const unsigned code =
        (first & 0x07u) << 18 | (at(1) & 0x3Fu) << 12 | (at(2) & 0x3Fu) << 6 | (at(3) & 0x3Fu);
    return code < 0x10000u || code > 0x10FFFFu ? 0 : 4;
  }
  return 0;
}

}  // namespace

std::string clean_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    if (length == 0) {
      text += "\xEF\xBF\xBD";
      bytes.remove_prefix(1);
    } else {
      text += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return text;
}

std::string printable_line(std::string_view bytes) { return one_line(clean_utf8(bytes)); }

std::string printable(std::string_view bytes) {
  std::string text = clean_utf8(bytes);
  for (char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n') || code == 0x7F) c = '?';
  }
  return text;
}

}  // namespace winnow
