// Turns the likeness of a followed box into a confidence: the probability that the box is on the object.
//
// In:     the conservative likeness (`Likeness`), from 0 to 1.
// Out:    how often boxes as like as that overlapped the object by a quarter, in runs on nine sequences that
//         began at their first frame, at a third, at the half, and at the end backwards.
// Exact:  a few operations of doubles in a fixed order.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstddef>

namespace winnow {

// A box of less confidence counts as lost.
inline constexpr double kLostBelow = 0.75;

inline double confidence_of(double likeness) {
  // Shares at the middles of tenths of likeness: 0.05, 0.15, ...
  constexpr double kShares[] = {0, 0, 0.16, 0.66, 0.77, 0.94, 0.996, 0.9995, 1, 1};
  constexpr std::size_t kTenths = sizeof(kShares) / sizeof(*kShares);
  const double at = likeness * kTenths - 0.5;
  if (!(at > 0)) return kShares[0];
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= kTenths) return kShares[kTenths - 1];
  return kShares[below] + (kShares[below + 1] - kShares[below]) * (at - static_cast<double>(below));
}

}  // namespace winnow
