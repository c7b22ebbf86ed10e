// Checks that all learners of blocks give one answer, and that samples have the detector's sums.
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

TEST(BlockLearner, AllLearnersGiveOneAnswer) {
  const GiveTargetBack give_back;
  const Size window{24, 32};
  const std::size_t positives = 1100, count = 4500;
  const auto all = windows(window, count);
  for (const int grid : {2, 4, 8}) {
    const BlockSamples samples = samples_of(all, window, grid, positives);
    std::vector<HogBlock> blocks;
    std::vector<std::array<std::int16_t, kHogBlockValues>> weights;
    for (const HogBlockStage& stage : sample::hog_cascade(window, grid, 8, 5, 7).stages) {
      blocks.push_back(stage.block);
      weights.push_back(stage.weights);
    }
    Random random(4);
    std::vector<std::uint16_t> importance(samples.places(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = i < positives ? i : i - positives + samples.first_negative();
      importance[place] =
          static_cast<std::uint16_t>(i % 3 == 0 ? kMostMomentWeight : random.below(kMostMomentWeight + 1));
    }
    const auto reference = make_block_learner_ref(samples, blocks);
    const std::vector<std::uint32_t> which{3, 0, 4};
    std::vector<BlockMoments> wanted(which.size()), got(which.size());
    reference->moments(which, importance, wanted);
    EXPECT_GT(wanted[0].products[0], 0);
    for (const std::string& target : simd_targets()) {
      simd_force(target);
      for (const int threads : {1, 3}) {
        const auto learner = make_block_learner_cpu(samples, blocks, threads);
        learner->moments(which, importance, got);
        EXPECT_EQ(wanted, got) << target << " " << threads << " grid " << grid;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
          std::vector<std::int32_t> p1(samples.places()), s1(p1), p2(p1), s2(p1);
          reference->products(blocks[b], weights[b], p1, s1);
          learner->products(blocks[b], weights[b], p2, s2);
          EXPECT_EQ(p1, p2) << target;
          EXPECT_EQ(s1, s2) << target;
        }
      }
    }
    simd_force("");
  }
}

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
