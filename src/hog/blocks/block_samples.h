// Keeps the integral histograms of training samples. The sums of all samples for one corner lie side by side.
//
// In:     windows of square roots of pixels (`take_roots`) with a border of one pixel, positives first.
// Out:    for each corner of the window's grid and each orientation, a list of all samples' sums.
// Exact:  the sums that a detector has at the window, up to a constant that cancels in differences of sums.
// Memory: owned: 4 bytes per corner, orientation and sample, 20 KB per sample of 64x128 at a grid of 4.
//         Pointers to sums live as long as the samples. `fill` reads windows only during the call.
// Thread: `fill` may be called for different chunks at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "hog/blocks/vote_rule.h"

namespace winnow {

class BlockSamples {
 public:
  static constexpr std::size_t kChunk = 64;  // samples of a chunk; positives and negatives are each padded to
                                             // whole chunks

  BlockSamples(Size window, int grid, std::size_t positives, std::size_t negatives);
  static std::int64_t bytes_of_one(Size window, int grid);

  int grid() const { return grid_; }
  Size cells() const { return cells_; }
  // The number of places for samples. Positives lie from 0 on, negatives from `first_negative` on. The
  // last chunk of positives and that of negatives may end with empty places, whose sums are all 0.
  std::size_t places() const { return places_; }
  std::size_t first_negative() const { return first_negative_; }
  std::size_t chunks() const { return places_ / kChunk; }
  // The number of bytes of a window with its border.
  std::size_t window_bytes() const;

  // Fills the chunk's samples. `pixels(place)`: the window with its border, row by row; null for an empty
  // place.
  template <class Pixels>
  void fill(std::size_t chunk, const Pixels& pixels) {
    const std::uint8_t* windows[kChunk];
    for (std::size_t i = 0; i < kChunk; ++i) windows[i] = pixels(chunk * kChunk + i);
    fill_chunk(chunk, windows);
  }

  const std::uint32_t* sums(int x, int y, int bin) const {
    return sums_.data() + ((static_cast<std::size_t>(y) * static_cast<std::size_t>(cells_.width + 1) +
                            static_cast<std::size_t>(x)) *
                               kVoteBins +
                           static_cast<std::size_t>(bin)) *
                              places_;
  }

 private:
  void fill_chunk(std::size_t chunk, const std::uint8_t* const (&windows)[kChunk]);

  Size cells_;
  int grid_;
  std::size_t first_negative_, places_;
  std::vector<std::uint32_t> sums_;
};

}  // namespace winnow
