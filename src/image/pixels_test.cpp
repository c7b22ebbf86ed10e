#include <gtest/gtest.h>
#include <winnow/image.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace winnow {
namespace {

TEST(Pixels, LargeImagesBeginALargePage) {
  constexpr std::uintptr_t kLargePage = 2 << 20;
  for (const auto& [width, height] : {std::pair(2048, 2048), std::pair(2049, 2048), std::pair(4000, 4000)}) {
    Image<std::uint32_t> image(width, height);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(image.row(0)) % kLargePage, 0u);
    EXPECT_TRUE(std::all_of(image.row(0), image.row(0) + width * height, [](auto v) { return v == 0; }));
    image.row(height - 1)[width - 1] = 7;
    const Image<std::uint32_t> copy = image.clone();
    EXPECT_NE(copy.row(0), image.row(0));
    EXPECT_EQ(copy.row(height - 1)[width - 1], 7u);
    image = Image<std::uint32_t>(3, 3);
    EXPECT_EQ(copy.row(height - 1)[width - 1], 7u);
  }
}

TEST(Pixels, WhatWasMovedIsEmpty) {
  GrayImage image(10, 7);
  GrayImage taken = std::move(image);
  EXPECT_EQ(taken.size(), (Size{10, 7}));
  EXPECT_TRUE(image.empty());  // NOLINT
  EXPECT_EQ(image.size(), (Size{0, 0}));
  EXPECT_EQ(image.clone().size(), (Size{0, 0}));
  image = std::move(taken);
  EXPECT_EQ(image.size(), (Size{10, 7}));
  EXPECT_EQ(taken.size(), (Size{0, 0}));
}

TEST(Pixels, AnImageThatIsMovedToItselfStays) {
  GrayImage image(10, 7);
  image.row(6)[9] = 5;
  GrayImage& same = image;
  image = std::move(same);
  ASSERT_EQ(image.size(), (Size{10, 7}));
  ASSERT_FALSE(image.empty());
  EXPECT_EQ(image.row(6)[9], 5);
}

TEST(Pixels, MoreThanThereCanBeIsAnError) {
  PixelMemory<Rgb> memory;
  EXPECT_THROW(memory.allocate(SIZE_MAX / 2), std::bad_alloc);
}

}  // namespace
}  // namespace winnow
