// Says how points are carried from one picture to the next, and what is found of each.
//
// In:     nothing; these are options and results.
// Exact:  same results for every backend, thread count and batch.
// Memory: plain data.
#pragma once

#include <winnow/box.h>

namespace winnow {

// kUsage for a number that is not in its range.
struct FlowOptions {
  // The most levels of the pyramid, level 0 included: 1 to 16. A level whose width or height is not above the
  // window's is left out, but for level 0.
  int levels = 4;
  Size window = {21, 21};   // the pixels around a point that are compared; odd sides from 3 to 31
  int iterations = 30;      // the most steps of a point in a level: 1 to 100
  double eps = 0.01;        // a step of this length or less is the last of a level: 0 to 10
  double min_eigen = 1e-4;  // the least texture that a window needs in level 0; 0 or more
  bool back = false;        // also carry each found point back into the picture before
  bool ncc = false;         // also correlate the windows before and after
};

// Where a point went.
struct FlowPoint {
  // The middle of the first pixel is (0, 0). Where the search ended, if the point was not found.
  double x = 0, y = 0;
  // False if the window has too little texture, or if it left the picture by more than its own sides.
  bool found = false;
  // The mean difference of the windows before and after, in grey levels. 0 for a point that was not found.
  float error = 0;
  // With `back`: the distance in pixels from where the point began to where it is carried back. Infinite if
  // it was not found on the way back. 0 without `back`, and for a point that was not found.
  float back_distance = 0;
  // With `ncc`: the normalised cross correlation of the windows before and after, from -1 to 1. 0 for a
  // window of one grey, without `ncc`, and for a point that was not found.
  float ncc = 0;
  bool operator==(const FlowPoint&) const = default;
};

}  // namespace winnow
