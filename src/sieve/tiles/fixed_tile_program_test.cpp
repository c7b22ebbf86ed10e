// Walks the items of fixed-point cascades as a device does, and compares sums with the reference.
#include "sieve/tiles/fixed_tile_program.h"

#include <gtest/gtest.h>

#include <vector>

#include <winnow/cascade.h>

#include "scale/integral.h"
#include "sieve/scenes_for_test.h"
#include "sieve/stages.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

constexpr FixedRoom kRoom{100 << 10, 448};

// The planes of a picture as a tile has them, with the tilted one after the upright one.
class TilePlanes {
 public:
  TilePlanes(GrayView picture, const TileShape& shape, int layout)
      : sum_(picture.width + 1, picture.height + 1),
        square_(picture.width + 1, picture.height + 1),
        tilted_(picture.width + 1, picture.height + 1),
        words_(static_cast<std::size_t>(shape.plane_words) * 2) {
    integral_ref(picture, {sum_.view(), square_.view(), tilted_.view()});
    for (int y = 0; y <= picture.height; ++y) {
      for (int x = 0; x <= picture.width; ++x) {
        words_[static_cast<std::size_t>(tile_offset(x, y, layout, false, shape) / 4)] = sum_.row(y)[x];
        words_[static_cast<std::size_t>(tile_offset(x, y, layout, true, shape) / 4)] = tilted_.row(y)[x];
      }
    }
  }
  std::uint32_t at(std::int32_t offset) const { return words_[static_cast<std::size_t>(offset / 4)]; }
  WindowSums window(int x, int y, float norm) const {
    return {sum_.row(y) + x, tilted_.row(y) + x, sum_.view().width, norm};
  }

 private:
  Image<std::uint32_t> sum_, square_, tilted_;
  std::vector<std::uint32_t> words_;
};

// The leaf of an item with offsets. `corner`: the window's corner in the item's plane.
int item_leaf(const CascadeModel& model, const FixedProgram& program, const FixedItem& item,
              std::size_t number, const TilePlanes& planes, std::int32_t corner, float norm) {
  const auto at = [&](int c) { return planes.at(corner + item.offset[c]); };
  if (static_cast<FixedShape>(item.shape) == FixedShape::kGrid) {
    std::uint32_t cells[9];
    for (int c = 0; c < 9; ++c) {
      const auto grid = [&](int x, int y) {
        return planes.at(corner + item.offset[c % 3 + x] + item.offset[4 + c / 3 + y]);
      };
      cells[c] = grid(0, 0) - grid(1, 0) - grid(0, 1) + grid(1, 1);
    }
    return item.leaf[lbp_goes_left(model.subsets[item.node], lbp_code(cells)) ? 0 : 1];
  }
  std::uint32_t all;
  if (static_cast<FixedShape>(item.shape) == FixedShape::kChecker) {
    all = (at(0) + at(1) + at(2) + at(3) - 2 * (at(4) + at(5) + at(6) + at(7)) +
           4 * planes.at(corner + item.ninth)) *
          static_cast<std::uint32_t>(item.factor);
  } else {  // a line or an edge: this formula gives the value of both
    all = at(0) + at(1) - at(2) - at(3) +
          (at(4) + at(5) - at(6) - at(7)) * static_cast<std::uint32_t>(item.factor);
  }
  const auto value = static_cast<float>(static_cast<std::int32_t>(all));
  if (!model.is_table(static_cast<std::int32_t>(number)))
    return item.leaf[haar_goes_left(value, norm, item.threshold) ? 0 : 1];
  const int bin = table_bin(value, norm, item.low, item.per_unit);
  return program.leaves[number * kTableBins + static_cast<std::size_t>(bin)];
}

