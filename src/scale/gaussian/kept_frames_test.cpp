#include "scale/gaussian/kept_frames.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "scale/gaussian/halve.h"

namespace winnow {
namespace {

GrayImage noise(Size size, std::uint64_t seed) {
  Random random(seed);
  GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) image.row(y)[x] = static_cast<std::uint8_t>(random.bits());
  }
  return image;
}

void expect_pyramid_of(const GrayImage& frame, const GaussianPyramid* kept, int levels = 3) {
  ASSERT_NE(kept, nullptr);
  GaussianPyramid wanted;
  wanted.make(frame.view(), levels, halve_ref);
  ASSERT_EQ(kept->levels(), wanted.levels());
  for (int l = 0; l < wanted.levels(); ++l) {
    const GrayView a = kept->level(l), b = wanted.level(l);
    ASSERT_EQ(a.size(), b.size());
    for (int y = 0; y < a.height; ++y)
      ASSERT_TRUE(std::equal(a.row(y), a.row(y) + a.width, b.row(y))) << "level " << l << ", row " << y;
  }
}

TEST(KeptFrames, TheNewestAndTheOneBefore) {
  for (const HalveStep halve : {HalveStep{halve_ref}, HalveStep{halve_cpu}}) {
    std::vector<GrayImage> frames;
    for (std::uint64_t i = 0; i < 4; ++i) frames.push_back(noise({61, 35}, i));
    KeptFrames kept(halve);
    EXPECT_EQ(kept.now(), nullptr);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      kept.take(frames[i].view(), 3);
      expect_pyramid_of(frames[i], kept.now());
      EXPECT_EQ(kept.before() == nullptr, i == 0);
      if (i > 0) expect_pyramid_of(frames[i - 1], kept.before());
    }
  }
}

TEST(KeptFrames, AFrameOfAnotherSizeHasNoneBefore) {
  KeptFrames kept(halve_cpu);
  const GrayImage small = noise({40, 30}, 1), large = noise({80, 60}, 2);
  kept.take(small.view(), 3);
  kept.take(small.view(), 3);
  EXPECT_NE(kept.before(), nullptr);
  kept.take(large.view(), 3);
  EXPECT_EQ(kept.before(), nullptr);
  expect_pyramid_of(large, kept.now());
  kept.take(large.view(), 3);
  expect_pyramid_of(large, kept.before());
  kept.take(GrayView(), 3);
  EXPECT_EQ(kept.now(), nullptr);
}

TEST(KeptFrames, AfterACutThereIsNoneBefore) {
  KeptFrames kept(halve_cpu);
  const GrayImage first = noise({40, 30}, 1), second = noise({40, 30}, 2);
  kept.take(first.view(), 3);
  kept.forget();
  EXPECT_EQ(kept.now(), nullptr);
  kept.take(second.view(), 3);
  expect_pyramid_of(second, kept.now());
  EXPECT_EQ(kept.before(), nullptr);
}

TEST(KeptFrames, LevelsMayBeAddedLater) {
  KeptFrames kept(halve_cpu);
  const GrayImage first = noise({40, 30}, 1), second = noise({40, 30}, 2);
  kept.deepen(4);
  EXPECT_EQ(kept.now(), nullptr);
  kept.take(first.view(), 1);
  kept.take(second.view(), 3);
  kept.deepen(2);
  expect_pyramid_of(first, kept.before(), 2);
  expect_pyramid_of(second, kept.now(), 3);
  kept.deepen(20);  // as far as 1 x 1
  expect_pyramid_of(first, kept.before(), 20);
  expect_pyramid_of(second, kept.now(), 20);
}

}  // namespace
}  // namespace winnow
