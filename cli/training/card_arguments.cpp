#include "training/card_arguments.h"

#include <winnow/answer.h>

#include <filesystem>

namespace winnow::cli {

void add_card_options(CLI::App& app, CardArguments& args, const std::string& unnamed,
                      const std::string& unsaid, const std::string& heading) {
  const std::string otherwise = unsaid.empty() ? "" : " (" + unsaid + ")";
  app.add_option("--name", args.name, "name of the model (" + unnamed + ")")
      ->type_name("NAME")
      ->group(heading);
  app.add_option("--finds", args.finds, "what the model finds, such as face; stored in the model" + otherwise)
      ->type_name("WORDS")
      ->group(heading);
  app.add_option("--terms", args.terms, "terms of use; stored in the model" + otherwise)
      ->type_name("WORDS")
      ->group(heading);
}

ModelCard card_of(const CardArguments& args, ModelCard card, const std::string& out) {
  card.name = args.name.empty() ? printable(std::filesystem::path(out).stem().string()) : args.name;
  if (!args.finds.empty()) card.kind = args.finds;
  if (!args.terms.empty()) card.terms = args.terms;
  check_card(card);
  return card;
}

}  // namespace winnow::cli
