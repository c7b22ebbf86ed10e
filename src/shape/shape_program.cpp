#include "shape/shape_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace winnow {
namespace {

// Copies leaves into rows. With `halves`, a row of coordinates x0, y0, x1, ... becomes two halves: all x,
// then all y.
template <class To, class From>
LargeList<To> rows_of(std::span<const From> leaves, std::size_t values, std::size_t pitch, bool halves) {
  if (leaves.empty()) return {};
  LargeList<To> rows(leaves.size() / values * pitch + kListRoom, To{});
  for (std::size_t row = 0; row < leaves.size() / values; ++row)
    for (std::size_t i = 0; i < values; ++i) {
      const std::size_t from = halves ? (i < values / 2 ? 2 * i : 2 * (i - values / 2) + 1) : i;
      rows[row * pitch + i] = static_cast<To>(leaves[row * values + from]);
    }
  return rows;
}

std::size_t pitch_of(std::size_t values, std::size_t bytes) {
  const std::size_t per_piece = kRowBytes / bytes;
  return (values + per_piece - 1) / per_piece * per_piece;
}

void lay_trees(const ShapeTrees& from, TreeProgram& to) {
  to.stages = from.stages;
  to.trees = from.trees;
  to.pixels = from.pixels;
  to.depth = from.depth;
  for (const ShapePixel& pixel : from.pixel_list) {
    to.pixel.point.push_back(pixel.point);
    to.pixel.x.push_back(pixel.offset.x);
    to.pixel.y.push_back(pixel.offset.y);
  }
  to.pixel.point.resize(from.pixel_list.size() + kListRoom);
  to.pixel.x.resize(from.pixel_list.size() + kListRoom);
  to.pixel.y.resize(from.pixel_list.size() + kListRoom);
  for (const ShapeSplit& split : from.splits)
    to.splits.push_back({split.first, split.second,
                         static_cast<std::int16_t>(
                             std::clamp(std::floor(split.threshold), -kMaxDifference, kMaxDifference))});
}

void lay_leaves(const FixedLeaves& from, std::size_t outputs, bool coordinates, TreeProgram& to) {
  const auto values = static_cast<std::size_t>(from.values);
  const bool halves = coordinates && from.basis.empty();
  const bool small = std::all_of(from.numbers.begin(), from.numbers.end(), [](std::int16_t number) {
    return number >= std::numeric_limits<std::int8_t>::min() &&
           number <= std::numeric_limits<std::int8_t>::max();
  });
  to.values = from.values;
  to.pitch = pitch_of(values, small ? sizeof(std::int8_t) : sizeof(std::int16_t));
  const std::span<const std::int16_t> numbers(from.numbers);
  if (small) {
    to.small = rows_of<std::int8_t>(numbers, values, to.pitch, halves);
  } else {
    to.numbers = rows_of<std::int16_t>(numbers, values, to.pitch, halves);
  }
  to.unit_bits = from.unit_bits;
  to.basis = rows_of<std::int16_t>(std::span<const std::int16_t>(from.basis), outputs, outputs, true);
}

template <class Wide, class Number, class Coordinate>
void lay_mean(const std::vector<ShapePoint>& mean, Coordinate coordinate, MeanShape<Wide, Number>& to) {
  const std::size_t points = mean.size();
  to.start.resize(2 * points);
  to.centred.resize(2 * points);
  for (std::size_t i = 0; i < points; ++i) {
    to.start[i] = coordinate(mean[i].x);
    to.start[points + i] = coordinate(mean[i].y);
  }
  for (std::size_t half = 0; half < 2 * points; half += points) {
    Wide sum = 0;
    for (std::size_t i = 0; i < points; ++i) sum += static_cast<Wide>(to.start[half + i]);
    const Wide middle = sum / static_cast<Wide>(points);
    for (std::size_t i = 0; i < points; ++i)
      to.centred[half + i] = static_cast<Wide>(to.start[half + i]) - middle;
  }
  Wide lanes[kTurnLanes] = {};
  for (std::size_t i = 0; i < points; ++i) {
    const Wide x = to.centred[i], y = to.centred[points + i];
    lanes[i % kTurnLanes] += turn_same(x, y, x, y);
  }
  to.spread = sum_of_lanes(lanes);
}

}  // namespace

MeanShape<std::int64_t, std::int32_t> fixed_mean_of(const std::vector<ShapePoint>& mean) {
  MeanShape<std::int64_t, std::int32_t> fixed;
  lay_mean(
      mean,
      [](float value) {
        return static_cast<std::int32_t>(std::lrint(std::ldexp(static_cast<double>(value), kCoordinateBits)));
      },
      fixed);
  return fixed;
}

ShapeProgram::ShapeProgram(const LandmarkModel& model)
    : points(static_cast<int>(model.mean.size())), fixed_point(model.fixed_point()), turned(model.turned) {
  lay_trees(model.trees, trees);
  const std::size_t coordinates = 2 * model.mean.size();
  if (fixed_point) {
    fixed_mean = fixed_mean_of(model.mean);
    lay_leaves(model.fixed_leaves, coordinates, true, trees);
  } else {
    lay_mean(
        model.mean, [](float value) { return value; }, float_mean);
    trees.values = static_cast<int>(coordinates);
    trees.pitch = pitch_of(coordinates, sizeof(float));
    trees.floats = rows_of<float>(std::span<const float>(model.float_leaves), coordinates, trees.pitch, true);
  }
  if (!model.confidence) return;
  has_confidence = true;
  lay_trees(model.confidence->trees, confidence);
  lay_leaves(model.confidence->leaves, model.confidence->slope.size(), false, confidence);
}

}  // namespace winnow
