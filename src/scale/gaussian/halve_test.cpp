// Compares the forms of the halving step with one another and with plain arithmetic. Compares a pyramid with
// levels that single steps make.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "base/simd.h"
#include "base/simd_for_test.h"
#include "image/same_picture_for_test.h"
#include "scale/frames/fenced_picture_for_test.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "scale/gaussian/halve.h"

namespace winnow {
namespace {

enum class Content { kNoise, kExtremes, kChecks, kWhite };

void fill(ImageView<std::uint8_t> picture, Content content, std::mt19937& random) {
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::uint8_t& pixel = picture.row(y)[x];
      switch (content) {
        case Content::kNoise:
          pixel = static_cast<std::uint8_t>(random() >> 8);
          break;
        case Content::kExtremes:
          pixel = static_cast<std::uint8_t>(255 * (random() >> 8 & 1));
          break;
        case Content::kChecks:
          pixel = static_cast<std::uint8_t>(255 * ((x + y) % 2));
          break;
        case Content::kWhite:
          pixel = 255;
          break;
      }
    }
  }
}

constexpr std::uint8_t kUntouched = 0xA5;

// Halves into a target with `gap` bytes between its rows, and returns the pixels. The test fails if a byte of
// a gap changes.
GrayImage half_of(GrayView source, HalveStep halve, HalveRow& row, int gap) {
  const Size size = halved(source.size());
  const FencedPicture target(size.width, size.height, size.width + gap);
  for (int y = 0; y < size.height; ++y)
    std::fill_n(target.view().row(y), size.width + (y + 1 < size.height ? gap : 0), kUntouched);
  halve(source, target.view(), row);
  GrayImage half(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    std::copy_n(target.view().row(y), size.width, half.row(y));
    for (int x = size.width; y + 1 < size.height && x < size.width + gap; ++x)
      EXPECT_EQ(target.view().row(y)[x], kUntouched) << "behind row " << y;
  }
  return half;
}

using sample::expect_same;

void compare(Size size, int gap, Content content, std::mt19937& random, HalveRow& row) {
  SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << ", gap " << gap << ", content "
                                  << static_cast<int>(content) << ", " << simd_target());
  const FencedPicture source(size.width, size.height, size.width + gap);
  fill(source.view(), content, random);
  const GrayImage wanted = half_of(source.view(), halve_ref, row, 0);
  expect_same(half_of(source.view(), halve_cpu, row, gap).view(), wanted.view());
}

TEST(Halve, SmallPictures) {
  const sample::GiveTargetBack give_back;
  HalveRow row;  // one for all sizes, as a pyramid has it
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    std::mt19937 random(1);
    for (int height = 1; height <= 40; ++height) {
      for (int width = 1; width <= 40; ++width) {
        compare({width, height}, (width + height) % 3 * 5,
                (width + height) % 2 == 0 ? Content::kNoise : Content::kExtremes, random, row);
        if (HasFailure()) return;
      }
    }
  }
}

// Every width around multiples of 16 and 32 pixels, which are the sizes of loads and stores.
TEST(Halve, EveryWidth) {
  const sample::GiveTargetBack give_back;
  HalveRow row;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    std::mt19937 random(2);
    for (int width = 1; width <= 300; ++width) {
      compare({width, 3 + width % 2}, width % 3, Content::kNoise, random, row);
      if (HasFailure()) return;
    }
  }
}

TEST(Halve, LargePictures) {
  const sample::GiveTargetBack give_back;
  HalveRow row;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    std::mt19937 random(3);
    for (const Size size : {Size{1280, 720}, {1283, 721}, {1919, 35}, {33, 1001}, {4099, 7}}) {
      for (const Content content : {Content::kNoise, Content::kExtremes, Content::kChecks, Content::kWhite}) {
        compare(size, size.width % 2 * 17, content, random, row);
        if (HasFailure()) return;
      }
    }
  }
}

