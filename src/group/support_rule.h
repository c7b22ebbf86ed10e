// Says how much a candidate supports another one, and when a candidate belongs to an object.
//
// In:     boxes with sides from 0 to 2^28, and weights.
// Out:    support in whole units of 2^-20, so that a sum is the same in any order; whether a box lies on
//         another.
// Exact:  doubles in a fixed order, then integers.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "group/group.h"

namespace winnow {

constexpr double kSupportUnit = 1 << 20;
constexpr double kMaxSupportWeight = 1 << 20;

inline std::int64_t area_of(const Box& box) { return std::int64_t{box.width} * box.height; }

inline std::int64_t shared_area(const Box& a, const Box& b) {
  const std::int64_t across =
      std::min(std::int64_t{a.x} + a.width, std::int64_t{b.x} + b.width) - std::max<std::int64_t>(a.x, b.x);
  const std::int64_t down =
      std::min(std::int64_t{a.y} + a.height, std::int64_t{b.y} + b.height) - std::max<std::int64_t>(a.y, b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

// A candidate's weight: how far its score is above `floor`. Without a finite floor every candidate weighs 1.
inline double support_weight(double score, double floor) {
  return std::isfinite(floor) ? std::clamp(score - floor, 0., kMaxSupportWeight) : 1;
}

// How much two boxes support each other: the eighth power of their intersection over union. If that ratio is
// below one half, the result is 0.
inline double mutual_support(const Box& a, const Box& b) {
  const std::int64_t shared = shared_area(a, b), all = area_of(a) + area_of(b) - shared;
  if (2 * shared < all || all == 0) return 0;
  const double overlap = static_cast<double>(shared) / static_cast<double>(all);
  const double square = overlap * overlap, fourth = square * square;
  return fourth * fourth;
}

// The support that a candidate with this weight gives to another, in whole units. `mutual`: their
// `mutual_support`.
inline std::int64_t support_units(double weight, double mutual) {
  return std::llrint(weight * mutual * kSupportUnit);
}

// Whether the boxes share more than 65 % of the smaller box's area, so that both are one object.
inline bool same_object(const Box& a, const Box& b) {
  return 100 * shared_area(a, b) > 65 * std::min(area_of(a), area_of(b));
}

}  // namespace winnow
