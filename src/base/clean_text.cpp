#include "base/clean_text.h"

#include <cstddef>
#include <cstdint>

namespace winnow {
namespace {

// The length in bytes of the clean character at the beginning of `text`; 0 if there is none.
std::size_t clean_prefix(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first == '\t' || first == '\n' || (first >= 0x20 && first != 0x7f) ? 1 : 0;
  const std::size_t length = first >= 0xf0 && first <= 0xf4  ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc2 && first < 0xe0 ? 2
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t kSmallest[5] = {0, 0, 0xa0, 0x800, 0x10000};  // by length; C1 controls end at 0x9f
  if (code < kSmallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  return length;
}

}  // namespace

bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = clean_prefix(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = clean_prefix(text);
    if (length > 0) {
      clean += text.substr(0, length);
    } else if (text[0] != '\r') {
      clean += '?';
    }
    text.remove_prefix(length > 0 ? length : 1);
  }
  return clean;
}

std::string one_line(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      line += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      line.append("\\").append(1, c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
    } else {
      line.append("\\x").append(1, kDigits[code >> 4]).append(1, kDigits[code & 15]);
    }
  }
  return line;
}

std::string quoted_text(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string quoted = "'";
  quoted.append(clean_text(text.substr(0, kLongest))).append(text.size() > kLongest ? "...'" : "'");
  return quoted;
}

}  // namespace winnow
