// Turns the likeness of a followed box into a confidence: the probability that the box is on the object.
//
// In:     the conservative likeness (`Likeness`), from 0 to 1, and whether a found window lies there, too.
// Out:    how often such boxes overlapped the object by a quarter, in runs on nine sequences that began at
//         their first frame, at a third, at the half, and at the end backwards.
// Exact:  a few operations of doubles in a fixed order.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstddef>

namespace winnow {

// A box of less confidence counts as lost.
inline constexpr double kLostBelow = 0.7;

inline double confidence_of(double likeness, bool found) {
  // Shares at the middles of tenths of likeness: 0.05, 0.15, ...
  constexpr std::size_t kTenths = 10;
  constexpr double kFound[kTenths] = {0, 0, 0.36, 0.7, 0.93, 0.96, 0.997, 1, 1, 1};
  constexpr double kFollowed[kTenths] = {0, 0, 0.11, 0.6, 0.66, 0.85, 0.99, 1, 1, 1};
  const double* const shares = found ? kFound : kFollowed;
  const double at = likeness * kTenths - 0.5;
  if (!(at > 0)) return shares[0];
  if (at >= kTenths - 1) return shares[kTenths - 1];
  const auto below = static_cast<std::size_t>(at);
  return shares[below] + (shares[below + 1] - shares[below]) * (at - static_cast<double>(below));
}

}  // namespace winnow
