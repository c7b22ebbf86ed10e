// Fits shapes with SIMD and threads, as shape/shape_fit.h declares; its opening comment holds here.
//
// Leaves lie far apart in memory. So the next group of trees is visited, and its leaves are prefetched,
// before the leaves of the present group are added.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "shape/shape_fit_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/share_work.h"
#include "shape/pixel_work.h"
#include "shape/shape_fit.h"
#include "shape/shape_turn.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::ScalableTag<double>;
using DF = hn::Rebind<float, DD>;
using DI = hn::RebindToSigned<DF>;

// Finds columns and rows of all pixels of a stage, then reads the pixels. Each list has room for one more
// vector after its end.
void ReadPixels(const PixelWork& work, double* HWY_RESTRICT columns, double* HWY_RESTRICT rows,
                std::uint8_t* HWY_RESTRICT pixels) {
  const DD d;
  const DF f;
  const DI n;
  const std::size_t count = static_cast<std::size_t>(work.trees->pixels), lanes = hn::Lanes(d);
  const float* const x = work.trees->pixel.x.data() + work.first;
  const float* const y = work.trees->pixel.y.data() + work.first;
  const std::uint16_t* const point = work.trees->pixel.point.data() + work.first;
  const auto same = hn::Set(f, work.turn.same), cross = hn::Set(f, work.turn.cross),
             back = hn::Set(f, -work.turn.cross);
  const auto left = hn::Set(d, work.box->left), across = hn::Set(d, work.box->across),
             top = hn::Set(d, work.box->top), down = hn::Set(d, work.box->down), half = hn::Set(d, 0.5);
  const hn::Rebind<std::uint16_t, DI> narrow;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto at = hn::PromoteTo(n, hn::LoadU(narrow, point + i));
    const auto dx = hn::LoadU(f, x + i), dy = hn::LoadU(f, y + i);
    const auto u = hn::Add(hn::Add(hn::Mul(same, dx), hn::Mul(back, dy)), hn::GatherIndex(f, work.shape, at));
    const auto v = hn::Add(hn::Add(hn::Mul(cross, dx), hn::Mul(same, dy)),
                           hn::GatherIndex(f, work.shape + work.points, at));
    // The order of operations is that of `pixel_place`.
    hn::StoreU(hn::Floor(hn::Add(hn::Add(hn::Mul(across, hn::PromoteTo(d, u)), left), half)), d, columns + i);
    hn::StoreU(hn::Floor(hn::Add(hn::Add(hn::Mul(down, hn::PromoteTo(d, v)), top), half)), d, rows + i);
  }
  const GrayView& picture = *work.picture;
  for (std::size_t i = 0; i < count; ++i)
    pixels[i] = is_inside(columns[i], rows[i], picture.width, picture.height)
                    ? picture.data[static_cast<std::ptrdiff_t>(rows[i]) * picture.stride +
                                   static_cast<std::ptrdiff_t>(columns[i])]
                    : std::uint8_t{0};
}

// Loads a vector of leaf numbers, and converts them to the type of the sums.
template <class D>
HWY_INLINE hn::Vec<D> LoadLeaf(D d, const float* leaf) {
  return hn::LoadU(d, leaf);
}
template <class D, class Small>
HWY_INLINE hn::Vec<D> LoadLeaf(D d, const Small* leaf) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Small, D>(), leaf));
}

