// What a device's kernels read of a cascade, read as they do.
#include "sieve/device_program.h"

#include <gtest/gtest.h>

#include "sieve/cascades_for_test.h"
#include "sieve/stages_rule.h"

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

// A block finds by what a window lacks: 255 less its code.
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

// They lie after the planes and two lists of windows; threads bring kSubsetWordsEach words each.
TEST(DeviceProgram, OwnSubsetsHaveRoom) {
  for (const int side : {12, 24, 40, 60, 76}) {
    const CascadeModel model = lbp_cascade(7, {side, side}, 60);
    DeviceProgram program;
    const int room =
        side > 60 ? 2 * kBlockBytes : kBlockBytes;  // blocks that have a processor's memory alone
    ASSERT_TRUE(make_device_program(model, room, program));
    EXPECT_LE(program.block_bytes, room);
    EXPECT_LE(program.own_subsets.size(), static_cast<std::size_t>(kSubsetWordsEach * kTileThreads));
    for (const TileShape& shape : program.shape) {
      const int lists = kTileWindowBytes * shape.rows * kTileCols;
      EXPECT_LE(4 * shape.plane_words + lists + 4 * static_cast<int>(program.own_subsets.size()),
                program.block_bytes);
      // A place in a plane is listed in 16 bits.
      EXPECT_LE(shape.plane_words, 1 << 16);
    }
  }
}

}  // namespace
}  // namespace winnow
