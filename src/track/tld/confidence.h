// Turns the likeness of a followed box into a confidence: the probability that the box is on the object.
//
// In:     the conservative likeness (`Likeness`), from 0 to 1, and whether a found window lies there, too.
// Out:    how often such boxes overlapped the object by a quarter, in runs on nine sequences: from the first
//         frame, from a third, from the half, backwards, with gaps, and with turns of the camera.
//         bench/tracking/track_figures.py prints this fit.
// Exact:  a few operations of doubles in a fixed order.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstddef>

namespace winnow {

// A box of less confidence counts as lost: it is more likely wrong than right.
inline constexpr double kLostBelow = 0.5;

inline double confidence_of(double likeness, bool found) {
  // Shares at the middles of tenths of likeness: 0.05, 0.15, ...
  constexpr std::size_t kTenths = 10;
  constexpr double kFound[kTenths] = {0, 0.2, 0.246, 0.749, 0.85, 0.976, 0.992, 0.999, 1, 1};
  constexpr double kFollowed[kTenths] = {0, 0, 0.246, 0.329, 0.492, 0.799, 0.946, 0.986, 1, 1};
  const double* const shares = found ? kFound : kFollowed;
  const double at = likeness * kTenths - 0.5;
  if (!(at > 0)) return shares[0];
  if (at >= kTenths - 1) return shares[kTenths - 1];
  const auto below = static_cast<std::size_t>(at);
  return shares[below] + (shares[below + 1] - shares[below]) * (at - static_cast<double>(below));
}

}  // namespace winnow
