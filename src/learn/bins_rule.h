// Decides which of 256 bins a feature's response falls into, and which threshold separates two neighbouring
// bins.
//
// In:     a response and the feature's rule; for a rule, the range of the responses.
// Out:    a bin from 0 to 255; the threshold between a bin and the next bin.
// Exact:  single IEEE operations, no fused multiply-add; the same on every backend.
// Memory: nothing is allocated.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/device/host_device.h"

namespace winnow {

inline constexpr int kBins = 256;

// The rule of one Haar feature. A larger response never has a lower bin, because subtraction, product and
// truncation are monotone.
struct BinRule {
  float low = 0;       // the response where bin 0 begins
  float per_unit = 0;  // bins per unit of the response; if 0, all responses are in bin 0
};

WINNOW_HOST_DEVICE inline int bin_of(const BinRule& rule, float response) {
  const float at = (response - rule.low) * rule.per_unit;
  if (!(at > 0.f)) return 0;
  return at < static_cast<float>(kBins - 1) ? static_cast<int>(at) : kBins - 1;
}

// The rule for responses from `low` to `high`.
WINNOW_HOST_DEVICE inline BinRule bin_rule(float low, float high) {
  const float range = high - low;
  if (!(range > 0.f)) return {low, 0.f};
  const float per_unit = static_cast<float>(kBins) / range;
  return {low, per_unit < 3e38f ? per_unit : 0.f};
}

// Maps floats to integers in the same order. Infinity becomes kLastPlace, minus infinity -kLastPlace.
inline constexpr std::int64_t kLastPlace = 0x7F800000;
inline std::int64_t place_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x80000000u) != 0 ? -static_cast<std::int64_t>(bits & 0x7FFFFFFFu) : bits;
}
inline float float_at(std::int64_t place) {
  return std::bit_cast<float>(place < 0 ? 0x80000000u | static_cast<std::uint32_t>(-place)
                                        : static_cast<std::uint32_t>(place));
}

// The least response whose bin is above `bin`. A window whose response is below this threshold goes left. If
// `per_unit` is above 0, every bin but the last has a threshold. The threshold is infinity if no finite
// response has a higher bin.
inline float threshold_after(const BinRule& rule, int bin) {
  const auto above = [&](std::int64_t place) { return bin_of(rule, float_at(place)) > bin; };
  // The threshold is usually within two floats of the first guess. Near zero, where floats lie close
  // together, it may be a billion floats away.
  std::int64_t high = place_of(rule.low + static_cast<float>(bin + 1) / rule.per_unit), step = 1;
  for (; !above(high); step *= 2) high = std::min(high + step, kLastPlace);
  step = 1;
  std::int64_t low = high - 1;
  for (; above(low); step *= 2) low = std::max(low - step, -kLastPlace);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (above(middle) ? high : low) = middle;
  }
  return float_at(high);
}

}  // namespace winnow
