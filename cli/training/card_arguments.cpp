#include "training/card_arguments.h"

#include <winnow/answer.h>

#include <filesystem>
#include <utility>

#include "terminal/arguments.h"

namespace winnow::cli {

void add_card_options(CLI::App& app, CardArguments& args, const std::string& unnamed,
                      const std::string& unsaid, const std::string& heading) {
  const OptionGroup group(app, heading);
  const std::string otherwise = unsaid.empty() ? "" : " (" + unsaid + ")";
  group.value("--name", args.name, "NAME", "name of the model (" + unnamed + ")");
  group.value("--finds", args.finds, "WORDS",
              "what the model finds, such as face; stored in the model" + otherwise);
  group.value("--terms", args.terms, "WORDS", "terms of use; stored in the model" + otherwise);
  group.value(
      "--box-margin", args.margin, "F",
      "ground around the object in the model's boxes, as a fraction of each side, below 0.5; stored in "
      "the model, for `winnow eval detector --model-margin`");
  group.value("--box-aspect", args.aspect, "A",
              "usual width of an object for a height of 1; stored in the model, as --box-margin");
}

ModelCard with_words(ModelCard card, const CardArguments& args) {
  if (!args.name.empty()) card.name = args.name;
  if (!args.finds.empty()) card.kind = args.finds;
  if (!args.terms.empty()) card.terms = args.terms;
  if (!args.margin && !args.aspect) return card;
  ObjectPlace place = card.place.value_or(ObjectPlace{});
  place.margin = args.margin.value_or(place.margin);
  place.aspect = args.aspect.value_or(place.aspect);
  card.place = place;
  return card;
}

ModelCard card_of(const CardArguments& args, ModelCard card, const std::string& out) {
  card = with_words(std::move(card), args);
  if (args.name.empty()) card.name = printable(std::filesystem::path(out).stem().string());
  check_card(card);
  return card;
}

}  // namespace winnow::cli
