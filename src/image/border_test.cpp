#include "image/border.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace winnow {
namespace {

std::string bordered_row(const std::string& row, int margin) {
  const auto* pixels = reinterpret_cast<const std::uint8_t*>(row.data());
  const int width = static_cast<int>(row.size());
  GrayImage copy(width + 2 * margin, 1 + 2 * margin);
  add_border(GrayView{pixels, width, 1, width}, margin, copy.view());
  for (int y = 1; y < copy.height(); ++y)
    EXPECT_EQ(std::memcmp(copy.row(0), copy.row(y), static_cast<std::size_t>(copy.width())), 0) << y;
  return {reinterpret_cast<const char*>(copy.row(0)), static_cast<std::size_t>(copy.width())};
}

TEST(Border, MirrorsAboutTheOutermostPixels) {
  EXPECT_EQ(bordered_row("abcd", 0), "abcd");
  EXPECT_EQ(bordered_row("abcd", 1), "babcdc");
  EXPECT_EQ(bordered_row("abcd", 3), "dcbabcdcba");
}

TEST(Border, ABorderWiderThanThePictureIsMirroredAgain) {
  EXPECT_EQ(bordered_row("abc", 6), "cbabcbabcbabcba");
  EXPECT_EQ(bordered_row("ab", 3), "babababa");
  EXPECT_EQ(bordered_row("a", 2), "aaaaa");
}

TEST(Border, RowsAndColumnsOfEveryStride) {
  GrayImage whole(9, 8);
  RgbImage color(9, 8);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 9; ++x) {
      whole.row(y)[x] = static_cast<std::uint8_t>(16 * y + x);
      color.row(y)[x] = {static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(x), 7};
    }
  }
  const Box box{2, 1, 5, 6};
  const int margin = 4;
  GrayImage copy(5 + 2 * margin, 6 + 2 * margin);
  RgbImage color_copy(copy.width(), copy.height());
  add_border(whole.view().crop(box), margin, copy.view());
  add_border(color.view().crop(box), margin, color_copy.view());
  const auto mirrored = [](int at, int size) { return at < 0 ? -at : at < size ? at : 2 * size - 2 - at; };
  for (int y = 0; y < copy.height(); ++y) {
    for (int x = 0; x < copy.width(); ++x) {
      const int from_x = 2 + mirrored(x - margin, 5), from_y = 1 + mirrored(y - margin, 6);
      ASSERT_EQ(copy.row(y)[x], whole.row(from_y)[from_x]) << x << ' ' << y;
      ASSERT_EQ(color_copy.row(y)[x], color.row(from_y)[from_x]) << x << ' ' << y;
    }
  }
}

TEST(Border, TheMarginIsAFractionOfTheLongerSide) {
  EXPECT_EQ(border_margin({100, 640}, 0.2), 128);
  EXPECT_EQ(border_margin({640, 100}, 1), 640);
  EXPECT_EQ(border_margin({3, 5}, 0.1), 0);
  EXPECT_EQ(border_margin({640, 480}, 0), 0);
  EXPECT_EQ(border_margin({0, 480}, 0.5), 0);
}

}  // namespace
}  // namespace winnow
