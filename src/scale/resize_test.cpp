#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "base/simd.h"
#include "base/simd_for_test.h"
#include "scale/frames/fenced_picture_for_test.h"
#include "scale/resize.h"

namespace winnow {
namespace {

void fill(ImageView<std::uint8_t> picture, std::mt19937& random) {
  const bool hard = random() % 2 == 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      picture.row(y)[x] = static_cast<std::uint8_t>(hard ? 255 * (random() % 2) : random());
    }
  }
}

// Compares all rows of the level, in strips of `strip` columns, with the reference.
void compare(GrayView source, Size size, int strip) {
  GrayImage wanted(size.width, size.height);
  resize_ref(source, wanted.view());
  ResizeColumns columns;
  make_columns(source.width, size.width, columns);
  columns.same = source.size() == size;
  for (int first = 0; first < size.width; first += strip) {
    const int count = std::min(strip, size.width - first);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(count) + 32);
    ResizeRows rows;
    for (int y = 0; y < size.height; ++y) {
      resize_row_cpu(source, size.height, columns, first, count, y, rows, row.data());
      for (int x = 0; x < count; ++x) {
        ASSERT_EQ(row[static_cast<std::size_t>(x)], wanted.row(y)[first + x])
            << source.width << "x" << source.height << " to " << size.width << "x" << size.height << ", row "
            << y << ", column " << first + x << ", " << simd_target();
      }
    }
  }
}

TEST(Resize, RowsOfSmallPicturesEqualTheReference) {
  const sample::GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (unsigned seed = 0; seed < 150; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      std::mt19937 random(seed);
      const Size from{1 + static_cast<int>(random() % 70), 1 + static_cast<int>(random() % 70)};
      const Size to{1 + static_cast<int>(random() % static_cast<unsigned>(from.width)),
                    1 + static_cast<int>(random() % static_cast<unsigned>(from.height))};
      const FencedPicture source(from.width, from.height, from.width + static_cast<int>(random() % 3) * 7);
      fill(source.view(), random);
      compare(source.view(), to, 16 * (1 + static_cast<int>(random() % 4)));
      if (HasFatalFailure()) return;
    }
  }
}

// Small widths cover loads of 8 columns, of 4 and of single columns.
TEST(Resize, EveryWidthToEverySmallerOne) {
  const sample::GiveTargetBack give_back;
  std::mt19937 random(1);
  for (int width = 1; width <= 70; ++width) {
    const FencedPicture source(width, 2, width);
    fill(source.view(), random);
    for (int to = 1; to <= width; ++to) {
      compare(source.view(), {to, 1 + to % 2}, 64);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Resize, ScalesOfRealLevels) {
  const sample::GiveTargetBack give_back;
  std::mt19937 random(2);
  const FencedPicture source(1283, 40, 1300);
  fill(source.view(), random);
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    for (const double scale :
         {1.0, 1.0008, 1.05, 1.1, 1.61, 1.87, 2.1, 2.9, 3.7, 4.2, 7.3, 15.9, 40.0, 600.0, 1283.0}) {
      SCOPED_TRACE(scale);
      compare(source.view(),
              {std::max(1, static_cast<int>(std::lrint(1283 / scale))),
               std::max(1, static_cast<int>(std::lrint(40 / scale)))},
              640);
      if (HasFatalFailure()) return;
    }
  }
}

// The level differs from the picture in one side only.
TEST(Resize, OneDirection) {
  const sample::GiveTargetBack give_back;
  std::mt19937 random(3);
  const FencedPicture source(50, 37, 50);
  fill(source.view(), random);
  for (const Size size : {Size{50, 37}, Size{50, 36}, Size{49, 37}, Size{50, 1}, Size{1, 37}}) {
    compare(source.view(), size, 32);
    if (HasFatalFailure()) return;
  }
}

// Compares the rule with means that were computed by hand.
TEST(Resize, AHalfSizedRowByHand) {
  const std::uint8_t pixels[2][4] = {{0, 10, 20, 31}, {100, 110, 120, 131}};
  const GrayView source{pixels[0], 4, 2, 4};
  GrayImage half(2, 1);
  resize_ref(source, half.view());
  EXPECT_EQ(half.row(0)[0], 55);  // the mean of 0 10 100 110
  EXPECT_EQ(half.row(0)[1], 76);  // 75.5: half rounds up
  GrayImage same(4, 2);
  resize_ref(source, same.view());
  EXPECT_EQ(std::memcmp(same.row(0), pixels, 8), 0);
}

// Taps also stay inside if the target is larger than the source. Then the outermost taps repeat the edge.
TEST(Resize, TapsStayInside) {
  for (int source = 1; source <= 40; ++source) {
    for (int target = 1; target <= 4 * source; ++target) {
      for (int at = 0; at < target; ++at) {
        const ResizeTap tap = resize_tap(at, source, target);
        ASSERT_GE(tap.offset, 0);
        ASSERT_LE(tap.offset + (tap.weight > 0 ? 1 : 0), source - 1);
        ASSERT_GE(tap.weight, 0);
        ASSERT_LE(tap.weight, 256);
      }
    }
  }
}

}  // namespace
}  // namespace winnow
