// Which of 256 bins a feature's response falls into, and where a threshold between two bins lies. Written
// once for every backend. exact: single IEEE operations, no fused multiply-add.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/host_device.h"

namespace winnow {

inline constexpr int kBins = 256;

// Of a Haar feature. The bin rises with the response: it is what the subtraction, the product and the cut do,
// each of which rises or stays.
struct BinRule {
  float low = 0;
  float per_unit = 0;  // bins a unit of the response; 0: all in bin 0
};

WINNOW_HOST_DEVICE inline int bin_of(const BinRule& rule, float response) {
  const float at = (response - rule.low) * rule.per_unit;
  if (!(at > 0.f)) return 0;
  return at < static_cast<float>(kBins - 1) ? static_cast<int>(at) : kBins - 1;
}

// Of responses from `low` to `high`.
WINNOW_HOST_DEVICE inline BinRule bin_rule(float low, float high) {
  const float range = high - low;
  if (!(range > 0.f)) return {low, 0.f};
  const float per_unit = static_cast<float>(kBins) / range;
  return {low, per_unit < 3e38f ? per_unit : 0.f};
}

// The least response of a bin above `bin`: a window goes left if it is below this. There is one for every bin
// but the last of rules whose `per_unit` is above 0.
inline float threshold_after(const BinRule& rule, int bin) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float at = rule.low + static_cast<float>(bin + 1) / rule.per_unit;
  while (bin_of(rule, at) <= bin) at = std::nextafter(at, kInfinity);
  while (bin_of(rule, std::nextafter(at, -kInfinity)) > bin) at = std::nextafter(at, -kInfinity);
  return at;
}

}  // namespace winnow
