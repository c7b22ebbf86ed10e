// Makes samples, blocks and weights for learners of blocks, with the results of the reference, for tests.
//
// In:     a grid, and numbers of samples.
// Out:    the same lesson for the same arguments; differences as failed expectations.
// Exact:  a learner's sums must equal those of the reference.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "hog/blocks/block_learner.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"

namespace winnow::sample {

// Makes windows of textures, each with a border of one pixel.
inline std::vector<std::vector<std::uint8_t>> windows_of_textures(Size window, std::size_t count) {
  std::vector<std::vector<std::uint8_t>> all;
  for (std::size_t i = 0; i < count; ++i) {
    const GrayImage picture = texture(window.width + 2, window.height + 2, i + 1);
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < picture.height(); ++y)
      pixels.insert(pixels.end(), picture.row(y), picture.row(y) + picture.width());
    all.push_back(std::move(pixels));
  }
  return all;
}

inline BlockSamples samples_of(const std::vector<std::vector<std::uint8_t>>& all, Size window, int grid,
                               std::size_t positives) {
  BlockSamples samples(window, grid, positives, all.size() - positives);
  for (std::size_t chunk = 0; chunk < samples.chunks(); ++chunk) {
    samples.fill(chunk, [&](std::size_t place) -> const std::uint8_t* {
      if (place < positives) return all[place].data();
      if (place < samples.first_negative()) return nullptr;
      const std::size_t i = positives + place - samples.first_negative();
      return i < all.size() ? all[i].data() : nullptr;
    });
  }
  return samples;
}

// Samples of textures, blocks, weights of the samples and of the blocks' values, and the reference's results.
struct Lesson {
  Lesson(int grid, std::size_t positives, std::size_t count)
      : samples(samples_of(windows_of_textures(kWindow, count), kWindow, grid, positives)),
        importance(samples.places(), 0) {
    for (const HogBlockStage& stage : hog_cascade(kWindow, grid, 8, 5, 7).stages) {
      blocks.push_back(stage.block);
      weights.push_back(stage.weights);
    }
    winnow::Random random(4);
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

}  // namespace winnow::sample