// Sums over a white picture are the largest possible sums.
TEST(Halve, AConstantPictureStaysConstant) {
  HalveRow row;
  for (const Size size : {Size{1, 1}, {2, 1}, {1, 7}, {5, 4}, {67, 31}, {640, 9}}) {
    for (const int value : {0, 1, 127, 128, 254, 255}) {
      GrayImage source(size.width, size.height);
      for (int y = 0; y < size.height; ++y)
        std::fill_n(source.row(y), size.width, static_cast<std::uint8_t>(value));
      for (const HalveStep halve : {halve_ref, halve_cpu}) {
        const GrayImage half = half_of(source.view(), halve, row, 0);
        for (int y = 0; y < half.height(); ++y)
          for (int x = 0; x < half.width(); ++x) ASSERT_EQ(half.row(y)[x], value) << x << ", " << y;
      }
    }
  }
}

// Pixels computed by hand from the definition.
TEST(Halve, ByHand) {
  HalveRow row;
  const std::array<std::uint8_t, 5> line{10, 20, 30, 40, 60};
  for (const HalveStep halve : {halve_ref, halve_cpu}) {
    // All pixels of a column are equal, so the weights down multiply the sums across by 16.
    const GrayImage across = half_of({line.data(), 5, 1, 5}, halve, row, 0);
    ASSERT_EQ(across.size(), (Size{3, 1}));
    EXPECT_EQ(across.row(0)[0], 18);  // (30 + 4 * 20 + 6 * 10 + 4 * 20 + 30) / 16 = 17.5 rounds up
    EXPECT_EQ(across.row(0)[1], 31);  // (10 + 4 * 20 + 6 * 30 + 4 * 40 + 60) / 16 = 30.625
    EXPECT_EQ(across.row(0)[2], 46);  // (30 + 4 * 40 + 6 * 60 + 4 * 40 + 30) / 16 = 46.25
    const GrayImage down = half_of({line.data(), 1, 5, 1}, halve, row, 0);
    ASSERT_EQ(down.size(), (Size{1, 3}));
    for (int y = 0; y < 3; ++y) EXPECT_EQ(down.row(y)[0], across.row(0)[y]);
    // A single white pixel shows each weight.
    GrayImage dot(9, 9);
    dot.row(4)[4] = 255;
    const GrayImage half = half_of(dot.view(), halve, row, 0);
    EXPECT_EQ(half.row(2)[2], 36);  // 255 * 36 / 256 = 35.86
    EXPECT_EQ(half.row(2)[1], 6);   // 255 * 6 / 256 = 5.98
    EXPECT_EQ(half.row(3)[2], 6);
    EXPECT_EQ(half.row(1)[1], 1);
    EXPECT_EQ(half.row(0)[0], 0);
    GrayImage beside(9, 9);
    beside.row(5)[3] = 255;
    EXPECT_EQ(half_of(beside.view(), halve, row, 0).row(2)[2], 16);  // 255 * 16 / 256 = 15.94
  }
}