// Adds the leaves at `rows` to `sums`, in the order of the rows. Whole vectors are read and added, so rows
// and sums need room after their end. Several vectors of sums stay in registers: nine vectors of 16 lanes
// hold the 136 coordinates of 68 points.
template <class Leaf, class Sum>
void AddRows(const Leaf* HWY_RESTRICT leaves, const std::uint32_t* HWY_RESTRICT rows, std::size_t count,
             std::size_t values, Sum* HWY_RESTRICT sums) {
  const hn::ScalableTag<Sum> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 8 * lanes < values; i += 9 * lanes) {
    V s0 = hn::LoadU(d, sums + i);
    V s1 = hn::LoadU(d, sums + i + lanes);
    V s2 = hn::LoadU(d, sums + i + 2 * lanes);
    V s3 = hn::LoadU(d, sums + i + 3 * lanes);
    V s4 = hn::LoadU(d, sums + i + 4 * lanes);
    V s5 = hn::LoadU(d, sums + i + 5 * lanes);
    V s6 = hn::LoadU(d, sums + i + 6 * lanes);
    V s7 = hn::LoadU(d, sums + i + 7 * lanes);
    V s8 = hn::LoadU(d, sums + i + 8 * lanes);
    for (std::size_t r = 0; r < count; ++r) {
      const Leaf* const leaf = leaves + rows[r] + i;
      s0 = hn::Add(s0, LoadLeaf(d, leaf));
      s1 = hn::Add(s1, LoadLeaf(d, leaf + lanes));
      s2 = hn::Add(s2, LoadLeaf(d, leaf + 2 * lanes));
      s3 = hn::Add(s3, LoadLeaf(d, leaf + 3 * lanes));
      s4 = hn::Add(s4, LoadLeaf(d, leaf + 4 * lanes));
      s5 = hn::Add(s5, LoadLeaf(d, leaf + 5 * lanes));
      s6 = hn::Add(s6, LoadLeaf(d, leaf + 6 * lanes));
      s7 = hn::Add(s7, LoadLeaf(d, leaf + 7 * lanes));
      s8 = hn::Add(s8, LoadLeaf(d, leaf + 8 * lanes));
    }
    hn::StoreU(s0, d, sums + i);
    hn::StoreU(s1, d, sums + i + lanes);
    hn::StoreU(s2, d, sums + i + 2 * lanes);
    hn::StoreU(s3, d, sums + i + 3 * lanes);
    hn::StoreU(s4, d, sums + i + 4 * lanes);
    hn::StoreU(s5, d, sums + i + 5 * lanes);
    hn::StoreU(s6, d, sums + i + 6 * lanes);
    hn::StoreU(s7, d, sums + i + 7 * lanes);
    hn::StoreU(s8, d, sums + i + 8 * lanes);
  }
  for (; i + 3 * lanes < values; i += 4 * lanes) {
    V s0 = hn::LoadU(d, sums + i);
    V s1 = hn::LoadU(d, sums + i + lanes);
    V s2 = hn::LoadU(d, sums + i + 2 * lanes);
    V s3 = hn::LoadU(d, sums + i + 3 * lanes);
    for (std::size_t r = 0; r < count; ++r) {
      const Leaf* const leaf = leaves + rows[r] + i;
      s0 = hn::Add(s0, LoadLeaf(d, leaf));
      s1 = hn::Add(s1, LoadLeaf(d, leaf + lanes));
      s2 = hn::Add(s2, LoadLeaf(d, leaf + 2 * lanes));
      s3 = hn::Add(s3, LoadLeaf(d, leaf + 3 * lanes));
    }
    hn::StoreU(s0, d, sums + i);
    hn::StoreU(s1, d, sums + i + lanes);
    hn::StoreU(s2, d, sums + i + 2 * lanes);
    hn::StoreU(s3, d, sums + i + 3 * lanes);
  }
  for (; i < values; i += lanes) {
    V s0 = hn::LoadU(d, sums + i);
    for (std::size_t r = 0; r < count; ++r) {
      const Leaf* const leaf = leaves + rows[r] + i;
      s0 = hn::Add(s0, LoadLeaf(d, leaf));
    }
    hn::StoreU(s0, d, sums + i);
  }
}

