#include "text.h"

#include <winnow/answer.h>

#include <algorithm>

namespace winnow::cli {

std::string printable(std::string_view bytes) {
  std::string text = clean_utf8(bytes);
  for (char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n') || code == 0x7F) c = '?';
  }
  return text;
}

std::string one_line(const std::string& text, std::size_t at) {
  constexpr const char* kBlank = " \t\r\n|";  // comments are boxed with bars
  if (at == std::string::npos) at = text.find_first_not_of(kBlank);
  if (at == std::string::npos) return "";
  const std::size_t before = text.rfind('\n', at);
  const std::size_t begin = text.find_first_not_of(kBlank, before == std::string::npos ? 0 : before + 1);
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const auto others = std::count(text.begin(), text.end(), '\n');
  const std::string line = text.substr(begin, end - begin);
  return others == 0 ? line : line + " [and " + counted(others, "more line") + ", see --json]";
}

std::string terms_line(const std::string& terms) { return one_line(terms, terms.find("License Agreement")); }

std::string counted(long long n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace winnow::cli
