// Decides where a candidate moves by mean shift, when it has arrived, and which candidates are one object.
//
// A box is a point: the x and y of its centre, and the log of its size, which is the square root of its area.
// Each candidate spreads its weight around its point by a Gaussian. Dalal's bandwidths for a window of 64 x
// 128 are 8 and 16 pixels at the box's scale, and log 1.3. So the bandwidths along x and y are an eighth of
// the box's own width and height, for windows of every shape.
//
// In:     boxes, whose sides and corners are within 2^28, and their scores.
// Out:    points, sums around a place, the next place, and the box of a place.
// Exact:  single IEEE operations in a fixed order, the same on every backend. `shift_exp` and `shift_log`
//         use no mathematical library, whose last bits differ from one machine to the next.
// Memory: nothing is allocated.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <winnow/box.h>
#include <winnow/plan_rules.h>

#include "base/device/host_device.h"

namespace winnow {

inline constexpr double kBandwidthsPerSide = 8;                  // a side of a box is 8 bandwidths
inline constexpr double kPerSizeBandwidth = 3.8114946867084014;  // 1 / log 1.3
// A candidate beyond 4 bandwidths adds nothing to the sums. The density still rises with each step, since a
// candidate's weight never grows with the distance.
inline constexpr double kSquaredShiftRadius = 16;  // squared, in bandwidths
inline constexpr double kShiftStill = 1e-6;        // a step of at most this squared length ends the climb
// A moving candidate has arrived at an object if their squared distance is at most `kShiftNear`.
inline constexpr double kShiftNear = 0.25;
inline constexpr double kShiftTogether = 1;  // up to this squared distance, two places are one object
inline constexpr int kMostShifts = 100;      // the most steps of one candidate
inline constexpr double kMostShiftScore = 1e100;

// e^x for x from -700 to 700. The relative error is below 1e-9.
WINNOW_HOST_DEVICE inline double shift_exp(double x) {
  // Adding and subtracting 1.5 * 2^52 rounds to a whole number.
  const double k = (x * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0;
  const double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10, s = r * r;
  // Even and odd powers are summed separately, so that the processor can compute both sums at once.
  const double even = 1 + s * (1.0 / 2 + s * (1.0 / 24 + s * (1.0 / 720 + s * (1.0 / 40320))));
  const double odd = 1 + s * (1.0 / 6 + s * (1.0 / 120 + s * (1.0 / 5040)));
  return (even + r * odd) *
         std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52);
}

// The natural logarithm of a normal number above 0. The absolute or the relative error is below 1e-15.
WINNOW_HOST_DEVICE inline double shift_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
  double m = std::bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (m > 1.4142135623730951) m = m * 0.5, exponent = exponent + 1;
  const double f = (m - 1) / (m + 1), s = f * f;
  double sum = 1.0 / 23;
  for (int odd = 21; odd >= 1; odd -= 2) sum = sum * s + 1.0 / odd;
  return exponent * 0.6931471803691238 + (exponent * 1.9082149292705877e-10 + 2 * f * sum);
}

struct ShiftPlace {
  double x = 0, y = 0, size = 0;
  bool operator==(const ShiftPlace&) const = default;
};

// A candidate as a point.
struct ShiftPoint {
  ShiftPlace at;
  double across = 0, down = 0;                            // the inverse bandwidths along x and y
  double weight = 0, weight_across = 0, weight_down = 0;  // the last two: weight / bandwidth^2
};

// The square root of width over height. A box has the width e^size * shape and the height e^size / shape.
WINNOW_HOST_DEVICE inline double box_shape(const Box& box) {
  const double width = std::max(box.width, 1), height = std::max(box.height, 1);
  return std::sqrt(width / height);
}

WINNOW_HOST_DEVICE inline ShiftPoint shift_point(const Box& box, double score, WeightRule rule) {
  const double width = std::max(box.width, 1), height = std::max(box.height, 1);
  ShiftPoint point;
  point.at = {box.x + box.width * 0.5, box.y + box.height * 0.5, shift_log(width * height) * 0.5};
  point.across = kBandwidthsPerSide / width;
  point.down = kBandwidthsPerSide / height;
  // A score that is NaN counts as 0, too.
  const double counts = score > 0 ? std::min(score, kMostShiftScore) : 0;
  point.weight = (rule == WeightRule::kScore ? counts : 1) * point.across * point.down;
  point.weight_across = point.weight * point.across * point.across;
  point.weight_down = point.weight * point.down * point.down;
  return point;
}

