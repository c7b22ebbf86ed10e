#include "text.h"

#include <winnow/answer.h>

namespace winnow::cli {
std::string printable(std::string_view bytes) {
  std::string text = clean_utf8(bytes);
  for (char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n') || code == 0x7F) c = '?';
  }
  return text;
}

std::string counted(long long n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace winnow::cli
