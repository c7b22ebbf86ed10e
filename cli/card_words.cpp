#include "card_words.h"

#include <filesystem>

#include "text.h"

namespace winnow::cli {

void add_card_words(CLI::App& app, CardWords& words, const std::string& unsaid, const std::string& group) {
  const std::string otherwise = unsaid.empty() ? "" : " (" + unsaid + ")";
  app.add_option("--name", words.name, "what the model is called (the file's name)")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--finds", words.finds, "what the model finds, for its card: face" + otherwise)
      ->type_name("WORDS")
      ->group(group);
  app.add_option("--terms", words.terms, "on what terms it may be used, for its card" + otherwise)
      ->type_name("WORDS")
      ->group(group);
}

ModelCard card_of(const CardWords& words, ModelCard card, const std::string& out) {
  card.name = words.name.empty() ? printable(std::filesystem::path(out).stem().string()) : words.name;
  if (!words.finds.empty()) card.kind = words.finds;
  if (!words.terms.empty()) card.terms = words.terms;
  check_card(card);
  return card;
}

}  // namespace winnow::cli
