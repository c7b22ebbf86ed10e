// Keeps a grey picture and its halves, each made from the level before.
//
// In:     a grey picture (any stride), the wanted number of levels, and a form of the halving step.
// Out:    levels. Level 0 is a copy of the picture; level l has sides of ceil(side / 2^l). A level of 1 x 1
//         is the last, even if more are wanted. An empty picture has no levels.
// Exact:  same bytes for every form of the step.
// Memory: the pyramid owns its levels. `make` allocates only if a picture needs more memory than earlier
//         ones. The picture may be freed when `make` returns.
// Thread: one thread at a time; any number of threads may read levels together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "scale/gaussian/halve.h"

namespace winnow {

class GaussianPyramid {
 public:
  // Makes new levels. Views of earlier levels become invalid. `levels` includes level 0. The picture must
  // not lie in this pyramid.
  void make(GrayView picture, int levels, HalveStep halve);
  int levels() const { return static_cast<int>(places_.size()); }
  // The distance between rows is a multiple of 16 bytes. `number` is below `levels()`, which is not
  // checked.
  GrayView level(int number) const;
  // Exchanges the levels of two pyramids. Views stay valid, and then belong to the other pyramid.
  void swap(GaussianPyramid& other) noexcept;

 private:
  struct Place {
    std::size_t first;  // index in `pixels_` of the level's first byte
    Size size;
  };
  std::vector<Place> places_;
  std::vector<std::uint8_t, PixelMemory<std::uint8_t>> pixels_;
  HalveRow row_;
};

}  // namespace winnow
