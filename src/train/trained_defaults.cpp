#include "train/trained_defaults.h"

namespace winnow {
namespace {

// A window that is at least 1.5 times as high as wide is for people and the like. A person often fills the
// picture, and the window needs ground on all sides of the person.
double border_of(Size window) { return 2 * window.height >= 3 * window.width ? 0.2 : 0; }

}  // namespace

SearchDefaults trained_svm_defaults(Size window) {
  SearchDefaults defaults;
  defaults.scale_factor = 1.05;
  defaults.merge = Merge::kSupport;
  defaults.min_neighbors = 0;
  defaults.min_score = -0.5;
  defaults.min_support = 1;
  defaults.border = border_of(window);
  return defaults;
}

SearchDefaults trained_blocks_defaults(Size window) {
  SearchDefaults defaults;
  defaults.scale_factor = 1.08;
  defaults.merge = Merge::kSupport;
  defaults.min_neighbors = 3;
  defaults.min_score = -1;
  defaults.border = border_of(window);
  return defaults;
}

}  // namespace winnow