TEST(Halve, MirroredIndices) {
  const auto list = [](int side) {
    std::vector<int> all;
    for (int at = -4; at < side + 4; ++at) all.push_back(mirrored(at, side));
    return all;
  };
  EXPECT_EQ(list(1), (std::vector<int>(9, 0)));
  EXPECT_EQ(list(2), (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(list(3), (std::vector<int>{0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2}));
  EXPECT_EQ(list(5), (std::vector<int>{4, 3, 2, 1, 0, 1, 2, 3, 4, 3, 2, 1, 0}));
}

TEST(Halve, SidesAndLevels) {
  EXPECT_EQ(halved(Size{1, 2}), (Size{1, 1}));
  EXPECT_EQ(halved(Size{3, 1280}), (Size{2, 640}));
  EXPECT_EQ(halved(2147483647), 1073741824);
  EXPECT_EQ(gaussian_levels({1280, 720}, 4), 4);
  EXPECT_EQ(gaussian_levels({1280, 720}, 100), 12);  // 2^11 is the least power of 2 above 1280
  EXPECT_EQ(gaussian_levels({5, 1}, 100), 4);        // widths 5, 3, 2 and 1
  EXPECT_EQ(gaussian_levels({1, 5}, 100), 4);
  EXPECT_EQ(gaussian_levels({1, 1}, 100), 1);
  EXPECT_EQ(gaussian_levels({2147483647, 1}, 100), kMostGaussianLevels);
  EXPECT_EQ(gaussian_levels({0, 5}, 3), 0);
  EXPECT_EQ(gaussian_levels({5, 5}, 0), 0);
}

// The levels that a pyramid must have, made by one step after the other.
std::vector<GrayImage> levels_of(GrayView picture, int levels) {
  HalveRow row;
  std::vector<GrayImage> all;
  all.emplace_back(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) std::copy_n(picture.row(y), picture.width, all[0].row(y));
  while (static_cast<int>(all.size()) < levels) {
    const Size size = halved(all.back().size());
    GrayImage half(size.width, size.height);
    halve_ref(all.back().view(), half.view(), row);
    all.push_back(std::move(half));
  }
  return all;
}

void expect_levels(const GaussianPyramid& pyramid, const std::vector<GrayImage>& wanted) {
  ASSERT_EQ(pyramid.levels(), static_cast<int>(wanted.size()));
  for (int i = 0; i < pyramid.levels(); ++i) {
    SCOPED_TRACE(testing::Message() << "level " << i);
    expect_same(pyramid.level(i), wanted[static_cast<std::size_t>(i)].view());
  }
}

// Pictures of many sizes in one pyramid: larger, smaller, with other strides.
TEST(GaussianPyramid, PictureAfterPicture) {
  std::mt19937 random(4);
  for (const HalveStep halve : {halve_ref, halve_cpu}) {
    GaussianPyramid pyramid;
    for (const Size size : {Size{64, 48}, {131, 77}, {131, 77}, {16, 9}, {1, 5}, {320, 240}, {37, 1}}) {
      SCOPED_TRACE(testing::Message() << size.width << "x" << size.height);
      const FencedPicture picture(size.width, size.height, size.width + size.height % 2 * 9);
      fill(picture.view(), Content::kNoise, random);
      for (const int levels : {1, 4, 2}) {
        pyramid.make(picture.view(), levels, halve);
        expect_levels(pyramid, levels_of(picture.view(), gaussian_levels(size, levels)));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(GaussianPyramid, EndsWithOnePixel) {
  GrayImage picture(5, 3);
  picture.row(2)[4] = 200;
  GaussianPyramid pyramid;
  pyramid.make(picture.view(), 50, halve_cpu);
  expect_levels(pyramid, levels_of(picture.view(), 4));
  EXPECT_EQ(pyramid.level(3).size(), (Size{1, 1}));
  pyramid.make({}, 4, halve_cpu);
  EXPECT_EQ(pyramid.levels(), 0);
}

TEST(GaussianPyramid, KeepsItsMemory) {
  std::mt19937 random(5);
  GrayImage picture(200, 100);
  GaussianPyramid pyramid;
  pyramid.make(picture.view(), 4, halve_cpu);
  const std::uint8_t* first = pyramid.level(0).data;
  for (const Size size : {Size{200, 100}, {100, 90}, {7, 5}, {200, 100}}) {
    fill(picture.view(), Content::kNoise, random);
    const GrayView crop = picture.view().crop({0, 0, size.width, size.height});
    pyramid.make(crop, 3, halve_cpu);
    EXPECT_EQ(pyramid.level(0).data, first);
    expect_levels(pyramid, levels_of(crop, 3));
  }
}

// Two pyramids alternate: the newest frame and the frame before.
TEST(GaussianPyramid, Swap) {
  std::mt19937 random(6);
  GrayImage picture(90, 50), other(33, 44);
  fill(picture.view(), Content::kNoise, random);
  fill(other.view(), Content::kNoise, random);
  GaussianPyramid now, before;
  now.make(picture.view(), 3, halve_cpu);
  const GrayView view = now.level(2);
  now.swap(before);
  EXPECT_EQ(now.levels(), 0);
  EXPECT_EQ(before.level(2).data, view.data);
  now.make(other.view(), 2, halve_cpu);
  expect_levels(before, levels_of(picture.view(), 3));
  expect_levels(now, levels_of(other.view(), 2));
}

}  // namespace
}  // namespace winnow
