// Checks that all learners of blocks give one result, and that samples have the detector's sums.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/device/device_for_test.h"
#include "base/random.h"
#include "base/simd.h"
#include "base/simd_for_test.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/block_steps.h"
#include "hog/blocks/lesson_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"

namespace winnow {
namespace {

using sample::Lesson;

TEST(BlockLearner, AllLearnersGiveOneAnswer) {
  const sample::GiveTargetBack give_back;
  for (const int grid : {2, 4, 8}) {
    const Lesson lesson(grid, 1100, 4500);
    for (const std::string& target : simd_targets()) {
      simd_force(target);
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(testing::Message() << target << " " << threads << " grid " << grid);
        lesson.expect_reference(*make_block_learner_cpu(lesson.samples, lesson.blocks, threads));
      }
    }
    simd_force("");
  }
}

#ifdef WINNOW_HAVE_CUDA

// The positives do not fill their last chunk of samples. In some cases the memory is too small for the
// normalised values of all blocks.
TEST(BlockLearnerCuda, GivesTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  for (const int grid : {2, 4, 8}) {
    for (const std::size_t positives : {70, 1100}) {
      const Lesson lesson(grid, positives, 4500);
      const auto row = static_cast<std::int64_t>(kHogBlockValues * lesson.samples.places());
      for (const std::int64_t bytes : {std::int64_t{1}, 4 * row, 1000 * row}) {
        SCOPED_TRACE(testing::Message() << "grid " << grid << ", " << positives << " positives, " << bytes);
        lesson.expect_reference(*make_block_learner_cuda(lesson.samples, lesson.blocks, 0, bytes));
      }
    }
  }
}

#endif  // WINNOW_HAVE_CUDA

TEST(BlockLearner, SamplesHaveTheDetectorsSums) {
  const Size window{24, 32};
  const GrayImage picture = sample::texture(40, 48, 3);
  const int grid = 4, left = 8, top = 12;
  std::vector<std::uint8_t> pixels;
  for (int y = top - 1; y <= top + window.height; ++y)
    pixels.insert(pixels.end(), picture.row(y) + left - 1, picture.row(y) + left + window.width + 1);
  BlockSamples samples(window, grid, 1, 1);
  for (std::size_t chunk = 0; chunk < samples.chunks(); ++chunk)
    samples.fill(chunk, [&](std::size_t place) { return place == 0 ? pixels.data() : nullptr; });
  const IntegralHistograms level = integrate_votes_ref(picture.view(), grid);
  for (const HogBlockStage& stage : sample::hog_cascade(window, grid, 4, 20, 9).stages) {
    const auto values = block_values_ref(level, stage.block, grid, left / grid, top / grid);
    std::int32_t product = 0, square = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      product += values[i] * stage.weights[i], square += values[i] * values[i];
    std::vector<std::int32_t> products(samples.places()), squares(samples.places());
    make_block_learner_ref(samples, {})->products(stage.block, stage.weights, products, squares);
    EXPECT_EQ(products[0], product);
    EXPECT_EQ(squares[0], square);
    EXPECT_EQ(squares[1], 0);
  }
}

}  // namespace
}  // namespace winnow
