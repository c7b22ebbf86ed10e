// Fits shapes in plain loops, as shape/shape_fit.h declares; its opening comment holds here.
#include <cstddef>

#include "shape/shape_fit.h"

namespace winnow {
namespace {

// Adds a leaf to a stage's sums.
template <class Leaf, class Sum>
void add_leaf(const LargeList<Leaf>& leaves, std::size_t row, int values, std::vector<Sum>& sums) {
  for (int i = 0; i < values; ++i)
    sums[static_cast<std::size_t>(i)] += leaves[row + static_cast<std::size_t>(i)];
}

// Fits one shape in one picture.
class Fit {
 public:
  Fit(const ShapeProgram& program, const GrayView& picture, const ShapeBox& box)
      : program_(program), picture_(picture), box_(box), points_(static_cast<std::size_t>(program.points)) {}

  void run(FittedShapes& shapes) {
    if (program_.fixed_point) {
      fixed_ = program_.fixed_mean.start;
    } else {
      float_ = program_.float_mean.start;
    }
    for (int stage = 0; stage < program_.trees.stages; ++stage) {
      read_pixels(program_.trees, stage);
      move(stage);
    }
    for (std::size_t i = 0; i < 2 * points_; ++i)
      shapes.coordinates.push_back(program_.fixed_point
                                       ? static_cast<double>(fixed_[i]) / (std::int64_t{1} << kCoordinateBits)
                                       : static_cast<double>(float_[i]));
    if (!program_.has_confidence) return;
    read_pixels(program_.confidence, 0);
    const std::vector<std::int64_t> sums = sums_of(program_.confidence, 0);
    for (const std::int64_t sum : sums) shapes.confidence.push_back(static_cast<std::int32_t>(sum));
  }

 private:
  float coordinate(std::size_t i) const {
    return program_.fixed_point ? float_coordinate(fixed_[i]) : float_[i];
  }

  template <class Wide, class Number>
  ShapeTurn turn(const MeanShape<Wide, Number>& mean, const std::vector<Number>& shape) const {
    Wide same[kTurnLanes] = {}, cross[kTurnLanes] = {};
    for (std::size_t i = 0; i < points_; ++i) {
      const Wide mean_x = mean.centred[i], mean_y = mean.centred[points_ + i];
      const auto x = static_cast<Wide>(shape[i]), y = static_cast<Wide>(shape[points_ + i]);
      same[i % kTurnLanes] += turn_same(mean_x, mean_y, x, y);
      cross[i % kTurnLanes] += turn_cross(mean_x, mean_y, x, y);
    }
    return turn_of(sum_of_lanes(same), sum_of_lanes(cross), mean.spread);
  }

  void read_pixels(const TreeProgram& trees, int stage) {
    const ShapeTurn turn = program_.fixed_point ? this->turn(program_.fixed_mean, fixed_)
                                                : this->turn(program_.float_mean, float_);
    const std::size_t first = static_cast<std::size_t>(stage) * static_cast<std::size_t>(trees.pixels);
    pixels_.assign(static_cast<std::size_t>(trees.pixels), 0);
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const float x = trees.pixel.x[first + i], y = trees.pixel.y[first + i];
      const std::size_t point = trees.pixel.point[first + i];
      const double column =
          pixel_place(turn.same * x + -turn.cross * y, coordinate(point), box_.left, box_.across);
      const double row =
          pixel_place(turn.cross * x + turn.same * y, coordinate(points_ + point), box_.top, box_.down);
      if (is_inside(column, row, picture_.width, picture_.height))
        pixels_[i] = picture_.data[static_cast<std::ptrdiff_t>(row) * picture_.stride +
                                   static_cast<std::ptrdiff_t>(column)];
    }
  }

  std::size_t row_of(const TreeProgram& trees, int stage, int tree) const {
    const std::size_t number = static_cast<std::size_t>(stage) * static_cast<std::size_t>(trees.trees) +
                               static_cast<std::size_t>(tree);
    const int leaf =
        visit_tree(trees.splits.data() + number * trees.splits_per_tree(), trees.depth, pixels_.data());
    return ((number << trees.depth) + static_cast<std::size_t>(leaf)) * trees.pitch;
  }

  // Adds up the leaves of a stage whose leaves are whole numbers.
  std::vector<std::int64_t> sums_of(const TreeProgram& trees, int stage) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(trees.values));
    for (int tree = 0; tree < trees.trees; ++tree) {
      const std::size_t row = row_of(trees, stage, tree);
      if (trees.small.empty()) {
        add_leaf(trees.numbers, row, trees.values, sums);
      } else {
        add_leaf(trees.small, row, trees.values, sums);
      }
    }
    return sums;
  }

  void move(int stage) {
    const TreeProgram& trees = program_.trees;
    if (!program_.fixed_point) {
      for (int tree = 0; tree < trees.trees; ++tree)
        add_leaf(trees.floats, row_of(trees, stage, tree), trees.values, float_);
      return;
    }
    const std::vector<std::int64_t> sums = sums_of(trees, stage);
    steps_.resize(2 * points_);
    for (std::size_t i = 0; i < 2 * points_; ++i) {
      std::int64_t sum = trees.basis.empty() ? sums[i] : 0;
      if (!trees.basis.empty()) {
        const std::int16_t* column =
            trees.basis.data() + static_cast<std::size_t>(stage) * sums.size() * 2 * points_ + i;
        for (std::size_t v = 0; v < sums.size(); ++v) sum += sums[v] * column[v * 2 * points_];
      }
      steps_[i] = coordinate_of(sum, trees.sum_bits(stage));
    }
    if (program_.turned) turn_steps();
    for (std::size_t i = 0; i < 2 * points_; ++i) fixed_[i] = moved_coordinate(fixed_[i], steps_[i]);
  }

  void turn_steps() {
    const StepTurn turn = step_turn(this->turn(program_.fixed_mean, fixed_));
    for (std::size_t i = 0; i < points_; ++i) {
      const std::int32_t x = bounded_step(steps_[i]), y = bounded_step(steps_[points_ + i]);
      steps_[i] = turned_x(turn, x, y);
      steps_[points_ + i] = turned_y(turn, x, y);
    }
  }

  const ShapeProgram& program_;
  const GrayView& picture_;
  const ShapeBox& box_;
  std::size_t points_;
  std::vector<float> float_;
  std::vector<std::int32_t> fixed_;
  std::vector<std::int64_t> steps_;  // what a stage adds to each coordinate
  std::vector<std::uint8_t> pixels_;
};

class ReferenceFitter final : public ShapeFitter {
 public:
  explicit ReferenceFitter(SharedShapeProgram program) : program_(std::move(program)) {}
  void fit(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks,
           FittedShapes& shapes) override {
    shapes.coordinates.clear();
    shapes.confidence.clear();
    for (const ShapeTask& task : tasks)
      Fit(*program_, pictures[static_cast<std::size_t>(task.picture)], task.box).run(shapes);
  }

 private:
  SharedShapeProgram program_;
};

}  // namespace

std::unique_ptr<ShapeFitter> make_shape_fitter_ref(SharedShapeProgram program) {
  return std::make_unique<ReferenceFitter>(std::move(program));
}

}  // namespace winnow
