#include "image/warp_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "image/texture_for_test.h"

namespace winnow {
namespace {

using sample::pixels;

GrayImage even(int width, int height, std::uint8_t grey) {
  GrayImage image(width, height);
  std::fill_n(image.row(0), width * height, grey);
  return image;
}

GrayImage warped(GrayView picture, GrayView negative, const WarpBounds& bounds, std::uint64_t seed,
                 Size size = {24, 24}) {
  GrayImage window(size.width, size.height);
  Random random(seed);
  warp_picture(picture, negative, bounds, random, window.view());
  return window;
}

WarpBounds flat() { return {0, 0, 0, 0}; }

TEST(WarpPicture, UnturnedFillsTheWindow) {
  const GrayImage window = warped(even(48, 48, 200).view(), even(90, 90, 10).view(), flat(), 3);
  for (const int pixel : pixels(window.view())) EXPECT_EQ(pixel, 200);
}

TEST(WarpPicture, AnotherShapeLeavesTheNegativeAtTheSides) {
  const GrayImage window = warped(even(24, 48, 200).view(), even(90, 90, 10).view(), flat(), 3);
  EXPECT_EQ(window.row(12)[1], 10);
  EXPECT_EQ(window.row(12)[12], 200);
  EXPECT_EQ(window.row(12)[22], 10);
}

TEST(WarpPicture, ClearColoursShowTheNegative) {
  GrayImage picture = even(48, 48, 250);
  for (int y = 12; y < 36; ++y) std::fill_n(picture.row(y) + 12, 24, 60);
  WarpBounds bounds = flat();
  bounds.background = 255, bounds.background_tolerance = 10;
  const GrayImage window = warped(picture.view(), even(90, 90, 130).view(), bounds, 3);
  EXPECT_EQ(window.row(2)[2], 130);
  EXPECT_EQ(window.row(12)[12], 60);
  bounds.background_tolerance = 4;
  EXPECT_EQ(warped(picture.view(), even(90, 90, 130).view(), bounds, 3).row(2)[2], 250);
}

TEST(WarpPicture, TurnsAndLightVaryWithinTheirBounds) {
  WarpBounds bounds;
  const GrayImage picture = even(100, 100, 128), negative = even(90, 90, 0);
  int lightest = 0, darkest = 255;
  std::size_t least = 1000;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const GrayImage window = warped(picture.view(), negative.view(), bounds, seed);
    const int middle = window.row(12)[12];
    lightest = std::max(lightest, middle), darkest = std::min(darkest, middle);
    std::size_t covered = 0;
    for (const int pixel : pixels(window.view())) covered += pixel > 40;
    least = std::min(least, covered);
  }
  EXPECT_LE(lightest, 168);
  EXPECT_GT(lightest, 160);
  EXPECT_GE(darkest, 88);
  EXPECT_LT(darkest, 96);
  EXPECT_GT(least, 100u);  // the picture is never seen from its edge
  EXPECT_LT(least, 400u);  // some pictures are turned
}

TEST(WarpPicture, TheWholePictureIsSeen) {
  // The corners are white. However the picture is turned, both the upper and the lower half of the window
  // show white.
  GrayImage picture = even(100, 100, 128);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      if ((x < 25 || x >= 75) && (y < 25 || y >= 75)) picture.row(y)[x] = 255;
    }
  }
  WarpBounds bounds;
  bounds.intensity = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const GrayImage window = warped(picture.view(), even(90, 90, 0).view(), bounds, seed, {48, 48});
    int bright = 0;
    for (int half = 0; half < 2; ++half) {
      bool seen = false;
      for (int y = 24 * half; y < 24 + 24 * half; ++y)
        seen |= *std::max_element(window.row(y), window.row(y) + 48) > 230;
      bright += seen;
    }
    EXPECT_EQ(bright, 2) << seed;
  }
}

}  // namespace
}  // namespace winnow
