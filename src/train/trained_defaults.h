// Gives the search defaults of models that Winnow trains. They were chosen on whole pictures of people:
// docs/design/018-small-things.md.
//
// In:     the model's window.
// Out:    the defaults for the new model's card.
// Memory: plain data.
// Thread: any.
#pragma once

#include <winnow/box.h>
#include <winnow/search_defaults.h>

namespace winnow {

// Returns the border for searches, as a fraction (`DetectOptions::border`). Windows at least 1.5 times as
// high as wide are for people and similar objects. Such an object often fills its picture, but the window
// needs ground on all sides of the object.
inline double trained_border(Size window) { return 2 * window.height >= 3 * window.width ? 0.2 : 0; }

inline SearchDefaults trained_svm_defaults(Size window) {
  return {.scale_factor = 1.05,
          .merge = Merge::kSupport,
          .min_neighbors = 0,
          .min_score = -0.5,
          .min_support = 1,
          .border = trained_border(window)};
}

inline SearchDefaults trained_blocks_defaults(Size window) {
  return {.scale_factor = 1.08, .merge = Merge::kSupport, .min_score = -1, .border = trained_border(window)};
}

}  // namespace winnow
