#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <set>

#include "image/font.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

constexpr Rgb kRed{255, 0, 0};

// The picture as text, one character a pixel.
std::string dots(const RgbImage& image) {
  std::string text;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) text += image.row(y)[x] == kRed ? '#' : '.';
    text += '\n';
  }
  return text;
}

std::string box_dots(const Box& box, int thickness) {
  RgbImage image(8, 6);
  draw_box(image.view(), box, kRed, thickness);
  return dots(image);
}

TEST(Draw, BoxInside) {
  EXPECT_EQ(box_dots({1, 1, 6, 4}, 1), "........\n.######.\n.#....#.\n.#....#.\n.######.\n........\n");
  EXPECT_EQ(box_dots({0, 0, 8, 6}, 2), "########\n########\n##....##\n##....##\n########\n########\n");
}

TEST(Draw, BoxThatIsCutOrTooSmallForItsFrame) {
  EXPECT_EQ(box_dots({-2, -2, 6, 5}, 1), "...#....\n...#....\n####....\n........\n........\n........\n");
  EXPECT_EQ(box_dots({5, 3, 9, 9}, 1), "........\n........\n........\n.....###\n.....#..\n.....#..\n");
  EXPECT_EQ(box_dots({2, 2, 3, 2}, 9), "........\n........\n..###...\n..###...\n........\n........\n");
  EXPECT_EQ(box_dots({4, 4, 1, 1}, 1), "........\n........\n........\n........\n....#...\n........\n");
}

TEST(Draw, BoxOutsideOrEmptyPaintsNothing) {
  const std::string nothing = box_dots({0, 0, 0, 0}, 1);
  EXPECT_EQ(nothing.find('#'), std::string::npos);
  for (const Box& box : {Box{8, 0, 3, 3}, Box{0, 6, 3, 3}, Box{-3, 0, 3, 3}, Box{1, 1, -4, 3},
                         Box{1, 1, 3, 0}, Box{INT_MAX, INT_MAX, INT_MAX, INT_MAX},
                         Box{INT_MIN, INT_MIN, INT_MAX, INT_MAX}, Box{-5, -5, INT_MAX, INT_MAX}}) {
    EXPECT_EQ(box_dots(box, 1), nothing);
  }
  EXPECT_EQ(box_dots({-5, 2, INT_MAX, INT_MAX}, INT_MAX).substr(18),
            std::string("########\n########\n########\n########\n"));
  draw_box({}, {0, 0, 1, 1}, kRed);
}

TEST(Draw, OnlyTheViewIsPainted) {
  RgbImage image(8, 6);
  draw_box(image.view().crop({2, 1, 4, 3}), {-9, -9, 99, 99}, kRed, 20);
  EXPECT_EQ(dots(image), "........\n..####..\n..####..\n..####..\n........\n........\n");
}

TEST(Draw, TextIsDrawnDotByDot) {
  RgbImage image(12, 9);
  draw_text(image.view(), 1, 1, "L!", kRed, 1);
  EXPECT_EQ(dots(image),
            "............\n"
            ".#.......#..\n"
            ".#.......#..\n"
            ".#.......#..\n"
            ".#.......#..\n"
            ".#.......#..\n"
            ".#..........\n"
            ".#####...#..\n"
            "............\n");
}

TEST(Draw, TextIsScaled) {
  RgbImage small(6, 7), large(18, 21);
  draw_text(small.view(), 0, 0, "R", kRed, 1);
  draw_text(large.view(), 0, 0, "R", kRed, 3);
  for (int y = 0; y < 21; ++y) {
    for (int x = 0; x < 18; ++x) EXPECT_EQ(large.row(y)[x], small.row(y / 3)[x / 3]);
  }
}

TEST(Draw, UnknownCharactersAreOneHollowBoxEach) {
  for (const char* text : {"\x01", "\x7f", "\xc3\xa4", "\xe2\x82\xac", "\x80"}) {
    RgbImage image(12, 7);
    draw_text(image.view(), 0, 0, text, kRed, 1);
    EXPECT_EQ(
        dots(image),
        "#####.......\n#...#.......\n#...#.......\n#...#.......\n#...#.......\n#...#.......\n#####.......\n");
  }
}

TEST(Draw, EveryLetterHasItsOwnShape) {
  std::set<Glyph> seen{glyph_of(0)};
  for (int c = 0x20; c < 0x7F; ++c) {
    const Glyph& glyph = glyph_of(static_cast<unsigned char>(c));
    EXPECT_TRUE(seen.insert(glyph).second) << static_cast<char>(c);
    for (const std::uint8_t row : glyph) EXPECT_LT(row, 32);
  }
}

TEST(Draw, TextOutsideIsCut) {
  for (const auto& [x, y, scale] :
       {std::array{-3, -3, 1}, std::array{6, 4, 1}, std::array{-30, 2, 1}, std::array{INT_MAX, 0, 1},
        std::array{INT_MIN, INT_MIN, 2}, std::array{0, 0, INT_MAX}, std::array{-1, INT_MAX, INT_MAX}}) {
    RgbImage large(24, 20), image(8, 6);
    draw_text(image.view(), x, y, "HHHHHH", kRed, scale);
    if (scale > 1 || y > 100 || x > 100) continue;
    draw_text(large.view(), x + 8, y + 7, "HHHHHH", kRed, scale);
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 8; ++c) EXPECT_EQ(image.row(r)[c], large.row(r + 7)[c + 8]);
    }
  }
}

TEST(Draw, LinesHaveRoundEnds) {
  RgbImage image(9, 7);
  draw_line(image.view(), {2.5, 3.5}, {6.5, 3.5}, kRed, 1);
  draw_line(image.view(), {4.5, 0.5}, {4.5, 0.5}, kRed, 1);
  int count = 0;
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 9; ++x) {
      const bool red = image.row(y)[x] == kRed;
      count += red ? 1 : 0;
      EXPECT_TRUE(y != 3 || red == (x >= 2 && x <= 6)) << x;
    }
  EXPECT_EQ(count, 6);  // five on the line, and the dot
  RgbImage thick(20, 20);
  draw_line(thick.view(), {4, 4}, {16, 16}, kRed, 6);
  EXPECT_EQ(thick.row(2)[2], kRed);   // within 3 pixels of an end
  EXPECT_NE(thick.row(1)[1], kRed);   // the corner beyond the round end
  EXPECT_EQ(thick.row(12)[8], kRed);  // 2.8 pixels beside the line
  EXPECT_NE(thick.row(13)[7], kRed);
}

TEST(Draw, LinesOutsideAreCut) {
  RgbImage image(5, 5);
  draw_line(image.view(), {-1e9, 2.5}, {1e9, 2.5}, kRed, 1);
  for (int x = 0; x < 5; ++x) EXPECT_EQ(image.row(2)[x], kRed);
  draw_line(image.view(), {1e300, 1e300}, {-1e300, 9e9}, kRed, 3);
  draw_line(RgbImage().view(), {0, 0}, {3, 3}, kRed, 3);
}

TEST(Draw, SenselessThicknessIsRefused) {
  RgbImage image(4, 4);
  EXPECT_EQ(error_of([&] { draw_line(image.view(), {0, 0}, {2, 2}, kRed, 0); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] {
              draw_line(image.view(), {0, std::nan("")}, {2, 2}, kRed);
            }).code(),
            ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] { draw_box(image.view(), {0, 0, 2, 2}, kRed, 0); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] { draw_text(image.view(), 0, 0, "a", kRed, 0); }).code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace winnow
