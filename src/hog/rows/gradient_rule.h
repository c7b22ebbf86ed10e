// Computes a pixel's votes for two bins of orientation from differences of its neighbours.
//
// In:     dx and dy, differences of pixels or of their square roots.
// Out:    the lower bin, and the votes for this bin and the next one.
// Exact:  single IEEE operations in float, in this order, on every backend. The angle comes from OpenCV's
//         polynomial for the arc tangent, which is up to 0.3 degrees off. An exact angle would give other
//         scores.
// Memory: nothing is allocated.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/device/host_device.h"

namespace winnow {

struct GradientVote {
  std::int32_t bin = 0;      // the lower bin; the bin after the last is bin 0
  float here = 0, next = 0;  // the votes, which add up to the gradient's length
};

// Coefficients of the arc tangent in degrees.
inline constexpr float kAtan1 = 57.283626556396484f, kAtan3 = -18.667446136474609f,
                       kAtan5 = 8.9140005111694336f, kAtan7 = -2.5397248268127441f;
inline constexpr float kNoGradient = 2.2204460492503131e-16f;

// Division and square root. Another class may replace this one if its results are the same for all gradients
// of pixels (`HogQuickMath` in hog_math_cuda.cuh).
struct IeeeMath {
  WINNOW_HOST_DEVICE static float divide(float a, float b) { return a / b; }
  WINNOW_HOST_DEVICE static float root(float a) { return std::sqrt(a); }
};

// `bins_per_degree`: bins / 180, or bins / 360 for directed gradients.
template <class Math = IeeeMath>
WINNOW_HOST_DEVICE inline GradientVote gradient_vote(float dx, float dy, int bins, float bins_per_degree,
                                                     bool directed) {
  const float ax = std::fabs(dx), ay = std::fabs(dy);
  const float small = ax < ay ? ax : ay, large = ax < ay ? ay : ax;
  const float c = Math::divide(small, large + kNoGradient);
  const float c2 = c * c;
  float degrees = (((c2 * kAtan7 + kAtan5) * c2 + kAtan3) * c2 + kAtan1) * c;
  if (ay > ax) degrees = 90.f - degrees;
  if (directed) {
    if (dx < 0) degrees = 180.f - degrees;
    if (dy < 0) degrees = 360.f - degrees;
  } else if ((dx < 0) != (dy < 0)) {
    degrees = 180.f - degrees;  // a rotation by 180 degrees gives the same orientation
  }
  const float at = degrees * bins_per_degree - 0.5f;
  const float floor = std::floor(at);
  const float fraction = at - floor;
  std::int32_t bin = static_cast<std::int32_t>(floor);
  if (bin < 0) bin += bins;
  if (bin >= bins) bin -= bins;
  const float length = Math::root(dx * dx + dy * dy);
  return {bin, length * (1.f - fraction), length * fraction};
}

}  // namespace winnow
