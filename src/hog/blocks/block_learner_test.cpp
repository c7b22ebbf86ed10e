// Checks that all learners of blocks give one answer, and that samples have the detector's sums.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/device_for_test.h"
#include "base/random.h"
#include "base/simd.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/block_steps.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"

namespace winnow {
namespace {

struct GiveTargetBack {
  ~GiveTargetBack() { simd_force(""); }
};

// Windows cut from textures, with a border of one pixel.
std::vector<std::vector<std::uint8_t>> windows(Size window, std::size_t count) {
  std::vector<std::vector<std::uint8_t>> all;
  for (std::size_t i = 0; i < count; ++i) {
    const GrayImage picture = sample::texture(window.width + 2, window.height + 2, i + 1);
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < picture.height(); ++y)
      pixels.insert(pixels.end(), picture.row(y), picture.row(y) + picture.width());
    all.push_back(std::move(pixels));
  }
  return all;
}

BlockSamples samples_of(const std::vector<std::vector<std::uint8_t>>& all, Size window, int grid,
                        std::size_t positives) {
  BlockSamples samples(window, grid, positives, all.size() - positives);
  for (std::size_t group = 0; group < samples.groups(); ++group) {
    samples.fill(group, [&](std::size_t place) -> const std::uint8_t* {
      if (place < positives) return all[place].data();
      if (place < samples.first_negative()) return nullptr;
      const std::size_t i = positives + place - samples.first_negative();
      return i < all.size() ? all[i].data() : nullptr;
    });
  }
  return samples;
}

// Samples of textures, blocks, and weights of both, with the answers of the reference.
struct Lesson {
  Lesson(int grid, std::size_t positives, std::size_t count)
      : samples(samples_of(windows(kWindow, count), kWindow, grid, positives)),
        importance(samples.places(), 0) {
    for (const HogBlockStage& stage : sample::hog_cascade(kWindow, grid, 8, 5, 7).stages) {
      blocks.push_back(stage.block);
      weights.push_back(stage.weights);
    }
    Random random(4);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = i < positives ? i : i - positives + samples.first_negative();
      importance[place] =
          static_cast<std::uint16_t>(i % 3 == 0 ? kMostMomentWeight : random.below(kMostMomentWeight + 1));
    }
    reference = make_block_learner_ref(samples, blocks);
    wanted.resize(which.size());
    reference->moments(which, importance, wanted);
  }

  void expect_reference(BlockLearner& learner) const {
    EXPECT_GT(wanted[0].products[0], 0);
    EXPECT_GT(wanted[0].up[0], 0);
    std::vector<BlockMoments> got(which.size());
    learner.moments(which, importance, got);
    EXPECT_EQ(wanted, got);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::vector<std::int32_t> p1(samples.places()), s1(p1), p2(p1), s2(p1);
      reference->products(blocks[b], weights[b], p1, s1);
      learner.products(blocks[b], weights[b], p2, s2);
      EXPECT_EQ(p1, p2);
      EXPECT_EQ(s1, s2);
    }
  }

  static constexpr Size kWindow{24, 32};
  BlockSamples samples;
  std::vector<HogBlock> blocks;
  std::vector<std::array<std::int16_t, kHogBlockValues>> weights;
  std::vector<std::uint16_t> importance;
  const std::vector<std::uint32_t> which{3, 0, 4};
  std::unique_ptr<BlockLearner> reference;
  std::vector<BlockMoments> wanted;
};

TEST(BlockLearner, AllLearnersGiveOneAnswer) {
  const GiveTargetBack give_back;
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

// Positives that end within a chunk, and units that do not all fit.
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
  for (std::size_t group = 0; group < samples.groups(); ++group)
    samples.fill(group, [&](std::size_t place) { return place == 0 ? pixels.data() : nullptr; });
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
