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

// A window that is at least 1.5 times as high as wide is for people and similar objects. They often fill a
// picture, and such a window needs ground around them on all sides.
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
