// Holds the options for carrying points from one picture to the next, and the result for a point.
//
// In:     nothing; these are options and results.
// Exact:  same results for every backend, thread count and batch.
// Memory: plain data.
#pragma once

#include <winnow/box.h>

namespace winnow {

// A number that is not in its range is a kUsage error.
struct FlowOptions {
  // The most levels of the pyramid, from 1 to 16; level 0 is the picture itself. A level above 0 is left out
  // if its width or height does not exceed the window's.
  int levels = 4;
  Size window = {21, 21};   // the pixels around a point that are compared; odd sides from 3 to 31
  int iterations = 30;      // the most steps of a point in a level: 1 to 100
  double eps = 0.01;        // a step of this many pixels or less is the last in a level: 0 to 10
  double min_eigen = 1e-4;  // the least eigenvalue (texture) of a window in level 0; 0 or more
  bool back = false;        // also carry each found point back to the first picture
  bool ncc = false;         // also correlate the windows in both pictures
  Size ncc_window = {};     // the pixels that `ncc` correlates; odd sides from 3 to 31. 0 x 0: as `window`
};

// Where a point went.
struct FlowPoint {
  // The point's place in the second picture; the middle of the first pixel is (0, 0). For a point that was
  // not found: where the search ended.
  double x = 0, y = 0;
  // False if the window around the point has too little texture, or left the picture completely.
  bool found = false;
  // The mean absolute difference of the windows in both pictures, in grey levels. 0 for a point that was not
  // found.
  float error = 0;
  // With `back`: the distance in pixels between the point's start and the place to which it is carried back.
  // Infinite if the point was not found on the way back. 0 without `back`, and for a point that was not
  // found.
  float back_distance = 0;
  // With `ncc`: the normalised cross correlation of the windows in both pictures, from -1 to 1. 0 for a
  // window of a single grey level, without `ncc`, and for a point that was not found.
  float ncc = 0;
  bool operator==(const FlowPoint&) const = default;
};

}  // namespace winnow
