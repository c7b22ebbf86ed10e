// Holds the exact rules for one window: its norm, the value of a feature, whether a node sends it left, and
// the verdict of a stage. Every backend gives the same bits.
//
// In:     sums of a window's pixels (`scale/integral.h`), weights and thresholds of a checked model.
// Out:    norms, values, bins and verdicts.
// Exact:  single IEEE operations in the order of this code, no fused multiply-add.
// Memory: none; all functions are pure.
#pragma once

#include <cmath>
#include <cstdint>

#include <winnow/cascade_model.h>

#include "base/device/host_device.h"

namespace winnow {

struct WindowNorm {
  bool flat;     // a flat window is rejected before any stage
  float factor;  // the norm: feature values are multiplied by it
};

// `area`, `sum`, `square`: the number of pixels, their sum, and the sum of their squares. All three leave out
// the window's outermost pixels. `sum` and `square` wrap at 32 bits, as in OpenCV.
WINNOW_HOST_DEVICE inline WindowNorm window_norm(double area, std::uint32_t sum, std::uint32_t square) {
  const double s = static_cast<std::int32_t>(sum);
  const double spread = area * static_cast<double>(square) - s * s;
  if (!(spread > 0.)) return {true, 1.f};
  const float factor = static_cast<float>(1. / std::sqrt(spread));
  return {!(area * factor < 1e-1), factor};
}

// The largest norm of a window that is not flat. A window is flat unless area * norm < 0.1 in double. The
// product grows with the norm, so one limit decides.
inline float flat_above(double area) {
  float limit = static_cast<float>(0.1 / area);
  while (area * limit < 1e-1) limit = std::nextafter(limit, 1e30f);
  while (!(area * limit < 1e-1)) limit = std::nextafter(limit, 0.f);
  return limit;
}

// A Haar feature's value from the sums of its rectangles: float products, added from the left.
WINNOW_HOST_DEVICE inline float haar_term(float weight, std::uint32_t sum) {
  return weight * static_cast<float>(static_cast<std::int32_t>(sum));
}
WINNOW_HOST_DEVICE inline float haar_value(const float weights[3], const std::uint32_t sums[3]) {
  float value = haar_term(weights[0], sums[0]) + haar_term(weights[1], sums[1]);
  if (weights[2] != 0.f) value += haar_term(weights[2], sums[2]);
  return value;
}
inline float haar_value(const HaarFeature& feature, std::uint32_t sum0, std::uint32_t sum1,
                        std::uint32_t sum2) {
  const float weights[3] = {feature.rects[0].weight, feature.rects[1].weight, feature.rects[2].weight};
  const std::uint32_t sums[3] = {sum0, sum1, sum2};
  return haar_value(weights, sums);
}

WINNOW_HOST_DEVICE inline bool haar_goes_left(float value, float norm, float threshold) {
  return value * norm < threshold;
}

// `cells`: sums of the 3 x 3 cells, row by row. A bit is 1 if a neighbour's sum is at least the sum of the
// centre. Bit 7 is for the top left neighbour; bits 6 to 0 follow clockwise.
WINNOW_HOST_DEVICE inline int lbp_code(const std::uint32_t cells[9]) {
  const auto at_least = [&](int cell, int bit) {
    return static_cast<std::int32_t>(cells[cell]) >= static_cast<std::int32_t>(cells[4]) ? bit : 0;
  };
  return at_least(0, 128) | at_least(1, 64) | at_least(2, 32) | at_least(5, 16) | at_least(8, 8) |
         at_least(7, 4) | at_least(6, 2) | at_least(3, 1);
}

WINNOW_HOST_DEVICE inline bool lbp_goes_left(const std::int32_t subset[8], int code) {
  return (static_cast<std::uint32_t>(subset[code >> 5]) >> (code & 31) & 1) != 0;
}
inline bool lbp_goes_left(const LbpSubset& subset, int code) { return lbp_goes_left(subset.data(), code); }

// The bin of a table into which a value falls. The bin is also the number of the table's leaf. NaN falls into
// bin 0.
WINNOW_HOST_DEVICE inline int table_bin(float value, float norm, float low, float per_unit) {
  const float at = (value * norm - low) * per_unit;
  if (!(at > 0.f)) return 0;
  return at < static_cast<float>(kTableBins - 1) ? static_cast<int>(at) : kTableBins - 1;
}

// Converts a leaf or threshold of a fixed-point cascade to units of 1 / kScoreUnit. `value` is a whole number
// of these units.
WINNOW_HOST_DEVICE inline std::int32_t fixed_units(float value) {
  return static_cast<std::int32_t>(value * static_cast<float>(kScoreUnit));
}

// The limit of a stage: a window with a smaller sum is rejected. The sum adds float leaves in double, in the
// order of the model's file.
inline float stage_limit(const Stage& stage, const ModelRules& rules) {
  return stage.threshold - rules.threshold_slack;
}
WINNOW_HOST_DEVICE inline bool stage_rejects(double sum, float limit) { return sum < limit; }

}  // namespace winnow
