// Lays out a model of landmarks for fits: splits in whole numbers, leaves in rows, the mean shape relative to
// its middle.
//
// In:     a checked model; the program keeps nothing of it.
// Out:    lists for all backends.
// Exact:  a fit with the program gives the points that the model gives.
// Memory: the program owns its lists. dlib's 68-point model takes 66 MB.
// Thread: any number of threads may read one program.
//
// A shape's coordinates are stored in two halves: x of all points, then y of all points. Leaves and basis
// have that order, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/image.h>
#include <winnow/landmarks.h>

#include "shape/shape_rule.h"

namespace winnow {

// A row of leaf numbers begins at a multiple of this many bytes, since a device reads memory in such pieces.
inline constexpr std::size_t kRowBytes = 32;
// The difference of two pixels always lies between -kMaxDifference and kMaxDifference.
inline constexpr float kMaxDifference = 256;

// Lists that vectors read have this many more numbers after their end, so that a vector may begin at any
// number.
inline constexpr std::size_t kListRoom = 576;

// A list that may lie in large memory pages. With small pages, address translation takes a third of a fit's
// time.
template <class T>
using LargeList = std::vector<T, PixelMemory<T>>;

// The pixels of all stages: a separate list for each number of a `ShapePixel`.
struct ShapePixels {
  std::vector<std::uint16_t> point;
  std::vector<float> x, y;  // offsets
};

// Trees with leaves of one type.
struct TreeProgram {
  int stages = 0, trees = 0, pixels = 0, depth = 0;
  ShapePixels pixel;
  std::vector<VisitSplit> splits;
  int values = 0;         // how many numbers a leaf has
  std::size_t pitch = 0;  // from one leaf to the next, in numbers
  // One of these lists holds the leaves; `small` if all numbers fit 8 bits.
  LargeList<float> floats;
  LargeList<std::int16_t> numbers;
  LargeList<std::int8_t> small;
  std::vector<std::int32_t> unit_bits;  // for each stage: its leaves have the unit 2^-unit_bits
  // For each stage and each vector of its basis, a row with a number per coordinate. Empty without a basis.
  LargeList<std::int16_t> basis;

  std::size_t splits_per_tree() const { return (std::size_t{1} << depth) - 1; }
  std::size_t leaves_per_stage() const { return static_cast<std::size_t>(trees) << depth; }
  // A stage's sums have the unit 2^-sum_bits. A basis makes the unit finer.
  int sum_bits(int stage) const {
    return unit_bits[static_cast<std::size_t>(stage)] + (basis.empty() ? 0 : kBasisBits);
  }
};

// The mean shape, and the mean shape minus its middle (`centred`), each as all x, then all y.
template <class Wide, class Number>
struct MeanShape {
  std::vector<Number> start;  // the shape with which a fit begins
  std::vector<Wide> centred;
  Wide spread = 0;
};

// The mean shape of a fixed-point model.
MeanShape<std::int64_t, std::int32_t> fixed_mean_of(const std::vector<ShapePoint>& mean);

struct ShapeProgram {
  explicit ShapeProgram(const LandmarkModel& model);

  int points = 0;
  bool fixed_point = false;
  bool turned = false;                               // `LandmarkModel::turned`
  MeanShape<double, float> float_mean;               // for float models
  MeanShape<std::int64_t, std::int32_t> fixed_mean;  // for fixed-point models
  TreeProgram trees;
  bool has_confidence = false;
  TreeProgram confidence;  // one stage, with a number for each point, and one more for presence
  // How many sums a fit gives for each shape besides its points; 0 without confidence.
  std::size_t confidence_values() const {
    return has_confidence ? static_cast<std::size_t>(confidence.values) : 0;
  }
};

}  // namespace winnow
