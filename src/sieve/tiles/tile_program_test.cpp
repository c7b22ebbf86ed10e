// Reads device programs of cascades as the device's kernels do.
#include "sieve/tiles/tile_program.h"

#include <gtest/gtest.h>

#include "sieve/cascades_for_test.h"
#include "sieve/stages_rule.h"
#include "sieve/tiles/flat_trees.h"

namespace winnow {
namespace {

using sample::Random;

constexpr int kBlockBytes = 113 << 10, kWords = 8;

CascadeModel lbp_cascade(std::uint64_t seed, Size window, int stages) {
  Random random(seed);
  sample::Recipe recipe;
  recipe.kind = FeatureKind::kLbp;
  recipe.window = window;
  recipe.stages = stages;
  const GrayImage picture = sample::random_picture(random, {window.width + 20, window.height + 20});
  return sample::random_cascade(random, recipe, picture.view());
}

// The shared memory of devices of compute capability 7.5, 8.6, 8.0 and 9.0. The kernel itself declares 2 KiB.
constexpr TileRoom room_of(int block_memory, int processor_memory, int reserved) {
  return {block_memory << 10, processor_memory << 10, (reserved + 2) << 10, 2 << 10};
}
constexpr TileRoom kTuring = room_of(64, 64, 0), kAda = room_of(99, 100, 1), kA100 = room_of(163, 164, 1),
                   kHopper = room_of(227, 228, 1);

TEST(DeviceProgram, FitsEveryDevice) {
  for (const int side : {12, 20, 24, 36, 48}) {
    const CascadeModel model = lbp_cascade(3, {side, side}, 4);
    for (const TileRoom& room : {kTuring, kAda, kA100, kHopper}) {
      DeviceProgram program;
      const auto make = [&](int bytes, DeviceProgram& next) {
        return make_device_program(model, bytes, next);
      };
      ASSERT_TRUE(fit_program(room, make, program)) << side << ", " << room.block_memory;
      EXPECT_LE(program.block_bytes + room.declared, room.block_memory);
      const bool two = 2 * (program.block_bytes + room.block_overhead) <= room.processor_memory;
      // If a block may have 163 KiB or more, two blocks share a processor: their tiles are high enough.
      EXPECT_TRUE(two || room.block_memory < 163 << 10) << side << ", " << room.block_memory;
      EXPECT_GE(std::min(program.shape[0].rows, program.shape[1].rows), side > 36 ? 4 : 12)
          << side << ", " << room.block_memory;
    }
  }
  DeviceProgram program;
  const CascadeModel large = lbp_cascade(3, {100, 100}, 4);
  const auto make = [&](int bytes, DeviceProgram& next) { return make_device_program(large, bytes, next); };
  EXPECT_FALSE(fit_program(kTuring, make, program));
}

// To test a window's code, a block looks up 255 - code in its copy of the subset.
TEST(DeviceProgram, OwnSubsetsSayWhatTheSubsetsSay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CascadeModel model = lbp_cascade(seed, {24, 24}, 6);
    DeviceProgram program;
    ASSERT_TRUE(make_device_program(model, kBlockBytes, program));
    const std::size_t own = program.own_subsets.size() / kWords;
    EXPECT_EQ(own > 0, !program.items[0].empty());
    for (std::size_t i = 0; i < own; ++i) {
      const LbpSubset& subset = model.subsets[program.items[0][i].node];
      for (int code = 0; code < 256; ++code) {
        const int lacks = 255 - code;
        const std::uint32_t word = program.own_subsets[i * kWords + static_cast<std::size_t>(lacks / 32)];
        ASSERT_EQ((word >> lacks % 32 & 1) != 0, lbp_goes_left(subset, code));
      }
    }
  }
}

// Subsets lie after the planes and two lists of windows. Each thread loads kSubsetWordsEach words.
TEST(DeviceProgram, OwnSubsetsHaveRoom) {
  for (const int side : {12, 24, 40, 60, 76}) {
    const CascadeModel model = lbp_cascade(7, {side, side}, 60);
    DeviceProgram program;
    const int room = side > 60 ? 2 * kBlockBytes : kBlockBytes;  // one block per processor
    ASSERT_TRUE(make_device_program(model, room, program));
    EXPECT_LE(program.block_bytes, room);
    EXPECT_LE(program.own_subsets.size(), static_cast<std::size_t>(kSubsetWordsEach * kTileThreads));
    for (const TileShape& shape : program.shape) {
      const int lists = kTileWindowBytes * shape.rows * kTileCols;
      EXPECT_LE(4 * shape.plane_words + lists + 4 * static_cast<int>(program.own_subsets.size()),
                program.block_bytes);
      // Lists hold places in a plane in 16 bits.
      EXPECT_LE(shape.plane_words, 1 << 16);
    }
  }
}

// Every node is an item. The runs of a stage of trees are the runs of its sets, one set after the other.
TEST(DeviceProgram, TreesAreSetsOfItems) {
  int tree_stages = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    sample::Recipe recipe;
    recipe.window = {20, 20};
    recipe.most_trees = 50;
    recipe.most_nodes = random.between(1, 5);
    recipe.tilted = seed % 2 == 0;
    recipe.classic = seed % 5 == 0;
    recipe.fractions = seed % 3 == 0;
    const GrayImage picture = sample::random_picture(random, {60, 50});
    CascadeModel model = sample::random_cascade(random, recipe, picture.view());
    // One node, in the first set, has a feature without an item form.
    if (seed % 10 == 0) {
      model.haar.push_back(model.haar[0]);
      model.haar.back().rects[0].weight = -1.5f;
      model.nodes[0].feature = static_cast<std::int32_t>(model.haar.size()) - 1;
    }
    DeviceProgram program;
    ASSERT_TRUE(make_device_program(model, kBlockBytes, program));
    bool trees = false;
    for (const TileStage& stage : program.stages) {
      ASSERT_FALSE(stage.plain);
      trees |= stage.trees;
      std::vector<bool> seen(model.nodes.size());
      int item = stage.first_item, nodes = 0, set_end = stage.first_run, set_items_end = item;
      for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t)
        nodes += model.trees[t].node_count;
      bool all_fit = true;
      for (int r = stage.first_run; r < stage.first_run + stage.run_count; ++r) {
        const TileRun& run = program.runs[static_cast<std::size_t>(r)];
        ASSERT_EQ(run.first, item);
        EXPECT_EQ(run.path != 0, stage.trees && r == set_end);
        if (run.path != 0) {
          EXPECT_EQ(item, set_items_end);
          set_end += run.set_runs;
          set_items_end += run.set_items;
        }
        all_fit &= run.shape != FeatureShape::kRects;
        for (int i = 0; i < run.count; ++i, ++item) {
          const TileItem& of = program.items[0][static_cast<std::size_t>(item)];
          EXPECT_FALSE(seen[of.node]);
          seen[of.node] = true;
          EXPECT_EQ(of.threshold, model.nodes[of.node].threshold);
          if (!stage.trees) continue;
          const bool root = own_bit(program.path_words[static_cast<std::size_t>(item)]) == 1u << kRootBit;
          EXPECT_EQ(run.inner != 0, !root);
        }
      }
      EXPECT_EQ(item - stage.first_item, nodes);
      if (stage.trees) {
        EXPECT_EQ(item, set_items_end);
      }
      EXPECT_EQ(stage.item_count, nodes);
      EXPECT_EQ(stage.spread, all_fit);
      tree_stages += stage.trees;
    }
    EXPECT_EQ(program.path_words.size(), trees ? program.items[0].size() : 0);
  }
  EXPECT_GT(tree_stages, 20);
}

}  // namespace
}  // namespace winnow