void AddFloats(const float* leaves, const std::uint32_t* rows, std::size_t count, std::size_t values,
               float* sums) {
  AddRows(leaves, rows, count, values, sums);
}
void AddNumbers(const std::int16_t* leaves, const std::uint32_t* rows, std::size_t count, std::size_t values,
                std::int32_t* sums) {
  AddRows(leaves, rows, count, values, sums);
}
void AddSmall(const std::int8_t* leaves, const std::uint32_t* rows, std::size_t count, std::size_t values,
              std::int32_t* sums) {
  AddRows(leaves, rows, count, values, sums);
}

// Multiplies sums with the basis. `check_landmarks` ensures that doubles hold all these whole numbers
// exactly.
void AddBasis(const std::int16_t* HWY_RESTRICT basis, const std::int32_t* HWY_RESTRICT sums,
              std::size_t values, std::size_t outputs, double* HWY_RESTRICT moves) {
  const DD d;
  const DI n;
  const hn::Rebind<std::int16_t, DI> narrow;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < outputs; i += 4 * lanes) {
    auto m0 = hn::Zero(d), m1 = m0, m2 = m0, m3 = m0;
    for (std::size_t v = 0; v < values; ++v) {
      const auto sum = hn::Set(d, static_cast<double>(sums[v]));
      const std::int16_t* const row = basis + v * outputs + i;
      const auto numbers = [&](std::size_t at) HWY_ATTR {
        return hn::PromoteTo(d, hn::PromoteTo(n, hn::LoadU(narrow, row + at * lanes)));
      };
      m0 = hn::Add(m0, hn::Mul(sum, numbers(0)));
      m1 = hn::Add(m1, hn::Mul(sum, numbers(1)));
      m2 = hn::Add(m2, hn::Mul(sum, numbers(2)));
      m3 = hn::Add(m3, hn::Mul(sum, numbers(3)));
    }
    hn::StoreU(m0, d, moves + i);
    hn::StoreU(m1, d, moves + i + lanes);
    hn::StoreU(m2, d, moves + i + 2 * lanes);
    hn::StoreU(m3, d, moves + i + 3 * lanes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(ReadPixels);
HWY_EXPORT(AddFloats);
HWY_EXPORT(AddNumbers);
HWY_EXPORT(AddSmall);
HWY_EXPORT(AddBasis);

// The buffers of one thread.
struct FitScratch {
  std::vector<double> columns, rows, moves;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int32_t> sums, fixed;
  std::vector<float> shape;  // coordinates from which pixels are placed
  ShapeTurn turn;            // the turn of the shape whose pixels were read
};

// How many trees are visited before their leaves are added. With more trees, more cache lines are prefetched
// than a processor fetches at once. With 32 trees, a fit with leaves of floats took 1.12 times as long.
constexpr int kTreesAtOnce = 16;

// Visits `count` trees from `first` on, and prefetches the cache lines of their leaves.
template <class Leaf>
void visit_trees(const TreeProgram& trees, const LargeList<Leaf>& leaves, std::size_t first, int count,
                 const std::uint8_t* pixels, std::uint32_t* leaf_rows) {
  const std::size_t splits = trees.splits_per_tree();
  const VisitSplit* tree = trees.splits.data() + first * splits;
  const std::size_t bytes = static_cast<std::size_t>(trees.values) * sizeof(Leaf);
  for (int t = 0; t < count; ++t, ++first, tree += splits) {
    const auto leaf = static_cast<std::size_t>(visit_tree(tree, trees.depth, pixels));
    const std::size_t row = ((first << trees.depth) + leaf) * trees.pitch;
    leaf_rows[t] = static_cast<std::uint32_t>(row);
    const auto* const at = reinterpret_cast<const char*>(leaves.data() + row);
    for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(at + line);
  }
}

// Visits all trees of a stage and adds their leaves to `sums` in the order of the trees. One group of trees
// is visited ahead of the group whose leaves are added.
template <class Leaf, class Sum, class Add>
void add_stage(const TreeProgram& trees, const LargeList<Leaf>& leaves, int stage, const std::uint8_t* pixels,
               Sum* sums, Add add) {
  std::uint32_t rows[2][kTreesAtOnce];
  const std::size_t first = static_cast<std::size_t>(stage) * static_cast<std::size_t>(trees.trees);
  const auto visit = [&](int from, std::uint32_t* to) {
    const int count = std::min(kTreesAtOnce, trees.trees - from);
    visit_trees(trees, leaves, first + static_cast<std::size_t>(from), count, pixels, to);
    return count;
  };
  int count = visit(0, rows[0]);
  for (int from = 0, half = 0; from < trees.trees; from += kTreesAtOnce, half ^= 1) {
    const int next = from + kTreesAtOnce < trees.trees ? visit(from + kTreesAtOnce, rows[half ^ 1]) : 0;
    add(leaves.data(), rows[half], static_cast<std::size_t>(count), static_cast<std::size_t>(trees.values),
        sums);
    count = next;
  }
}

class CpuFitter final : public ShapeFitter {
 public:
  CpuFitter(SharedShapeProgram program, int threads)
      : program_(std::move(program)), threads_(threads), scratch_(static_cast<std::size_t>(threads)) {}

  void fit(std::span<const GrayView> pictures, std::span<const ShapeTask> tasks,
           FittedShapes& shapes) override {
    const auto coordinates = static_cast<std::size_t>(2 * program_->points);
    shapes.coordinates.resize(tasks.size() * coordinates);
    const std::size_t sums = program_->confidence_values();
    shapes.confidence.resize(tasks.size() * sums);
    share_work(threads_, tasks.size(), 1, [&](std::size_t thread, std::size_t i) {
      const ShapeTask& task = tasks[i];
      fit_one(pictures[static_cast<std::size_t>(task.picture)], task.box, scratch_[thread],
              shapes.coordinates.data() + i * coordinates,
              sums > 0 ? shapes.confidence.data() + i * sums : nullptr);
    });
  }

 private:
  void read_pixels(const TreeProgram& trees, int stage, const GrayView& picture, const ShapeBox& box,
                   FitScratch& scratch) const {
    const auto count = static_cast<std::size_t>(trees.pixels);
    ShapeTurn turned;
    if (program_->fixed_point) {
      turned = turn_of_shape(program_->fixed_mean, scratch.fixed.data(), program_->points);
      for (std::size_t i = 0; i < static_cast<std::size_t>(2 * program_->points); ++i)
        scratch.shape[i] = float_coordinate(scratch.fixed[i]);
    } else {
      turned = turn_of_shape(program_->float_mean, scratch.shape.data(), program_->points);
    }
    scratch.turn = turned;
    const PixelWork work{&trees,
                         static_cast<std::size_t>(stage) * count,
                         scratch.shape.data(),
                         static_cast<std::size_t>(program_->points),
                         turned,
                         &box,
                         &picture};
    HWY_DYNAMIC_DISPATCH(ReadPixels)
    (work, scratch.columns.data(), scratch.rows.data(), scratch.pixels.data());
  }

  // Adds up the leaves of a stage of a fixed-point model, or of the confidence.
  static void add_leaves(const TreeProgram& trees, int stage, FitScratch& scratch) {
    std::fill_n(scratch.sums.begin(), trees.values, 0);
    if (trees.small.empty()) {
      add_stage(trees, trees.numbers, stage, scratch.pixels.data(), scratch.sums.data(), [](auto... lists) {
        HWY_DYNAMIC_DISPATCH(AddNumbers)(lists...);
      });
    } else {
      add_stage(trees, trees.small, stage, scratch.pixels.data(), scratch.sums.data(), [](auto... lists) {
        HWY_DYNAMIC_DISPATCH(AddSmall)(lists...);
      });
    }
  }

  void move_fixed(int stage, FitScratch& scratch) const {
    const TreeProgram& trees = program_->trees;
    const auto coordinates = static_cast<std::size_t>(2 * program_->points);
    add_leaves(trees, stage, scratch);
    const int bits = trees.sum_bits(stage);
    if (!trees.basis.empty()) {
      const auto values = static_cast<std::size_t>(trees.values);
      HWY_DYNAMIC_DISPATCH(AddBasis)
      (trees.basis.data() + static_cast<std::size_t>(stage) * values * coordinates, scratch.sums.data(),
       values, coordinates, scratch.moves.data());
    }
    const auto step = [&](std::size_t i) {
      return coordinate_of(
          trees.basis.empty() ? scratch.sums[i] : static_cast<std::int64_t>(scratch.moves[i]), bits);
    };
    if (!program_->turned) {
      for (std::size_t i = 0; i < coordinates; ++i)
        scratch.fixed[i] = moved_coordinate(scratch.fixed[i], step(i));
      return;
    }
    const StepTurn turn = step_turn(scratch.turn);
    const std::size_t points = coordinates / 2;
    for (std::size_t i = 0; i < points; ++i) {
      const std::int32_t x = bounded_step(step(i)), y = bounded_step(step(points + i));
      scratch.fixed[i] = moved_coordinate(scratch.fixed[i], turned_x(turn, x, y));
      scratch.fixed[points + i] = moved_coordinate(scratch.fixed[points + i], turned_y(turn, x, y));
    }
  }

  void grow(const TreeProgram& trees, FitScratch& scratch) const {
    const auto pixels = static_cast<std::size_t>(trees.pixels) + kListRoom,
               numbers = static_cast<std::size_t>(std::max(2 * program_->points, trees.values)) + kListRoom;
    if (scratch.columns.size() < pixels) {
      scratch.columns.resize(pixels);
      scratch.rows.resize(pixels);
      scratch.pixels.resize(pixels);
    }
    if (scratch.sums.size() < numbers) {
      scratch.sums.resize(numbers);
      scratch.fixed.resize(numbers);
      scratch.shape.resize(numbers);
      scratch.moves.resize(numbers);
    }
  }

  void fit_one(const GrayView& picture, const ShapeBox& box, FitScratch& scratch, double* coordinates,
               std::int32_t* confidence) const {
    const TreeProgram& trees = program_->trees;
    grow(trees, scratch);
    if (program_->fixed_point) {
      std::copy(program_->fixed_mean.start.begin(), program_->fixed_mean.start.end(), scratch.fixed.begin());
    } else {
      std::copy(program_->float_mean.start.begin(), program_->float_mean.start.end(), scratch.shape.begin());
    }
    for (int stage = 0; stage < trees.stages; ++stage) {
      read_pixels(trees, stage, picture, box, scratch);
      if (program_->fixed_point) {
        move_fixed(stage, scratch);
      } else {
        add_stage(trees, trees.floats, stage, scratch.pixels.data(), scratch.shape.data(), [](auto... lists) {
          HWY_DYNAMIC_DISPATCH(AddFloats)(lists...);
        });
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(2 * program_->points); ++i)
      coordinates[i] = program_->fixed_point
                           ? static_cast<double>(scratch.fixed[i]) / (std::int64_t{1} << kCoordinateBits)
                           : static_cast<double>(scratch.shape[i]);
    if (confidence == nullptr) return;
    grow(program_->confidence, scratch);
    read_pixels(program_->confidence, 0, picture, box, scratch);
    add_leaves(program_->confidence, 0, scratch);
    std::copy_n(scratch.sums.begin(), program_->confidence.values, confidence);
  }

  SharedShapeProgram program_;
  int threads_;
  std::vector<FitScratch> scratch_;
};

}  // namespace

std::unique_ptr<ShapeFitter> make_shape_fitter_cpu(SharedShapeProgram program, int threads) {
  return std::make_unique<CpuFitter>(std::move(program), threads);
}

}  // namespace winnow
#endif  // HWY_ONCE
