// Chooses the form of a feature: which corners of which plane are added, and in how many bits.
//
// In:     a feature of a checked model.
// Out:    a shape that the kernels know, and its corners in the order in which the kernels add them.
// Exact:  the chosen shape computes the feature's value without loss.
// Memory: the result is the caller's and does not refer to the feature.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

// In a list of corners, "2+ 2-" means two corners that are added and two that are subtracted.
enum class FeatureShape : std::uint8_t {
  kEdge,     // 2+ 2- once, 1+ 1- times m: two rectangles side by side
  kLine,     // 2+ 2- once, 2+ 2- times m: a rectangle inside another
  kChecker,  // weight 1 for 4 corners, -2 for 4 edges, 4 for the centre; all times +1 or -1
  kCorners,  // any corners, each with a weight
  kPieces,   // pieces of at most 257 pixels, whose sums fit 16 bits; float weights, in the file's order
  kRects,    // whole rectangles with 32-bit sums; float weights, in the file's order
  kLbp,      // 4 columns and 4 rows of a grid, whose cells have at most 257 pixels
  kLbpWide,  // as kLbp, but with cells of any size, in 32 bits
};

struct Corner {
  int x, y, weight;
};

struct FeatureForm {
  FeatureShape shape = FeatureShape::kRects;
  bool tilted = false;
  // kEdge, kLine: m. kChecker: +1 or -1.
  int factor = 0;
  // kPieces: the number of lines that bound the pieces of each rectangle, both edges included; 0 for a
  // rectangle that does not exist.
  std::array<std::uint8_t, 3> lines{};
  std::vector<Corner> corners;  // in the order in which kernels add them
};

// The shape for lanes of 16 bits. `exact_range`: whether to compute the feature's largest value exactly,
// which takes time proportional to the window's pixels. If false, an upper bound is used.
FeatureForm shape_haar(const HaarFeature& feature, Size window, bool exact_range);
// The shape for lanes of 32 bits, which hold every value. The shape is never kPieces.
FeatureForm shape_haar_wide(const HaarFeature& feature);
FeatureForm shape_lbp(const LbpFeature& feature);

}  // namespace winnow
