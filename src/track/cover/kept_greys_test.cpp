// Tests `KeptGreys`: which frames are kept, and how much memory they take.
#include "track/cover/kept_greys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace winnow {
namespace {

GrayImage frame_of(Size size, int value) {
  GrayImage frame(size.width, size.height);
  for (int y = 0; y < size.height; ++y)
    std::fill_n(frame.row(y), size.width, static_cast<std::uint8_t>(value));
  return frame;
}

TEST(KeptGreys, KeepTheNewestFramesInBothBounds) {
  for (const auto& [bytes, frames, kept] :
       {std::tuple<std::int64_t, std::size_t, std::size_t>{10 * 48, 100, 10},
        {10 * 48 - 1, 100, 9},
        {10 * 48, 4, 4},
        {0, 100, 2}}) {
    KeptGreys greys(bytes, frames);
    for (int number = 0; number < 10'000; ++number) {
      greys.keep(frame_of({8, 6}, number % 251).view());
      ASSERT_EQ(greys.size(), std::min<std::size_t>(kept, static_cast<std::size_t>(number) + 1));
      ASSERT_EQ(greys.bytes(), static_cast<std::int64_t>(48 * greys.size()));
      for (std::size_t back = 0; back < greys.size(); ++back)
        ASSERT_EQ(greys.back(back).row(5)[7], (number - static_cast<int>(back)) % 251);
    }
  }
}

TEST(KeptGreys, AnotherSizeAndAnEmptyFrameDropAll) {
  KeptGreys greys(1'000'000, 100);
  greys.keep(frame_of({8, 6}, 1).view());
  greys.keep(frame_of({8, 6}, 2).view());
  EXPECT_EQ(greys.size(), 2U);
  greys.keep(frame_of({6, 8}, 3).view());
  ASSERT_EQ(greys.size(), 1U);
  EXPECT_EQ(greys.back(0).row(0)[0], 3);
  greys.keep({});
  EXPECT_EQ(greys.size(), 0U);
  greys.keep(frame_of({6, 8}, 4).view());
  EXPECT_EQ(greys.size(), 1U);
  greys.clear();
  EXPECT_EQ(greys.size(), 0U);
}

TEST(KeptGreys, CopyRowsOfAnyStride) {
  const GrayImage whole = frame_of({9, 5}, 7);
  KeptGreys greys(1'000, 3);
  greys.keep(whole.view().crop({2, 1, 4, 3}));
  EXPECT_EQ(greys.back(0).size(), (Size{4, 3}));
  EXPECT_EQ(greys.back(0).row(2)[3], 7);
}

}  // namespace
}  // namespace winnow
