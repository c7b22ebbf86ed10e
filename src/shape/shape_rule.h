// Says what a stage of landmarks does to a shape: how the shape turned, where pixels lie, which leaf a tree
// gives, and how sums of fixed-point leaves become coordinates.
//
// In:     a shape in box coordinates, and numbers of a checked model.
// Out:    a turn, places of pixels, leaves, coordinates.
// Exact:  single IEEE operations in a fixed order, and integers: the same on every backend. The turn of a
//         float model differs from dlib's only in the last bits of a double, which rounding to float nearly
//         always removes.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <winnow/landmarks.h>

#include "base/device/host_device.h"

namespace winnow {

// A box as a fit uses it: box coordinates (u, v) lie at pixel (left + u * across, top + v * down).
struct ShapeBox {
  double left = 0, top = 0, across = 0, down = 0;
};

// A turn with a change of size: the matrix [same, -cross; cross, same].
struct ShapeTurn {
  float same = 1, cross = 0;
};

// Sums over points are made in kTurnLanes lanes: point i belongs to lane i % kTurnLanes. `sum_of_lanes` adds
// the lanes.
inline constexpr int kTurnLanes = 8;

template <class T>
WINNOW_HOST_DEVICE inline T sum_of_lanes(const T (&lane)[kTurnLanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// What a point adds to the two sums of a turn. `mean_x`, `mean_y`: its place in the mean shape, relative to
// the middle of that shape. `x`, `y`: its place now.
template <class T>
WINNOW_HOST_DEVICE inline T turn_same(T mean_x, T mean_y, T x, T y) {
  return mean_x * x + mean_y * y;
}
template <class T>
WINNOW_HOST_DEVICE inline T turn_cross(T mean_x, T mean_y, T x, T y) {
  return mean_x * y - mean_y * x;
}

// `spread`: the sum of squares of the centred mean shape, added in kTurnLanes lanes. A spread of 0 gives no
// turn.
template <class T>
WINNOW_HOST_DEVICE inline ShapeTurn turn_of(T same, T cross, T spread) {
  if (spread == 0) return {};
  return {static_cast<float>(static_cast<double>(same) / static_cast<double>(spread)),
          static_cast<float>(static_cast<double>(cross) / static_cast<double>(spread))};
}

// The column or row of a pixel: a point's coordinate plus the turned offset, mapped into the box. Halves
// round up.
WINNOW_HOST_DEVICE inline double pixel_place(float turned_offset, float coordinate, double origin,
                                             double side) {
  return std::floor(side * static_cast<double>(turned_offset + coordinate) + origin + 0.5);
}

// Whether a pixel lies inside the picture. Pixels outside have the value 0.
WINNOW_HOST_DEVICE inline bool is_inside(double column, double row, int width, int height) {
  return column >= 0 && row >= 0 && column < width && row < height;
}

// A split in the form that `visit_tree` reads. `threshold`: the largest whole number that is not above the
// model's threshold.
struct alignas(8) VisitSplit {  // 8 bytes, for one load
  std::uint16_t first, second;
  std::int16_t threshold;
  std::int16_t unused = 0;
};

// The number of the leaf that a tree gives for these pixels.
template <class Pixel>
WINNOW_HOST_DEVICE inline int visit_tree(const VisitSplit* tree, int depth, const Pixel* pixels) {
  int at = 0;
  for (int level = 0; level < depth; ++level) {
    const VisitSplit split = tree[at];
    const int difference = static_cast<int>(pixels[split.first]) - static_cast<int>(pixels[split.second]);
    at = 2 * at + 2 -
         static_cast<int>(difference > split.threshold);  // no branch, as it would be mispredicted
  }
  return at - ((1 << depth) - 1);
}

// Fixed-point coordinates stay within 8 times the box's side. So no sum for a `ShapeTurn` overflows 64 bits.
inline constexpr std::int64_t kMostCoordinate = std::int64_t{8} << kCoordinateBits;

// Converts a sum of leaves, in units of 2^-bits, to a fixed-point coordinate. Halves round up.
WINNOW_HOST_DEVICE inline std::int64_t coordinate_of(std::int64_t sum, int bits) {
  const int down = bits - kCoordinateBits;
  if (down <= 0) return sum * (std::int64_t{1} << -down);
  return (sum + (std::int64_t{1} << (down - 1))) >> down;
}

WINNOW_HOST_DEVICE inline std::int32_t moved_coordinate(std::int32_t coordinate, std::int64_t by) {
  const std::int64_t moved = coordinate + by;
  return static_cast<std::int32_t>(moved < -kMostCoordinate  ? -kMostCoordinate
                                   : moved > kMostCoordinate ? kMostCoordinate
                                                             : moved);
}

// How a shape turned, without its change of size, in units of 2^-kTurnBits.
struct StepTurn {
  std::int32_t same = 0, cross = 0;
};
inline constexpr int kTurnBits = 20;

WINNOW_HOST_DEVICE inline StepTurn step_turn(const ShapeTurn& turn) {
  const double same = static_cast<double>(turn.same), cross = static_cast<double>(turn.cross);
  const double length = std::sqrt(same * same + cross * cross);
  if (!(length > 0)) return {1 << kTurnBits, 0};
  return {static_cast<std::int32_t>(std::floor(same / length * (1 << kTurnBits) + 0.5)),
          static_cast<std::int32_t>(std::floor(cross / length * (1 << kTurnBits) + 0.5))};
}

// A step is what a stage adds to a point. Steps are bounded before they turn, so that products fit 64 bits.
WINNOW_HOST_DEVICE inline std::int32_t bounded_step(std::int64_t by) {
  return static_cast<std::int32_t>(by < -2 * kMostCoordinate  ? -2 * kMostCoordinate
                                   : by > 2 * kMostCoordinate ? 2 * kMostCoordinate
                                                              : by);
}
WINNOW_HOST_DEVICE inline std::int64_t turned_x(const StepTurn& turn, std::int32_t x, std::int32_t y) {
  return (static_cast<std::int64_t>(turn.same) * x - static_cast<std::int64_t>(turn.cross) * y +
          (std::int64_t{1} << (kTurnBits - 1))) >>
         kTurnBits;
}
WINNOW_HOST_DEVICE inline std::int64_t turned_y(const StepTurn& turn, std::int32_t x, std::int32_t y) {
  return (static_cast<std::int64_t>(turn.cross) * x + static_cast<std::int64_t>(turn.same) * y +
          (std::int64_t{1} << (kTurnBits - 1))) >>
         kTurnBits;
}

// Converts a fixed-point coordinate to the float from which pixels are placed.
WINNOW_HOST_DEVICE inline float float_coordinate(std::int32_t coordinate) {
  return static_cast<float>(coordinate) * (1.0F / (1 << kCoordinateBits));
}

}  // namespace winnow
