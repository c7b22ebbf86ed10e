// Makes models of histograms of oriented gradients for tests.
//
// In:     shapes and seeds.
// Out:    the same models for the same arguments.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <winnow/hog.h>

#include "base/random.h"

namespace winnow::sample {

inline HogSvmModel random_hog(const HogShape& shape, std::uint64_t seed) {
  winnow::Random random(seed);
  HogSvmModel model;
  model.shape = shape;
  const double largest = std::pow(10.0, random.real(-3, 1));
  for (std::size_t i = 0; i < shape.values(); ++i)
    model.weights.push_back(static_cast<float>(random.bell() * largest));
  model.bias = random.real(-1, 1);
  return model;
}

inline std::vector<HogShape> hog_shapes() {
  std::vector<HogShape> all;
  all.push_back({});                                                              // OpenCV's default shape
  all.push_back({{48, 96}, {16, 16}, {8, 8}, {8, 8}, 9, false, false, 0, 0.2});   // Daimler's window
  all.push_back({{24, 36}, {12, 12}, {6, 6}, {6, 6}, 7, true, true, 2.5, 0.3});   // cells of 6 x 6, directed
  all.push_back({{16, 16}, {8, 8}, {4, 4}, {4, 4}, 32, true, false, 0, 0.2});     // many bins
  all.push_back({{16, 24}, {8, 8}, {4, 4}, {4, 4}, 1, false, true, 0, 0.2});      // one bin
  all.push_back({{32, 32}, {16, 16}, {4, 4}, {8, 8}, 9, false, true, 0, 0.2});    // stride of half a cell
  all.push_back({{36, 36}, {18, 18}, {6, 6}, {6, 6}, 9, false, false, 3, 0.2});   // 3 x 3 cells a block
  all.push_back({{20, 30}, {10, 10}, {5, 5}, {5, 5}, 9, false, true, 0, 0.2});    // cells of odd width
  all.push_back({{32, 64}, {16, 32}, {8, 16}, {8, 16}, 9, false, true, 0, 0.2});  // tall cells
  all.push_back({{16, 16}, {16, 16}, {8, 8}, {8, 8}, 9, false, true, 0, 1000});   // one block, never clipped
  return all;
}

}  // namespace winnow::sample
