// The form that a feature takes: which corners of which plane are added, and in how many bits.
//
// In:    a feature of a checked model.
// Out:   a shape that the kernels know, and its corners in the order in which the kernels add them.
// Exact: a shape is chosen only if the feature's value loses nothing in it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

enum class FeatureShape : std::uint8_t {
  kEdge,     // 2+ 2- once, 1+ 1- times m: two rectangles side by side
  kLine,     // 2+ 2- once, 2+ 2- times m: a rectangle inside another
  kChecker,  // 4 corners once, 4 edges -2 times, the centre 4 times; all of it m = +1 or -1 times
  kCorners,  // any corners with a weight each
  kPieces,  // rectangles cut into pieces of at most 257 pixels, whose sums fit 16 bits; float weights, in the
            // file's order
  kRects,   // 32-bit rectangle sums, float weights, in the file's order
  kLbp,     // 4 column and 4 row offsets, cells of at most 257 pixels
  kLbpWide,  // the same in 32 bits
};

struct Corner {
  int x, y, weight;
};

struct Shaped {
  FeatureShape shape = FeatureShape::kRects;
  bool tilted = false;
  int times = 0;
  std::array<std::uint8_t, 3> lines{};
  std::vector<Corner> corners;  // in the order the kernel adds them
};

// For lanes of 16 bits. `exact_range`: find the largest value exactly, which takes time with the window's
// pixels; else a bound does.
Shaped shape_haar(const HaarFeature& feature, Size window, bool exact_range);
// The same for lanes of 32 bits, which hold every value: never in pieces.
Shaped shape_haar_wide(const HaarFeature& feature);
Shaped shape_lbp(const LbpFeature& feature);

}  // namespace winnow
