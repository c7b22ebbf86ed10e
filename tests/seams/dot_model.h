// Adds, for tests, a kind of model that marks points in a face and finds no objects.
//
// In:     text files: a line "dots" with the card's four texts in quotes, then a line "X Y" for each point,
//         in fractions of a face's box.
// Out:    a model that is loaded, listed, inspected and converted. Its files are ".dots", or ".tsv", which
//         has no card.
// Exact:  files keep the numbers that were read.
// Memory: the kind lives until the program ends.
// Thread: `add_dot_kind` must run before other threads use models.
#pragma once

#include <string>

namespace winnow::sample {

inline const std::string kDotKind = "dots";

// Adds the kind's reader and writers. Later calls do nothing.
void add_dot_kind();
// Adds the functions that describe and draw a model. Without these functions, a model of dots is described
// like any other model.
void add_dot_pages();

}  // namespace winnow::sample
