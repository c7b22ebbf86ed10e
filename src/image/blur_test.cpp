#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <random>

#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

RgbImage noise(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  RgbImage image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto level = [&] { return static_cast<std::uint8_t>(random() & 255); };
      const std::uint8_t r = level(), g = level();
      image.row(y)[x] = {r, g, level()};
    }
  }
  return image;
}

TEST(Blur, NothingButTheMeansIsLeft) {
  // The pixels of each cell of 10 x 10 are shuffled. The detail differs, but the means are equal, so the
  // results must be equal.
  RgbImage first = noise(60, 60, 1);
  RgbImage second = first.clone();
  std::mt19937 random(2);
  for (int cell_y = 0; cell_y < 6; ++cell_y) {
    for (int cell_x = 0; cell_x < 6; ++cell_x) {
      std::vector<Rgb> cell;
      for (int i = 0; i < 100; ++i) cell.push_back(first.row(cell_y * 10 + i / 10)[cell_x * 10 + i % 10]);
      std::shuffle(cell.begin(), cell.end(), random);
      for (int i = 0; i < 100; ++i)
        second.row(cell_y * 10 + i / 10)[cell_x * 10 + i % 10] = cell[static_cast<std::size_t>(i)];
    }
  }
  ASSERT_NE(pixels(first), pixels(second));
  blur_box(first.view(), {0, 0, 60, 60});
  blur_box(second.view(), {0, 0, 60, 60});
  EXPECT_EQ(pixels(first), pixels(second));
}

TEST(Blur, NeighboursDifferLittle) {
  RgbImage board(60, 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      const std::uint8_t level = (x / 2 + y / 2) % 2 == 0 ? 255 : 0;
      board.row(y)[x] = {level, level, level};
    }
  }
  blur_box(board.view(), {0, 0, 60, 60});
  for (const Rgb& p : pixels(board)) EXPECT_NEAR(p.r, 128, 12);
}

TEST(Blur, CoarseShapeAndColourStay) {
  RgbImage image(48, 48);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 48; ++x) image.row(y)[x] = x < 24 ? Rgb{200, 10, 30} : Rgb{20, 180, 90};
  }
  blur_box(image.view(), {0, 0, 48, 48});
  EXPECT_EQ(image.row(20)[2], (Rgb{200, 10, 30}));
  EXPECT_EQ(image.row(20)[45], (Rgb{20, 180, 90}));
  // The edge has become a slope as wide as a cell.
  for (int x = 20; x < 27; ++x) EXPECT_GT(image.row(20)[x].r, image.row(20)[x + 1].r);
}

TEST(Blur, NothingOutsideTheBoxChanges) {
  const RgbImage before = noise(40, 30, 3);
  for (const Box& box :
       {Box{5, 4, 20, 17}, Box{-10, -8, 30, 20}, Box{30, 20, 100, 100}, Box{-50, -50, 500, 500},
        Box{39, 29, 1, 1}, Box{-5, -5, INT_MAX, INT_MAX}, Box{3, 3, 30, 1}}) {
    RgbImage after = before.clone();
    blur_box(after.view(), box);
    bool changed = false;
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const bool inside = x >= box.x && y >= box.y && x < std::int64_t{box.x} + box.width &&
                            y < std::int64_t{box.y} + box.height;
        if (!inside) {
          ASSERT_EQ(after.row(y)[x], before.row(y)[x]);
        }
        changed = changed || after.row(y)[x] != before.row(y)[x];
      }
    }
    EXPECT_EQ(changed, box.width > 1);  // a single pixel is its own mean
  }
}

TEST(Blur, BoxesOutsideDoNothing) {
  const RgbImage before = noise(10, 10, 4);
  RgbImage after = before.clone();
  for (const Box& box : {Box{10, 0, 5, 5}, Box{0, -5, 5, 5}, Box{2, 2, 0, 5}, Box{2, 2, 5, -1},
                         Box{INT_MAX, 1, INT_MAX, 1}, Box{INT_MIN, INT_MIN, INT_MAX, INT_MAX}}) {
    blur_box(after.view(), box);
  }
  blur_box({}, {0, 0, 5, 5});
  EXPECT_EQ(pixels(after), pixels(before));
}

TEST(Blur, SmallAndCutBoxesLoseTheirDetailToo) {
  // The visible piece of each box is a single cell, so the board becomes one colour.
  for (const auto& [size, box] :
       {std::pair<Size, Box>{{6, 6}, {0, 0, 6, 6}}, std::pair<Size, Box>{{3, 5}, {0, 0, 3, 5}},
        std::pair<Size, Box>{{12, 12}, {-60, -60, 72, 72}}}) {
    RgbImage board(size.width, size.height);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        if ((x + y) % 2 == 0) board.row(y)[x] = {200, 200, 200};
      }
    }
    blur_box(board.view(), box);
    const std::vector<Rgb> all = pixels(board);
    EXPECT_EQ(std::count(all.begin(), all.end(), all[0]), static_cast<std::ptrdiff_t>(all.size()));
  }
}

}  // namespace
}  // namespace winnow
