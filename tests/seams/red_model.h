// A made kind of detector model that is no cascade: it finds red patches.
//
// The file is text: "red-patches WIDTH HEIGHT STEP LEAST". A window's score is the mean of red minus green
// over the window's pixels; a window survives with at least LEAST. Windows lie STEP pixels apart on OpenCV's
// levels for HOG, so the kind has a plan rule that no cascade has, and it reads colour. It has steps for
// `reference` and `cpu`.
#pragma once

#include <string>

namespace winnow::sample {

inline const std::string kRedKind = "red-patches";

// Adds the kind's reader and steps, once a program.
void add_red_kind();

}  // namespace winnow::sample
