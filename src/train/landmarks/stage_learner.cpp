#include "train/landmarks/stage_learner.h"

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "base/share_work.h"
#include "shape/shape_turn.h"
#include "train/landmarks/landmark_options.h"
#include "train/landmarks/shape_basis.h"
#include "train/landmarks/stage_pixels.h"
#include "train/landmarks/tree_grower.h"

namespace winnow {
namespace {

constexpr std::uint64_t kPixels = 0x50495845, kTrees = 0x54524545, kBasis = 0x42415349;
// The basis is found from products of the coordinates of about kBasisSamples samples. In these products,
// coordinates are in units of 2^-16.
constexpr std::size_t kBasisSamples = 8192;
constexpr int kProductShift = kCoordinateBits - 16;
// Leaves hold a fraction of a goal (`LandmarkOptions::rate`) in 16 bits. This bound leaves some room.
constexpr double kMostLeaf = 32'000;

std::int64_t shifted(std::int64_t value, int right) {
  if (right <= 0) return value * (std::int64_t{1} << -right);
  return (value + (std::int64_t{1} << (right - 1))) >> right;
}

// Reorders rows of coordinates: from all x, then all y, to x0, y0, x1, ...
std::vector<std::int16_t> interleaved(const std::vector<std::int16_t>& halves, std::size_t coordinates) {
  std::vector<std::int16_t> pairs(halves.size());
  const std::size_t points = coordinates / 2;
  for (std::size_t row = 0; row < halves.size() / coordinates; ++row)
    for (std::size_t i = 0; i < coordinates; ++i)
      pairs[row * coordinates + i] = halves[row * coordinates + (i % 2 == 0 ? i / 2 : points + i / 2)];
  return pairs;
}

// Moves a shape by the sums of a stage's leaves. `basis` holds the directions one after the other, each with
// all x before all y. If `basis` is null, the sums are coordinates themselves.
template <class Sum>
void move_shape(std::int32_t* shape, std::size_t points, const ShapeTurn& turn, const Sum* sums,
                std::size_t values, const std::int16_t* basis, int sum_bits) {
  const StepTurn by = step_turn(turn);
  const auto step = [&](std::size_t c) {
    std::int64_t sum = 0;
    if (basis == nullptr) {
      sum = sums[c];
    } else {
      for (std::size_t k = 0; k < values; ++k)
        sum += static_cast<std::int64_t>(sums[k]) * basis[k * 2 * points + c];
    }
    return bounded_step(coordinate_of(sum, sum_bits));
  };
  for (std::size_t p = 0; p < points; ++p) {
    const std::int32_t x = step(p), y = step(points + p);
    shape[p] = moved_coordinate(shape[p], turned_x(by, x, y));
    shape[points + p] = moved_coordinate(shape[points + p], turned_y(by, x, y));
  }
}

template <class Leaf>
void add_leaves(const TreeProgram& trees, const LargeList<Leaf>& leaves, int stage,
                const std::uint8_t* pixels, std::int64_t* sums) {
  const std::size_t first = static_cast<std::size_t>(stage) * static_cast<std::size_t>(trees.trees);
  for (std::size_t tree = first; tree < first + static_cast<std::size_t>(trees.trees); ++tree) {
    const auto leaf = static_cast<std::size_t>(
        visit_tree(trees.splits.data() + tree * trees.splits_per_tree(), trees.depth, pixels));
    const Leaf* const row = leaves.data() + ((tree << trees.depth) + leaf) * trees.pitch;
    for (int k = 0; k < trees.values; ++k) sums[k] += row[k];
  }
}

}  // namespace

StageLearner::StageLearner(LandmarkSamples& samples, const LandmarkOptions& options, const FixedMean& mean,
                           ShapeLearner& learner, int threads, std::uint64_t seed, SampleMemory& memory)
    : samples_(samples),
      options_(options),
      mean_(mean),
      learner_(learner),
      threads_(threads),
      seed_(seed),
      values_(static_cast<int>(leaf_values(options, samples.points()))),
      has_basis_(has_basis(options, samples.points())) {
  const std::size_t numbers = samples.count() * static_cast<std::size_t>(values_);
  memory.set_aside(static_cast<std::int64_t>(numbers * sizeof(std::int32_t)));  // the learner's own goals
  pixels_ = SampleList<std::uint8_t>(memory, samples.count() * static_cast<std::size_t>(options.pixels));
  goals_ = SampleList<std::int32_t>(memory, numbers);
  left_ = SampleList<std::int32_t>(memory, numbers);
}

std::size_t basis_sample(std::uint64_t seed, std::size_t part, std::size_t apart, std::size_t count) {
  return std::min(part * apart + hash(seed, kBasis, part) % apart, count - 1);
}

// Writes the difference from the present shape to the true shape, turned back as if the face were upright.
void StageLearner::residual(std::size_t sample, std::int32_t* residual) const {
  const std::size_t points = samples_.points();
  const std::int32_t* const shape = samples_.shape(sample);
  samples_.truth(sample, residual);
  const StepTurn turn = step_turn(turn_of_shape(mean_, shape, static_cast<int>(points)));
  const StepTurn back{turn.same, -turn.cross};
  for (std::size_t p = 0; p < points; ++p) {
    const std::int32_t x = bounded_step(residual[p] - shape[p]),
                       y = bounded_step(residual[points + p] - shape[points + p]);
    residual[p] = bounded_step(turned_x(back, x, y));
    residual[points + p] = bounded_step(turned_y(back, x, y));
  }
}

std::vector<std::int16_t> StageLearner::find_basis() const {
  const std::size_t coordinates = 2 * samples_.points();
  const std::size_t apart = std::max<std::size_t>(1, samples_.count() / kBasisSamples);
  std::vector<std::vector<std::int64_t>> products(static_cast<std::size_t>(threads_));
  std::vector<std::vector<std::int32_t>> residuals(static_cast<std::size_t>(threads_));
  share_work(threads_, (samples_.count() + apart - 1) / apart, 16, [&](std::size_t thread, std::size_t i) {
    std::vector<std::int64_t>& mine = products[thread];
    std::vector<std::int32_t>& r = residuals[thread];
    mine.resize(coordinates * coordinates);
    r.resize(coordinates);
    residual(basis_sample(seed_, i, apart, samples_.count()), r.data());
    for (std::int32_t& each : r) each >>= kProductShift;
    for (std::size_t a = 0; a < coordinates; ++a)
      for (std::size_t b = a; b < coordinates; ++b)
        mine[a * coordinates + b] += static_cast<std::int64_t>(r[a]) * r[b];
  });
  std::vector<double> sums(coordinates * coordinates);
  for (std::size_t a = 0; a < coordinates; ++a)
    for (std::size_t b = a; b < coordinates; ++b) {
      std::int64_t sum = 0;
      for (const std::vector<std::int64_t>& each : products)
        if (!each.empty()) sum += each[a * coordinates + b];
      sums[a * coordinates + b] = sums[b * coordinates + a] = static_cast<double>(sum);
    }
  return main_directions(std::move(sums), coordinates, static_cast<std::size_t>(values_));
}

// Fills `goals_`, in the finest unit for which leaves fit 16 bits. Returns `bits`, where the unit is 2^-bits.
int StageLearner::find_goals(const std::vector<std::int16_t>& basis) {
  const auto values = static_cast<std::size_t>(values_);
  const std::size_t coordinates = 2 * samples_.points();
  std::vector<std::vector<std::int32_t>> residuals(static_cast<std::size_t>(threads_));
  std::vector<std::int64_t> largest(static_cast<std::size_t>(threads_), 0);
  share_work(threads_, samples_.count(), 64, [&](std::size_t thread, std::size_t i) {
    std::vector<std::int32_t>& r = residuals[thread];
    r.resize(coordinates);
    residual(i, r.data());
    for (std::size_t k = 0; k < values; ++k) {
      std::int64_t goal = has_basis_ ? 0 : r[k];
      if (has_basis_) {
        for (std::size_t c = 0; c < coordinates; ++c)
          goal += static_cast<std::int64_t>(r[c]) * basis[k * coordinates + c];
        goal = shifted(goal, kBasisBits);
      }
      goal = std::clamp<std::int64_t>(goal, -(1 << 30), 1 << 30);
      goals_[i * values + k] = static_cast<std::int32_t>(goal);
      largest[thread] = std::max(largest[thread], std::abs(goal));
    }
  });
  const double most = std::min(kMostLeaf / options_.rate, static_cast<double>(kMostGoal) / 2);
  const auto all = static_cast<double>(*std::max_element(largest.begin(), largest.end()));
  int bits = kCoordinateBits + 17;  // a model's file allows 40 bits at most
  double scale = 1 << 17;
  while (all * scale > most && bits > 0) {
    scale /= 2;
    --bits;
  }
  share_work(threads_, samples_.count(), 256, [&](std::size_t, std::size_t i) {
    for (std::size_t k = 0; k < values; ++k) {
      std::int32_t& goal = goals_[i * values + k];
      goal = static_cast<std::int32_t>(shifted(goal, kCoordinateBits - bits));
    }
  });
  return bits;
}

bool StageLearner::learn(int stage, LandmarkModel& model, const std::function<bool(int)>& go_on) {
  const auto values = static_cast<std::size_t>(values_);
  const std::size_t points = samples_.points(), coordinates = 2 * points;
  const StagePixels pixels =
      draw_pixels(model.mean, options_.pixels,
                  at_stage(options_.first_radius, options_.last_radius, stage, options_.stages),
                  hash(seed_, kPixels), stage);
  const std::vector<std::int16_t> basis = has_basis_ ? find_basis() : std::vector<std::int16_t>{};
  const int bits = find_goals(basis);
  gather_pixels(samples_, mean_, pixels, threads_, pixels_.data());
  const ShapeSamples given{samples_.count(), options_.pixels, values_, pixels_.data(), goals_.all()};
  learner_.begin(given);
  TreeGrower grower(learner_, given, options_, pixels.places,
                    at_stage(options_.first_closeness, options_.last_closeness, stage, options_.stages));
  std::vector<ShapeSplit> splits;
  std::vector<std::int16_t> leaves;
  for (int tree = 0; tree < options_.trees; ++tree) {
    const GrownTree grown = grower.grow(hash(seed_, kTrees), stage, tree);
    for (const VisitSplit& split : grown.splits) splits.push_back(model_split(split));
    leaves.insert(leaves.end(), grown.leaves.begin(), grown.leaves.end());
    if (!go_on(tree + 1)) return false;
  }
  learner_.goals(left_.all());
  const int sum_bits = bits + (has_basis_ ? kBasisBits : 0);
  share_work(threads_, samples_.count(), 64, [&](std::size_t, std::size_t i) {
    std::int32_t* const sums = left_.data() + i * values;
    for (std::size_t k = 0; k < values; ++k) sums[k] = goals_[i * values + k] - sums[k];
    std::int32_t* const shape = samples_.shape(i);
    const ShapeTurn turn = turn_of_shape(mean_, shape, static_cast<int>(points));
    move_shape(shape, points, turn, sums, values, has_basis_ ? basis.data() : nullptr, sum_bits);
  });

  ShapeTrees& trees = model.trees;
  trees.stages = stage + 1;
  trees.trees = options_.trees;
  trees.pixels = options_.pixels;
  trees.depth = options_.depth;
  trees.pixel_list.insert(trees.pixel_list.end(), pixels.list.begin(), pixels.list.end());
  trees.splits.insert(trees.splits.end(), splits.begin(), splits.end());
  FixedLeaves& fixed = model.fixed_leaves;
  fixed.values = values_;
  fixed.unit_bits.push_back(bits);
  if (!has_basis_) leaves = interleaved(leaves, coordinates);
  fixed.numbers.insert(fixed.numbers.end(), leaves.begin(), leaves.end());
  const std::vector<std::int16_t> pairs = interleaved(basis, coordinates);
  fixed.basis.insert(fixed.basis.end(), pairs.begin(), pairs.end());
  return true;
}

void move_by_stage(LandmarkSamples& samples, const ShapeProgram& program, int stage, int threads) {
  const TreeProgram& trees = program.trees;
  const auto count = static_cast<std::size_t>(trees.pixels), values = static_cast<std::size_t>(trees.values),
             first_pixel = static_cast<std::size_t>(stage) * count;
  const std::size_t points = samples.points();
  const auto cut = [&](const auto& list) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first_pixel);
    return std::vector(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  const ShapePixels pixels{cut(trees.pixel.point), cut(trees.pixel.x), cut(trees.pixel.y)};
  const std::int16_t* const basis =
      trees.basis.empty() ? nullptr
                          : trees.basis.data() + static_cast<std::size_t>(stage) * values * 2 * points;
  samples.each_picture(
      threads, [&](std::size_t, const GrayView& picture, std::size_t first, std::size_t last) {
        std::vector<std::uint8_t> row(count);
        std::vector<std::int64_t> sums(values);
        for (std::size_t i = first; i < last; ++i) {
          std::int32_t* const shape = samples.shape(i);
          const ShapeTurn turn = turn_of_shape(program.fixed_mean, shape, static_cast<int>(points));
          read_sample_pixels(picture, samples[i], shape, points, turn, pixels, count, row.data());
          std::fill(sums.begin(), sums.end(), 0);
          if (trees.small.empty()) {
            add_leaves(trees, trees.numbers, stage, row.data(), sums.data());
          } else {
            add_leaves(trees, trees.small, stage, row.data(), sums.data());
          }
          move_shape(shape, points, turn, sums.data(), values, basis, trees.sum_bits(stage));
        }
      });
}

}  // namespace winnow