// Compares every stage's sum for some windows, item by item. Items without offsets are evaluated as in the
// reference.
void compare(const CascadeModel& model, GrayView picture) {
  FixedProgram program;
  ASSERT_TRUE(make_fixed_tile_program(model, kRoom, program));
  for (int layout = 0; layout < kTileLayouts; ++layout) {
    const TileShape& shape = program.shape[layout];
    const TilePlanes planes(picture, shape, layout);
    const auto& items = program.items[layout];
    ASSERT_EQ(items.size(), model.weak_count());
    const int step = layout + 1;
    for (int y = 0; y + model.window.height <= picture.height; y += 3 * step) {
      for (int x = 0; x + model.window.width <= picture.width; x += 5 * step) {
        const float norm = 1.f / static_cast<float>(1000 + 37 * x + y);
        const WindowSums window = planes.window(x, y, norm);
        std::int32_t sum = 0;
        double before = 0;
        for (const Stage& stage : model.stages) {
          before = stage_sum(model, stage, window, program.running ? before : 0);
          for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
            const auto number = static_cast<std::size_t>(t);
            const FixedItem& item = items[number];
            const FixedShape kind = static_cast<FixedShape>(item.shape);
            if (item.fresh) sum = 0;
            if (kind == FixedShape::kFeature || kind == FixedShape::kTree) {
              sum += fixed_units(static_cast<float>(stage_sum(model, {t, 1, 0}, window)));
            } else {
              sum += item_leaf(model, program, item, number, planes,
                               tile_offset(x, y, layout, item.plane != 0, shape), norm);
            }
            const bool last = t + 1 == stage.first_tree + stage.tree_count;
            ASSERT_EQ(sum < item.limit, last && stage_rejects(before, stage_limit(stage, model.rules)));
          }
          ASSERT_EQ(static_cast<double>(sum) / kScoreUnit, before);
        }
      }
    }
  }
}

TEST(FixedProgram, ItemsAddUpToTheReferencesSums) {
  const auto judge = [](const Cascade& cascade, const std::vector<GrayView>& pictures, double, Size) {
    const Size window = cascade.window();
    const Box box = clip({0, 0, window.width + 30, window.height + 18}, pictures[0].size());
    compare(cascade.model(), pictures[0].crop(box));
    return !testing::Test::HasFatalFailure();
  };
  sample::every_kind_of_fixed_point(70, {12, 12}, judge);
}

TEST(FixedProgram, ChunksAreWholeStagesInOrder) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    sample::Random random(seed);
    const GrayImage picture = sample::random_picture(random, {40, 40});
    CascadeModel model = sample::soft_cascade(random, picture.view(), random.between(1, 600), false);
    for (const bool skips : {false, true}) {
      model.rules.skip_after_first_stage_reject = skips;
      FixedProgram program;
      ASSERT_TRUE(make_fixed_tile_program(model, kRoom, program));
      ASSERT_FALSE(program.chunks.empty());
      std::int32_t end = 0;
      for (const FixedChunk& chunk : program.chunks) {
        EXPECT_EQ(chunk.first, end);
        EXPECT_GT(chunk.end, chunk.first);
        end = chunk.end;
      }
      EXPECT_LE(end, kRoom.most_items);
      EXPECT_LE(end, static_cast<std::int32_t>(program.places.size()));
      EXPECT_TRUE(!skips || program.chunks[0].end == 1);
    }
  }
}

// The kernel keeps a running sum per window only if sums continue from stage to stage.
TEST(FixedProgram, RunningSumsTakeRoom) {
  sample::Random random(5);
  const GrayImage picture = sample::random_picture(random, {40, 40});
  CascadeModel model = sample::soft_cascade(random, picture.view(), 20, false);
  model.window = {26, 26};
  FixedProgram running, stages;
  ASSERT_TRUE(make_fixed_tile_program(model, kRoom, running));
  model.rules.sum = SumRule::kStage;
  ASSERT_TRUE(make_fixed_tile_program(model, kRoom, stages));
  EXPECT_LT(running.shape[1].rows, stages.shape[1].rows);
  EXPECT_LE(running.block_bytes, kRoom.block_bytes);
}

}  // namespace
}  // namespace winnow
