// Checks the layout of a HOG SVM for a device: every block, every window and every weight has one place.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "hog/hog_program.h"
#include "hog/hog_steps.h"
#include "model/hog_model.h"
#include "model/hog_models_for_test.h"

namespace winnow {
namespace {

using sample::hog_shapes;
using sample::random_hog;

LevelPlan plan_of(const DetectorModel& model, Size picture, double scale, int step = 0) {
  LevelPlan plan;
  PlanRequest request;
  request.picture = picture;
  request.window = model.window();
  request.scale_factor = scale;
  request.rules = model.plan_rules();
  if (step > 0) request.rules.fixed_step = {step, step};
  plan_levels(request, plan);
  return plan;
}

TEST(HogProgram, EveryBlockAndWindowHasOnePlace) {
  for (const HogShape& shape : hog_shapes()) {
    const DetectorModel model = HogSvm(random_hog(shape, 5));
    const HogForm form = make_hog_form(random_hog(shape, 5));
    const Size blocks = shape.blocks();
    for (const int step : {0, 1, 2 * shape.block_stride.width, 3}) {
      const LevelPlan plan = plan_of(model, {531, 287}, 1.2, step);
      ASSERT_GT(plan.levels.size(), 3u);
      for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{200'000}, std::int64_t{1} << 40}) {
        const HogLayout layout = lay_hog(form, plan, 5, {bytes, 3});
        ASSERT_GE(layout.levels.size(), plan.levels.size());
        std::size_t level = 0;
        std::set<std::int64_t> windows;
        for (const HogPass& pass : layout.passes) {
          ASSERT_EQ(pass.first_level, static_cast<int>(level));
          EXPECT_GE(pass.frames, 1);
          EXPECT_LE(pass.frames, 5);
          std::int64_t words = 0, sums = 0, votes = 0;
          std::set<std::pair<int, int>> seen_blocks;
          std::map<std::int64_t, std::int64_t> items;  // per level, the number of items in tiles
          for (std::uint32_t i = 0; i < pass.strips; ++i) {
            const HogStrip& strip = layout.strips[pass.first_strip + i];
            const HogDeviceLevel& of = layout.levels[static_cast<std::size_t>(strip.level)];
            for (int y = strip.first_row; y < strip.last_row; ++y) {
              for (int x = strip.first_col; x < std::min(strip.first_col + kHogStripBlocks, of.block_cols);
                   ++x)
                EXPECT_TRUE(seen_blocks.insert({strip.level, y * of.block_cols + x}).second);
            }
          }
          for (std::uint32_t i = 0; i < pass.score_tiles; ++i) {
            const HogScoreTile& tile = layout.score_tiles[pass.first_score_tile + i];
            EXPECT_EQ(tile.first_item, items[tile.level]);
            items[tile.level] += kHogScoreItems;
          }
          std::int64_t all_blocks = 0;
          const std::size_t windows_before = windows.size();
          for (; level < static_cast<std::size_t>(pass.last_level); ++level) {
            const HogDeviceLevel& of = layout.levels[level];
            const Level& wanted = plan.levels[static_cast<std::size_t>(of.number)];
            EXPECT_EQ(of.first_word, words);
            EXPECT_EQ(of.first_sum, sums);
            EXPECT_EQ(of.first_vote, votes);
            EXPECT_GT(of.cols, 0);
            EXPECT_GT(of.rows, 0);
            const Size apart{layout.window_step.width * layout.step.width,
                             layout.window_step.height * layout.step.height};
            for (int row = 0; row < of.rows; row += of.step.height) {
              for (int col = 0; col < of.cols; col += of.step.width) {
                const std::int64_t window =
                    of.first_window + std::int64_t{row / of.step.height * of.period.height} * of.window_cols +
                    col / of.step.width * of.period.width;
                EXPECT_TRUE(windows.insert(window).second);
                const WindowPlace at = place_window(plan, window);
                EXPECT_EQ(at.level, of.number);
                EXPECT_EQ(at.x, of.x + col * apart.width);
                EXPECT_EQ(at.y, of.y + row * apart.height);
              }
            }
            EXPECT_TRUE(!layout.aligned || pass.strips == 0 || of.x % kHogStripCell == 0);
            // The last block of the last window is the grid's last block, and lies within the level.
            const int right = (of.cols - 1) * apart.width + (blocks.width - 1) * shape.block_stride.width,
                      below = (of.rows - 1) * apart.height + (blocks.height - 1) * shape.block_stride.height;
            EXPECT_EQ((of.block_cols - 1) * layout.step.width, right);
            EXPECT_EQ((of.block_rows - 1) * layout.step.height, below);
            EXPECT_LE(of.x + right + shape.block.width, wanted.width);
            EXPECT_LE(of.y + below + shape.block.height, wanted.height);
            const std::int64_t places = std::int64_t{of.block_rows} * of.cols;
            if (pass.score_tiles > 0) {
              EXPECT_GE(items[static_cast<int>(level)], places);
              EXPECT_LT(items[static_cast<int>(level)] - kHogScoreItems, places);
            }
            all_blocks += of.blocks();
            words += of.blocks() * hog_pairs(shape);
            sums += std::int64_t{of.cols} * of.rows;
            EXPECT_EQ(of.area, (Size{right + shape.block.width, below + shape.block.height}));
            if (pass.strips == 0) votes += std::int64_t{of.area.width} * of.area.height;
          }
          if (pass.strips > 0) {
            EXPECT_EQ(std::ssize(seen_blocks), all_blocks);
          }
          EXPECT_EQ(pass.windows, static_cast<std::int64_t>(windows.size() - windows_before));
          EXPECT_EQ(pass.words, words);
          EXPECT_EQ(pass.sums, sums);
          EXPECT_EQ(pass.votes, votes);
          EXPECT_LE(words * pass.frames, layout.words);
          EXPECT_LE(sums * pass.frames, layout.sums);
          EXPECT_LE(votes * pass.frames, layout.votes);
          if (pass.last_level - pass.first_level > 1 || pass.frames > 1) {
            EXPECT_LE((4 * words + 4 * sums + 12 * votes) * pass.frames, bytes);
          }
        }
        EXPECT_EQ(level, layout.levels.size());
        EXPECT_EQ(static_cast<std::int64_t>(windows.size()), plan.window_count);
        EXPECT_EQ(*windows.rbegin(), plan.window_count - 1);
        if (bytes == 1) {
          EXPECT_EQ(layout.passes.size(), layout.levels.size());
        }
        if (bytes == std::int64_t{1} << 40) {
          EXPECT_EQ(layout.passes.size(), 1u);
          EXPECT_EQ(layout.passes[0].frames, 5);
        }
      }
    }
  }
}

TEST(HogProgram, OnlyTheCommonShapeHasStripsAndTiles) {
  int strips = 0, tiles = 0;
  for (const HogShape& shape : hog_shapes()) {
    const HogForm form = make_hog_form(random_hog(shape, 1));
    const DetectorModel model = HogSvm(random_hog(shape, 1));
    for (const int step : {8, 16, 4}) {
      const HogLayout layout = lay_hog(form, plan_of(model, {200, 200}, 1.5, step), 1, {});
      strips += layout.strips.empty() ? 0 : 1;
      tiles += layout.score_tiles.empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(strips, 9);  // three shapes, each at every step
  EXPECT_EQ(tiles, 12);  // the same nine, and three other shapes at a step of 4, which is their stride
}

// Computes a window's score from the arranged weights, as kernels read them.
TEST(HogProgram, WeightsKeepTheirPlaces) {
  for (const HogShape& shape : hog_shapes()) {
    const HogForm form = make_hog_form(random_hog(shape, 8));
    const std::vector<std::int32_t> of_tiles = hog_score_weights(form);
    const std::vector<std::uint32_t> of_windows = hog_weight_pairs(form);
    const Size blocks = shape.blocks();
    const int values = shape.block_values(), pairs = hog_pairs(shape), rows = kHogScoreRows;
    ASSERT_EQ(of_windows.size(), static_cast<std::size_t>(blocks.width * blocks.height * pairs));
    std::size_t found = 0;
    for (int band = 0; band < hog_score_bands(shape); ++band) {
      for (int i = 0; i < blocks.width; ++i) {
        for (int k = 0; k < 2 * pairs; ++k) {
          for (int j = 0; j < rows; ++j) {
            const int row = band * rows + j;
            const std::int32_t got =
                of_tiles[static_cast<std::size_t>(((band * blocks.width + i) * 2 * pairs + k) * rows + j)];
            if (row >= blocks.height || k >= values) {
              EXPECT_EQ(got, 0);
              continue;
            }
            ++found;
            const auto block = static_cast<std::size_t>(i * blocks.height + row);
            const std::int16_t wanted =
                form.weights[block * static_cast<std::size_t>(values) + static_cast<std::size_t>(k)];
            ASSERT_EQ(got, wanted);
            const std::uint32_t pair =
                of_windows[block * static_cast<std::size_t>(pairs) + static_cast<std::size_t>(k / 2)];
            ASSERT_EQ(static_cast<std::int16_t>(pair >> (16 * (k % 2))), wanted);
          }
        }
      }
    }
    EXPECT_EQ(found, form.weights.size());
  }
}

}  // namespace
}  // namespace winnow