// The order in which candidates are summed, and in which they become objects: by bands of size, then from top
// to bottom, then from left to right. `first` and `second` are the candidates' indices in the list.
WINNOW_HOST_DEVICE inline bool shifts_before(const ShiftPlace& a, int first, const ShiftPlace& b,
                                             int second) {
  const double band_a = std::floor(a.size * kPerSizeBandwidth),
               band_b = std::floor(b.size * kPerSizeBandwidth);
  if (band_a != band_b) return band_a < band_b;
  if (a.y != b.y) return a.y < b.y;
  if (a.x != b.x) return a.x < b.x;
  return first < second;
}

// A squared distance in bandwidths. The result never falls if a difference or an inverse bandwidth grows,
// because a rounded product or sum never falls if an operand grows.
WINNOW_HOST_DEVICE inline double shift_distance(double x, double y, double size, double across, double down) {
  const double dx = x * across, dy = y * down, dsize = size * kPerSizeBandwidth;
  return dx * dx + dy * dy + dsize * dsize;
}

struct ShiftSums {
  double x = 0, y = 0, size = 0, across = 0, down = 0, weight = 0;

  // Adds a candidate to the sums around `from`, if the candidate is within the radius.
  WINNOW_HOST_DEVICE void add(const ShiftPlace& from, const ShiftPoint& point) {
    const double distance = shift_distance(from.x - point.at.x, from.y - point.at.y,
                                           from.size - point.at.size, point.across, point.down);
    if (!(distance < kSquaredShiftRadius)) return;
    const double near = shift_exp(distance * -0.5);
    const double all = near * point.weight, along_x = near * point.weight_across,
                 along_y = near * point.weight_down;
    x += along_x * point.at.x;
    y += along_y * point.at.y;
    size += all * point.at.size;
    across += along_x;
    down += along_y;
    weight += all;
  }
  // The weighted mean; `from` itself if nothing within the radius has a weight.
  WINNOW_HOST_DEVICE ShiftPlace mean(const ShiftPlace& from) const {
    if (!(across > 0 && down > 0 && weight > 0)) return from;
    return {x / across, y / down, size / weight};
  }
  // Whether the step from `from` to `to` is so short that it ends the climb. The step's length is measured in
  // the mean bandwidths around `from`.
  WINNOW_HOST_DEVICE bool still(const ShiftPlace& from, const ShiftPlace& to) const {
    const double dx = to.x - from.x, dy = to.y - from.y, dsize = (to.size - from.size) * kPerSizeBandwidth;
    return dx * dx * across + dy * dy * down + dsize * dsize * weight <= kShiftStill * weight;
  }
};

// An object. The first candidate that arrives at a place founds the object there.
struct ShiftMode {
  ShiftPlace at;
  double width = 0, height = 0, across = 0, down = 0;

  WINNOW_HOST_DEVICE double distance(const ShiftPlace& place) const {
    return shift_distance(place.x - at.x, place.y - at.y, place.size - at.size, across, down);
  }
  WINNOW_HOST_DEVICE Box box() const {
    return {static_cast<int>(lrint(at.x - width * 0.5)), static_cast<int>(lrint(at.y - height * 0.5)),
            static_cast<int>(lrint(width)), static_cast<int>(lrint(height))};
  }
};

WINNOW_HOST_DEVICE inline ShiftMode shift_mode(const ShiftPlace& at, double shape) {
  ShiftMode mode;
  mode.at = at;
  const double size = shift_exp(at.size);
  mode.width = size * shape;
  mode.height = size / shape;
  mode.across = kBandwidthsPerSide / mode.width;
  mode.down = kBandwidthsPerSide / mode.height;
  return mode;
}

// Moves a candidate until it arrives. Returns the object at which it arrives, or -1 if the candidate founds
// an object at `place`. `sums_at(place)` gives the sums over all candidates, in the order of `shifts_before`.
// `object_near(place, most)` gives an object within the squared distance `most` of `place`: the one that was
// founded first, or -1 if there is none.
template <class SumsAt, class ObjectNear>
WINNOW_HOST_DEVICE int shift_to_object(ShiftPlace& place, SumsAt sums_at, ObjectNear object_near) {
  for (int i = 0; i < kMostShifts; ++i) {
    if (const int object = object_near(place, kShiftNear); object >= 0) return object;
    const ShiftSums sums = sums_at(place);
    const ShiftPlace next = sums.mean(place);
    const bool still = sums.still(place, next);
    place = next;
    if (still) break;
  }
  return object_near(place, kShiftTogether);
}

}  // namespace winnow
