// Adds, for tests, a kind of detector model that is no cascade: it finds red patches in colour pictures.
//
// In:     text files "red-patches WIDTH HEIGHT STEP LEAST".
// Out:    windows with a score of at least LEAST. The score is the mean of red minus green over the window's
//         pixels.
// Exact:  the same scores for `reference` and `cpu`, the backends that have steps for the kind.
// Memory: the kind lives until the program ends.
// Thread: `add_red_kind` must run before other threads use models.
//
// Windows lie STEP pixels apart on OpenCV's levels for HOG. So the kind has a plan rule that no cascade has,
// and it reads colour.
#pragma once

#include <string>

namespace winnow::sample {

inline const std::string kRedKind = "red-patches";

// Adds the kind's reader and steps. Later calls do nothing.
void add_red_kind();

}  // namespace winnow::sample
