// Builds integral histograms of plain votes in float, float4, double and whole numbers. Measures the drift of
// each type: the distance of its sums and cells from the exact values.
//
// In:     a grey picture. Votes are those of hard_votes.h.
// Out:    for each pixel and each of nine bins, the sum of all votes above and to the left, the pixel's own
//         included.
// Exact:  floats and doubles are rounded in the order of the loops. Whole numbers are exact modulo 2^32.
// Memory: the caller owns pictures, votes and sums.
// Thread: any.
#pragma once

#include <winnow/image.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "people/hard_votes.h"

namespace bench {

// The sums of four bins, side by side.
struct alignas(16) Float4 {
  float bins[4];
};

struct HardVotes {
  winnow::Size size;
  std::vector<std::uint8_t> bins;
  std::vector<float> lengths;
  std::vector<std::uint32_t> whole;  // the lengths in whole units

  std::size_t pixels() const { return bins.size(); }
};
HardVotes hard_votes(winnow::GrayView picture);

// Makes nine planes of sums, each of `votes.pixels()` values. T is float, double or std::uint32_t.
template <class T>
void integrate_planes(const HardVotes& votes, std::vector<T>& planes);
// Makes two planes of four bins each, and one plane of the ninth bin.
void integrate_float4(const HardVotes& votes, std::vector<Float4>& fours, std::vector<float>& ninth);

// Errors of sums. The unit is a gradient of full length: a step from black to white has length 1.
struct Drift {
  double largest_sum = 0;   // the largest error of a sum; not measured if sums wrap
  double largest_cell = 0;  // the largest error of a cell of 8x8 pixels, made of four sums
  double mean_cell = 0;
  std::int64_t cells = 0;
};

// Adds a bin's errors to `drift`. `sum(place)`: the bin's sum at a pixel. Cells lie on a grid of 8 pixels.
// The exact sums are those of `votes.lengths`.
template <class Sum>
void add_drift(const HardVotes& votes, int bin, const Sum& sum, Drift& drift) {
  using T = std::decay_t<decltype(sum(std::size_t{0}))>;
  constexpr bool kWraps = std::is_same_v<T, std::uint32_t>;
  constexpr double kExactUnit = 1 / 4294967296.0;
  const auto width = static_cast<std::size_t>(votes.size.width),
             height = static_cast<std::size_t>(votes.size.height);
  std::vector<std::int64_t> exact(width);  // the exact sums of the row of pixels
  std::vector<std::int64_t> corners(width / 8 + 1);
  std::vector<T> ours(width / 8 + 1);  // this type's sums at the corners above the row of cells
  double total = 0;
  for (std::size_t y = 0; y < height; ++y) {
    std::int64_t row = 0;
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t at = y * width + x;
      if (votes.bins[at] == bin) row += exact_length(votes.lengths[at]);
      exact[x] += row;
      if constexpr (!kWraps) {
        const double error =
            std::fabs(static_cast<double>(sum(at)) - static_cast<double>(exact[x]) * kExactUnit);
        if (error > drift.largest_sum) drift.largest_sum = error;
      }
    }
    if (y % 8 != 7) continue;
    std::int64_t exact_left = 0, exact_above_left = 0;
    T left{}, above_left{};
    for (std::size_t cell = 0; cell < width / 8; ++cell) {
      const std::size_t x = cell * 8 + 7;
      const std::int64_t wanted = exact[x] - exact_left - corners[cell] + exact_above_left;
      const T here = sum(y * width + x);
      const T got = static_cast<T>(here - left - ours[cell] + above_left);
      const double unit = kWraps ? 1.0 / (255.0 * kVoteUnits) : 1.0;
      const double error =
          std::fabs(static_cast<double>(got) * unit - static_cast<double>(wanted) * kExactUnit);
      if (error > drift.largest_cell) drift.largest_cell = error;
      total += error;
      exact_left = exact[x], exact_above_left = corners[cell];
      left = here, above_left = ours[cell];
      corners[cell] = exact[x], ours[cell] = here;
    }
  }
  const auto cells = static_cast<std::int64_t>((width / 8) * (height / 8));
  drift.mean_cell =
      (drift.mean_cell * static_cast<double>(drift.cells) + total) / static_cast<double>(drift.cells + cells);
  drift.cells += cells;
}

// Makes a picture of any size from copies of `picture` side by side. Every second copy is mirrored.
winnow::GrayImage tiled_picture(winnow::GrayView picture, winnow::Size size);

}  // namespace bench
