// What a command line says of a model that is made: the same words for `winnow train cascade` and `join`.
#pragma once

#include <winnow/cascade_model.h>

#include <CLI/CLI.hpp>
#include <string>

namespace winnow::cli {

struct CardWords {
  std::string name, finds, terms;
};

// `unsaid`: what holds where finds and terms are not given; "": nothing. `group`: the headline that they
// stand under in --help.
void add_card_words(CLI::App& app, CardWords& words, const std::string& unsaid, const std::string& group);

// `card` with what was said, and the name of the file `out` if no other was. Throws if no file could keep it,
// so that this is known before the work that the card is for.
ModelCard card_of(const CardWords& words, ModelCard card, const std::string& out);

}  // namespace winnow::cli
