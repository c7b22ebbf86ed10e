// Computes a sample's weight from its score, and a leaf's score from the weights of its samples.
//
// In:     integer scores (unit: 1 / kScoreUnit) and integer sums of weights.
// Out:    integer weights and integer scores of leaves.
// Exact:  the same on every backend and machine: single IEEE operations in a fixed order, and no `exp` or
//         `log` of a library.
// Memory: none.
// Thread: any. Weights can also be computed on a device, leaves only on the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <winnow/cascade_model.h>

#include "base/device/host_device.h"

namespace winnow {

// 2^power, for the exponents of normal doubles: -1022 to 1023.
WINNOW_HOST_DEVICE inline double power_of_two(int power) {
  const auto bits = static_cast<std::uint64_t>(power + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// e^x for |x| <= 700, within a few units of the last place.
WINNOW_HOST_DEVICE inline double exp_rule(double x) {
  const double exponent = x * 1.4426950408889634074;
  const int power = static_cast<int>(exponent < 0 ? exponent - 0.5 : exponent + 0.5);
  double rest = x - static_cast<double>(power) * 0.693147180369123816490;  // the first 33 bits of ln 2
  rest = rest - static_cast<double>(power) * 1.90821492927058770002e-10;
  double sum = 1;
  for (int i = 14; i > 0; --i) sum = 1 + sum * rest / static_cast<double>(i);
  return sum * power_of_two(power);
}

// Natural logarithm of a normal number above 0.
WINNOW_HOST_DEVICE inline double log_rule(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  int power = static_cast<int>(bits >> 52) - 1023;
  double mantissa = x * power_of_two(-power);
  if (mantissa > 1.41421356237309504880) {
    mantissa = mantissa * 0.5;
    ++power;
  }
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  double sum = 0;
  for (int i = 25; i > 0; i -= 2) sum = sum * square + 1 / static_cast<double>(i);
  return 2 * s * sum + static_cast<double>(power) * 0.69314718055994530942;
}

// A sample's weight before `weight_shift`: e^-margin times `balance`, with 28 fraction bits. `margin` is the
// score times the label (1 or -1), clamped from -kWeightLimit to kWeightLimit. Its unit is 1 / kScoreUnit.
// `balance` is the factor by which both classes get the same total weight at first.
inline constexpr int kWeightBits = 28, kWeightLimit = 8 * kScoreUnit;
WINNOW_HOST_DEVICE inline std::uint64_t raw_weight(std::int32_t margin, double balance) {
  const std::int32_t near = margin < -kWeightLimit  ? -kWeightLimit
                            : margin > kWeightLimit ? kWeightLimit
                                                    : margin;
  const double weight = exp_rule(-static_cast<double>(near) * (1.0 / kScoreUnit)) * balance;
  return static_cast<std::uint64_t>(weight * power_of_two(kWeightBits));
}
// Number of bits by which raw weights are shifted right, so that their sum stays below 2^31.
WINNOW_HOST_DEVICE inline int weight_shift(std::uint64_t sum) {
  int shift = 0;
  while (sum >> shift >= std::uint64_t{1} << 31) ++shift;
  return shift;
}

// Scores of leaves, in units of 1 / kScoreUnit. `positive` and `negative` are the weights of the samples in
// the leaf, not both 0. `all` is the weight of all samples.
inline std::int32_t to_units(double value) {
  return static_cast<std::int32_t>(std::floor(value * kScoreUnit + 0.5));
}
inline float in_ones(std::int32_t units) {
  return static_cast<float>(units) / static_cast<float>(kScoreUnit);
}
inline std::int32_t gentle_leaf(std::uint32_t positive, std::uint32_t negative) {
  const double p = positive, n = negative;
  return to_units((p - n) / (p + n));
}
// The leaf of one bin of a table. Few samples are weak evidence, so each bin gets an extra 1024th of all
// weights, half for each class.
inline std::int32_t table_leaf(std::uint32_t positive, std::uint32_t negative, std::uint32_t all) {
  const double p = positive, n = negative, little = static_cast<double>(all) * (1.0 / 1024) + 1;
  return to_units((p - n) / (p + n + little));
}
// The leaf of real boosting: half the logarithm of the odds, smoothed by a 1024th of all weights.
inline std::int32_t real_leaf(std::uint32_t positive, std::uint32_t negative, std::uint32_t all) {
  const double little = static_cast<double>(all) * (1.0 / 1024) + 1;
  return to_units(0.5 * log_rule((positive + little) / (negative + little)));
}
// The vote of a tree that misjudges samples of weight `wrong`. `all` is the weight of all samples.
inline std::int32_t discrete_vote(std::uint32_t wrong, std::uint32_t all) {
  const double little = static_cast<double>(all) * (1.0 / 1024) + 1;
  return to_units(0.5 * log_rule((static_cast<double>(all - wrong) + little) / (wrong + little)));
}

}  // namespace winnow
