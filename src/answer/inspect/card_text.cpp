#include "answer/inspect/card_text.h"

#include <winnow/answer.h>

#include <fmt/format.h>

#include <algorithm>

#include "base/count_text.h"

namespace winnow {
namespace {

// The line of `text` that holds position `at`. Without `at`, the first line that is not blank. Adds the
// number of other lines, if there are any.
std::string one_line(const std::string& text, std::size_t at = std::string::npos) {
  constexpr const char* kBlank = " \t\r\n|";  // '|': some comments have a frame of bars
  if (at == std::string::npos) at = text.find_first_not_of(kBlank);
  if (at == std::string::npos) return "";
  const std::size_t before = text.rfind('\n', at);
  const std::size_t begin = text.find_first_not_of(kBlank, before == std::string::npos ? 0 : before + 1);
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const auto others = std::count(text.begin(), text.end(), '\n');
  const std::string line = text.substr(begin, end - begin);
  return others == 0 ? line : line + " [and " + count_text(others, "more line") + ", see --json]";
}

// The line of `terms` that names the licence. Terms are comments of model files. They may begin with a
// description of the file. It is skipped, because the card's field `source` has one.
std::string terms_line(const std::string& terms) { return one_line(terms, terms.find("License Agreement")); }

}  // namespace

std::string card_text(const ModelCard& card, const std::string& kind_word) {
  std::string text;
  const auto add = [&](const std::string& word, const std::string& line) {
    text += fmt::format("{:<10} {}\n", word, line);
  };
  if (!card.kind.empty()) add(kind_word, one_line(card.kind));
  if (!card.source.empty()) add("source", one_line(card.source));
  if (!card.terms.empty()) add("terms", terms_line(card.terms));
  return text;
}

nlohmann::ordered_json card_json(const ModelCard& card) {
  nlohmann::ordered_json json;
  json["name"] = clean_utf8(card.name);
  json["kind"] = clean_utf8(card.kind);
  json["source"] = clean_utf8(card.source);
  json["terms"] = clean_utf8(card.terms);
  if (card.place) json["place"] = {{"margin", card.place->margin}, {"aspect", card.place->aspect}};
  return json;
}

}  // namespace winnow
