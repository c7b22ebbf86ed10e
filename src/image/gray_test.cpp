#include <gtest/gtest.h>

#include <vector>

#include "image/gray_rule.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

TEST(Gray, RuleKeepsGreyAndWeighsColours) {
  for (int v = 0; v < 256; ++v) {
    const auto level = static_cast<std::uint8_t>(v);
    EXPECT_EQ(gray_of({level, level, level}), level);
  }
  EXPECT_EQ(gray_of({255, 0, 0}), 76);
  EXPECT_EQ(gray_of({0, 255, 0}), 150);
  EXPECT_EQ(gray_of({0, 0, 255}), 29);
}

TEST(Gray, ReadsViewsWithAnyStride) {
  const RgbImage whole = colorful(9, 7);
  const RgbView crop = whole.view().crop({2, 1, 5, 4});
  const GrayImage gray = to_gray(crop);
  ASSERT_EQ(gray.size(), (Size{5, 4}));
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 5; ++x) EXPECT_EQ(gray.row(y)[x], gray_of(whole.row(y + 1)[x + 2]));
  }
}

// Rows of 1 to 79 pixels of many colours: rows end at every place in a SIMD vector.
TEST(Gray, RowsFollowTheRule) {
  for (int width = 1; width < 80; ++width) {
    RgbImage image(width, 3);
    std::vector<std::uint8_t> bgr;
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto channel = [&](int by) { return static_cast<std::uint8_t>(x * by + y * 85 + width * 37); };
        image.row(y)[x] = {channel(3), channel(71), channel(113)};
        bgr.insert(bgr.end(), {image.row(y)[x].b, image.row(y)[x].g, image.row(y)[x].r});
      }
    }
    const GrayImage gray = to_gray(image.view());
    const RgbImage swapped = from_bgr(bgr.data(), {width, 3}, 3 * width);
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(gray.row(y)[x], gray_of(image.row(y)[x])) << width << ", " << x;
        ASSERT_EQ(swapped.row(y)[x], image.row(y)[x]) << width << ", " << x;
      }
    }
  }
}

TEST(Gray, ColourOfGreyHasThreeEqualChannels) {
  const GrayImage gray = grayish(6, 5);
  const RgbImage color = to_color(gray.view());
  ASSERT_EQ(color.size(), gray.size());
  EXPECT_EQ(pixels(to_gray(color.view())), pixels(gray));
  EXPECT_EQ(color.row(3)[4], (Rgb{gray.row(3)[4], gray.row(3)[4], gray.row(3)[4]}));
}

TEST(Gray, EmptyStaysEmpty) {
  EXPECT_TRUE(to_gray(RgbView{}).empty());
  EXPECT_TRUE(to_color(GrayView{}).empty());
}

}  // namespace
}  // namespace winnow
