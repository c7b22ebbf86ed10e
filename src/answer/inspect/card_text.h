// Writes the texts of a model's card for `inspect_text` and `inspect_json`.
//
// In:     a card with texts from outside.
// Out:    lines of text, or an object of JSON.
// Exact:  the same text for the same card.
// Memory: results belong to the caller; nothing of the card is kept.
// Thread: any.
#pragma once

#include <winnow/cascade_model.h>

#include <nlohmann/json.hpp>
#include <string>

namespace winnow {

// One line for each of the card's texts that is not empty, except its name. `kind_word`, such as "finds",
// stands before the card's kind.
std::string card_text(const ModelCard& card, const std::string& kind_word);
nlohmann::ordered_json card_json(const ModelCard& card);

}  // namespace winnow
