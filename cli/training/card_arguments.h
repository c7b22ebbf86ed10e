// Gives the options that name a new model and its terms: the same for every command that writes models.
//
// In:     the words of the command line, and a model's card.
// Out:    the card with the words that the user gave, or an `Error` if no file of a model can store them.
// Memory: `app` refers to `args`, which must outlive the parse. The card belongs to the caller.
#pragma once

#include <winnow/cascade_model.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace winnow::cli {

struct CardArguments {
  std::string name, finds, terms;
  std::optional<double> margin, aspect;
};

// `unnamed` and `unsaid` are texts for --help. `unnamed` tells which name the card gets without --name.
// `unsaid` tells which texts the card gets without --finds and --terms; it may be "". `heading`: the headline
// of the options in --help.
void add_card_options(CLI::App& app, CardArguments& args, const std::string& unnamed,
                      const std::string& unsaid, const std::string& heading);

// Returns `card` with the words that were given.
ModelCard with_words(ModelCard card, const CardArguments& args);
// Returns the card of a new model, with the words that were given. Without --name the card takes the name of
// the file `out`. Throws if no file of a model can store the card, so that a command fails before its work.
ModelCard card_of(const CardArguments& args, ModelCard card, const std::string& out);

}  // namespace winnow::cli
