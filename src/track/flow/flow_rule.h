// Says how a point is carried by pyramidal Lucas-Kanade: weights, patches, slopes, steps, and when to stop.
//
// In:     pixels, whole sums over a window, places of points.
// Out:    weights, values of a patch, a step of the search, decisions.
// Exact:  sums over a window are whole numbers, exact in any order. They become floats once, and single IEEE
//         operations in the written order do the rest. OpenCV sums in four float lanes, so its last bits
//         differ.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cmath>
#include <cstdint>

#include <winnow/box.h>
#include <winnow/flow_options.h>

#include "base/device/host_device.h"
#include "scale/gaussian/halve_rule.h"

namespace winnow {

inline constexpr int kMostFlowWindow = 31;  // the longest side of a window
inline constexpr int kFlowWeightBits = 14;  // bits of a weight behind the binary point
inline constexpr int kFlowPatchBits = 5;    // bits of a patch behind the binary point

// A place in a picture; the middle of the first pixel is (0, 0).
struct FlowPlace {
  float x = 0, y = 0;
  bool operator==(const FlowPlace&) const = default;
};

// `FlowOptions` as steps use them.
struct FlowRules {
  std::int32_t levels = 4, width = 21, height = 21, iterations = 30;
  double eps_square = 0.01 * 0.01;
  float min_eigen = 1e-4F;
  bool back = false, ncc = false;
  std::int32_t ncc_width = 0, ncc_height = 0;  // the window of `ncc`; 0: `width`, `height`
  FlowPlace shift = {};  // from a point to where its search begins; the way back begins as far back
  bool operator==(const FlowRules&) const = default;
};

// The result for a point: `FlowPoint` in floats.
struct FlowResult {
  FlowPlace place;
  float error = 0, back_distance = 0, ncc = 0;
  std::int32_t found = 0;
};

// The form that callers get.
WINNOW_HOST_DEVICE inline FlowPoint flow_point(const FlowResult& from) {
  return {static_cast<double>(from.place.x),
          static_cast<double>(from.place.y),
          from.found != 0,
          from.error,
          from.back_distance,
          from.ncc};
}

// The number of levels that are searched. It is at least 1 for a picture with pixels.
WINNOW_HOST_DEVICE constexpr int flow_levels(int width, int height, const FlowRules& rules) {
  if (width <= 0 || height <= 0) return 0;
  int levels = 1;
  for (; levels < rules.levels; ++levels) {
    width = halved(width);
    height = halved(height);
    if (width <= rules.width || height <= rules.height) break;
  }
  return levels;
}

// The window that `ncc` correlates.
WINNOW_HOST_DEVICE constexpr Size flow_ncc_window(const FlowRules& rules) {
  return {rules.ncc_width > 0 ? rules.ncc_width : rules.width,
          rules.ncc_height > 0 ? rules.ncc_height : rules.height};
}

// Whether `ncc` correlates another window than the search compares.
WINNOW_HOST_DEVICE constexpr bool flow_ncc_differs(const FlowRules& rules) {
  const Size window = flow_ncc_window(rules);
  return rules.ncc && (window.width != rules.width || window.height != rules.height);
}

// True if a window with this left top corner is near enough to the picture to be compared. False for a corner
// that is not finite.
WINNOW_HOST_DEVICE inline bool flow_reaches(const FlowPlace& corner, const FlowRules& rules, int width,
                                            int height) {
  return corner.x >= static_cast<float>(-rules.width) && corner.x < static_cast<float>(width) &&
         corner.y >= static_cast<float>(-rules.height) && corner.y < static_cast<float>(height);
}

// The whole pixel at or before a corner, and the weights of the four pixels around the corner. The last
// weight is 2^14 minus the other weights. It may be -1.
struct FlowCorner {
  std::int32_t x = 0, y = 0;
  std::int32_t weight[4] = {};  // left top, right top, left bottom, right bottom
};

// Adding 2^23 rounds a float below 2^23 to a whole number, halves to even.
WINNOW_HOST_DEVICE inline std::int32_t flow_rounded(float value) {
  constexpr float kShift = 8388608.0F;
  return static_cast<std::int32_t>((value + kShift) - kShift);
}

// `corner` must be one that `flow_reaches` allows.
WINNOW_HOST_DEVICE inline FlowCorner flow_corner(const FlowPlace& corner) {
  FlowCorner at;
  at.x = static_cast<std::int32_t>(corner.x);
  at.y = static_cast<std::int32_t>(corner.y);
  at.x -= static_cast<std::int32_t>(static_cast<float>(at.x) > corner.x);
  at.y -= static_cast<std::int32_t>(static_cast<float>(at.y) > corner.y);
  const float a = corner.x - static_cast<float>(at.x), b = corner.y - static_cast<float>(at.y);
  constexpr float kOne = 1 << kFlowWeightBits;
  at.weight[0] = flow_rounded((1.0F - a) * (1.0F - b) * kOne);
  at.weight[1] = flow_rounded(a * (1.0F - b) * kOne);
  at.weight[2] = flow_rounded((1.0F - a) * b * kOne);
  at.weight[3] = (1 << kFlowWeightBits) - at.weight[0] - at.weight[1] - at.weight[2];
  return at;
}

// The corner of the window of `ncc` that has the same middle as the window at `at`. Sides of windows are odd,
// so whole pixels lie between the two corners.
WINNOW_HOST_DEVICE constexpr FlowCorner flow_ncc_corner(FlowCorner at, const FlowRules& rules) {
  const Size window = flow_ncc_window(rules);
  at.x += (rules.width - window.width) / 2;
  at.y += (rules.height - window.height) / 2;
  return at;
}

// The weighted sum of four neighbours, divided by 2^kBits and rounded; halves round up.
template <int kBits>
WINNOW_HOST_DEVICE constexpr std::int32_t flow_mean(const std::int32_t (&weight)[4], std::int32_t left_top,
                                                    std::int32_t right_top, std::int32_t left_bottom,
                                                    std::int32_t right_bottom) {
  return (left_top * weight[0] + right_top * weight[1] + left_bottom * weight[2] + right_bottom * weight[3] +
          (1 << (kBits - 1))) >>
         kBits;
}
inline constexpr int kFlowPatchShift = kFlowWeightBits - kFlowPatchBits;  // for patch values 0 to 8,160
inline constexpr int kFlowSlopeShift = kFlowWeightBits;                   // for slope values -4,080 to 4,080

// Scharr's weights 3 10 3, across the direction of a slope.
WINNOW_HOST_DEVICE constexpr std::int32_t scharr(std::int32_t before, std::int32_t middle,
                                                 std::int32_t behind) {
  return 3 * (before + behind) + 10 * middle;
}

// Sums of products of slopes over a window: x with x, x with y, y with y.
struct FlowSums {
  std::int64_t xx = 0, xy = 0, yy = 0;
};

// Sums over a window of the difference of two patches, times the slopes.
struct FlowPull {
  std::int64_t x = 0, y = 0;
};

// Sums over two patches. The first sum is over the window of the search, and the others over that of `ncc`.
struct FlowLikeness {
  std::int64_t difference = 0;        // the sum of absolute differences
  std::int64_t first = 0, other = 0;  // each patch's sum; only `ncc` uses these and the next three sums
  std::int64_t first_square = 0, other_square = 0, product = 0;
};

WINNOW_HOST_DEVICE inline float flow_float(std::int64_t sum) {
  return static_cast<float>(sum) * (1.0F / (1 << 20));
}

// The normal matrix of a window. `inverse`: one over its determinant.
struct FlowMatrix {
  float xx = 0, xy = 0, yy = 0, inverse = 0;
  bool textured = false;  // false: the window cannot be followed
};

WINNOW_HOST_DEVICE inline FlowMatrix flow_matrix(const FlowSums& sums, const FlowRules& rules) {
  FlowMatrix matrix;
  matrix.xx = flow_float(sums.xx);
  matrix.xy = flow_float(sums.xy);
  matrix.yy = flow_float(sums.yy);
  const float determinant = matrix.xx * matrix.yy - matrix.xy * matrix.xy;
  const float apart = matrix.xx - matrix.yy;
  const float root = std::sqrt(apart * apart + 4.0F * matrix.xy * matrix.xy);
  const float eigen = (matrix.yy + matrix.xx - root) / static_cast<float>(2 * rules.width * rules.height);
  constexpr float kLeastDeterminant = 1.1920929e-7F;  // FLT_EPSILON
  matrix.textured = !(eigen < rules.min_eigen) && !(determinant < kLeastDeterminant);
  if (matrix.textured) matrix.inverse = 1.0F / determinant;
  return matrix;
}

// The step of a point in one iteration.
WINNOW_HOST_DEVICE inline FlowPlace flow_step(const FlowMatrix& matrix, const FlowPull& pull) {
  const float x = flow_float(pull.x), y = flow_float(pull.y);
  return {(matrix.xy * y - matrix.yy * x) * matrix.inverse, (matrix.xy * x - matrix.xx * y) * matrix.inverse};
}

// True if a step is short enough to be the last.
WINNOW_HOST_DEVICE inline bool flow_is_short(const FlowPlace& step, double eps_square) {
  const double x = static_cast<double>(step.x), y = static_cast<double>(step.y);
  return x * x + y * y <= eps_square;
}

// True if a step undoes the previous step.
WINNOW_HOST_DEVICE inline bool flow_returns(const FlowPlace& step, const FlowPlace& before) {
  return static_cast<double>(std::fabs(step.x + before.x)) < 0.01 &&
         static_cast<double>(std::fabs(step.y + before.y)) < 0.01;
}

// The mean difference of two patches in grey levels.
WINNOW_HOST_DEVICE inline float flow_error(const FlowLikeness& sums, const FlowRules& rules) {
  return static_cast<float>(sums.difference) /
         static_cast<float>((1 << kFlowPatchBits) * rules.width * rules.height);
}

// Doubles hold all whole numbers here exactly. Only the product, root, quotient and last conversion round.
WINNOW_HOST_DEVICE inline float flow_ncc(const FlowLikeness& sums, const FlowRules& rules) {
  const Size window = flow_ncc_window(rules);
  const std::int64_t count = window.width * window.height;
  const std::int64_t first = count * sums.first_square - sums.first * sums.first,
                     other = count * sums.other_square - sums.other * sums.other,
                     both = count * sums.product - sums.first * sums.other;
  if (first == 0 || other == 0) return 0;
  const double spread = std::sqrt(static_cast<double>(first) * static_cast<double>(other));
  return static_cast<float>(static_cast<double>(both) / spread);
}

WINNOW_HOST_DEVICE inline float flow_distance(const FlowPlace& a, const FlowPlace& b) {
  const double x = static_cast<double>(a.x) - static_cast<double>(b.x),
               y = static_cast<double>(a.y) - static_cast<double>(b.y);
  return static_cast<float>(std::sqrt(x * x + y * y));
}

}  // namespace winnow
