// Computes a pixel's votes for nine orientations from differences of its neighbours, in whole numbers.
//
// In:     dx and dy, differences of the square roots of pixels, from -255 to 255.
// Out:    nine votes from 0 to 700.
// Exact:  integers, but for one square root, one product and one rounding in float, which are IEEE.
// Memory: nothing is allocated.
//
// A gradient is projected on the middle of each bin, every 20 degrees. The vote is the projection's length
// minus cos(20 degrees) times the gradient's length, or 0 if that is negative. So a gradient votes for the
// one or two bins whose middles are less than 20 degrees away. A bin's vote falls to 0 at the middle of a
// neighbouring bin. No single bin is chosen, so that small changes of the gradient change the votes little.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/device/host_device.h"
#include "hog/rows/gradient_rule.h"

namespace winnow {

inline constexpr int kVoteBins = 9;
inline constexpr int kVoteShift = 5;  // fraction bits of projections
// The cosine and the sine of 10, 30, 50 and 70 degrees, the middles of bins 0 to 3, in units of 2^-15. Bin
// 8 - k mirrors bin k, and the middle of bin 4 is 90 degrees.
inline constexpr std::int16_t kVoteAcross[4] = {32270, 28378, 21063, 11207},
                              kVoteDown[4] = {5690, 16384, 25102, 30792};
inline constexpr float kVoteLimit = 0.93969262f * (1 << kVoteShift);
// The largest vote, rounded up: 360.7 * 32 * (1 - 0.9397) plus the rounding of both products, where 360.7 is
// the length of the longest gradient.
inline constexpr int kMostVote = 700;

// (a * b) / 2^15, halves rounded up.
WINNOW_HOST_DEVICE constexpr std::int32_t rounded_product(std::int32_t a, std::int32_t b) {
  return (a * b + (1 << 14)) >> 15;
}

// A bin gets a vote if the projection is longer than this limit, in units of 2^-kVoteShift. `Math` takes the
// square root, as in `gradient_vote` (hog/rows/gradient_rule.h).
template <class Math = IeeeMath>
WINNOW_HOST_DEVICE inline std::int32_t vote_limit(std::int32_t dx, std::int32_t dy) {
  return static_cast<std::int32_t>(std::rint(Math::root(static_cast<float>(dx * dx + dy * dy)) * kVoteLimit));
}

template <class Math = IeeeMath>
WINNOW_HOST_DEVICE inline void gradient_votes(std::int32_t dx, std::int32_t dy,
                                              std::int32_t (&votes)[kVoteBins]) {
  const std::int32_t limit = vote_limit<Math>(dx, dy);
  const std::int32_t across = dx * (1 << kVoteShift), down = dy * (1 << kVoteShift);
  const auto vote = [&](int bin, std::int32_t projection) {
    const std::int32_t over = (projection < 0 ? -projection : projection) - limit;
    votes[bin] = over > 0 ? over : 0;
  };
  // Copies of kVoteAcross and kVoteDown, because device code cannot read arrays of the host.
  constexpr std::int16_t kAcross[4] = {kVoteAcross[0], kVoteAcross[1], kVoteAcross[2], kVoteAcross[3]},
                         kDown[4] = {kVoteDown[0], kVoteDown[1], kVoteDown[2], kVoteDown[3]};
  for (int k = 0; k < 4; ++k) {
    const std::int32_t a = rounded_product(across, kAcross[k]), b = rounded_product(down, kDown[k]);
    vote(k, a + b);
    vote(8 - k, a - b);
  }
  vote(4, down);
}

// A pixel's square root times 16, rounded to a whole number from 0 to 255.
WINNOW_HOST_DEVICE constexpr std::uint8_t root_pixel(std::uint8_t pixel) {
  std::int32_t root = 0;
  while ((2 * root + 1) * (2 * root + 1) < 1024 * pixel) ++root;
  return static_cast<std::uint8_t>(root);
}

}  // namespace winnow
