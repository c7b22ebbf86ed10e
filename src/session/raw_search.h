// Gives the options of a search that counts windows of the picture itself.
//
// Out:    options without merging, without enlarged levels and without a mirrored border, whatever the
//         model's search defaults say. All other options have their own defaults.
// Memory: the options belong to the caller.
// Thread: any.
#pragma once

#include <winnow/detection.h>

namespace winnow {

inline DetectOptions raw_search() {
  DetectOptions options;
  options.raw = true;
  options.enlarge = 1;
  options.border = 0;
  return options;
}

}  // namespace winnow
