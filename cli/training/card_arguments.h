// Gives the options that name a new model and its terms: the same for every command that writes models.
//
// In:     words of the command line, and the card of the model.
// Out:    the card with these words, or an `Error` if no file could keep the words.
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

// `unnamed` and `unsaid` are words for --help, or "". `unnamed` tells what the card's name is without --name.
// `unsaid` tells what the card's texts are without --finds and --terms. `heading`: the headline of the
// options in --help.
void add_card_options(CLI::App& app, CardArguments& args, const std::string& unnamed,
                      const std::string& unsaid, const std::string& heading);

// Returns `card` with the words that were given.
ModelCard with_words(ModelCard card, const CardArguments& args);
// Returns the card of a new model, with the words that were given. Without --name the card takes the name of
// the file `out`. Throws if no file could keep the card, so that a command fails before its work.
ModelCard card_of(const CardArguments& args, ModelCard card, const std::string& out);

}  // namespace winnow::cli
