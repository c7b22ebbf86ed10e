// Gives options for a search like that of OpenCV's HOGDescriptor, whatever a model's card says.
//
// In:     scale factor and neighbours.
// Out:    options without border and enlarging, with groups of windows that score 0 or more.
// Memory: plain data.
// Thread: any.
#pragma once

#include <winnow/detection.h>

namespace bench {

inline winnow::DetectOptions plain_search(double scale_factor, int min_neighbors) {
  winnow::DetectOptions options;
  options.scale_factor = scale_factor;
  options.min_neighbors = min_neighbors;
  return winnow::complete_options(options, {.min_score = 0});
}

}  // namespace bench
