// Adds a made kind of model that finds no objects: it marks points in a face.
//
// In:     text files: a line "dots" with the card's four texts in quotes, then a line "X Y" for each point,
//         in parts of a face's box.
// Out:    a model that is loaded, listed, inspected and converted; files of it are ".dots", or ".tsv", which
//         keeps no card.
// Exact:  files give back the numbers that were read.
// Memory: the kind lives until the program ends.
// Thread: `add_dot_kind` must run before other threads use models.
#pragma once

#include <string>

namespace winnow::sample {

inline const std::string kDotKind = "dots";

// Adds the kind's reader and writers. Later calls do nothing.
void add_dot_kind();
// What is said and drawn of a model; without it, only what every model says.
void add_dot_pages();

}  // namespace winnow::sample
