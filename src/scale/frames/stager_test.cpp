#include "scale/frames/stager.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace winnow {
namespace {

// Each pixel depends on its position and on the picture's number.
GrayImage numbered(Size size, int number) {
  GrayImage picture(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x)
      picture.row(y)[x] = static_cast<std::uint8_t>(x * 7 + y * 13 + number * 31 + x * y % 11);
  }
  return picture;
}

// Bytes that pad a row, and bytes behind the last row, must keep this value.
constexpr std::uint8_t kUntouched = 0xa5;

void expect_staged(const std::vector<GrayView>& pictures, const std::vector<std::uint8_t>& frames) {
  const auto pitch = static_cast<std::size_t>(frame_pitch(pictures.front().width));
  std::size_t row = 0;
  for (const GrayView& picture : pictures) {
    for (int y = 0; y < picture.height; ++y, ++row) {
      for (std::size_t x = 0; x < pitch; ++x) {
        const bool inside = x < static_cast<std::size_t>(picture.width);
        ASSERT_EQ(frames[row * pitch + x], inside ? picture.row(y)[x] : kUntouched) << row << ", " << x;
      }
    }
  }
  for (std::size_t i = row * pitch; i < frames.size(); ++i) ASSERT_EQ(frames[i], kUntouched);
}

TEST(Stager, AllRowsOfAllPictures) {
  Stager stager;
  // The sizes give one piece, several pieces per picture, and several pictures per piece. Some rows have
  // padding.
  for (const Size size : {Size{1, 1}, Size{97, 75}, Size{640, 480}, Size{641, 479}, Size{1920, 1083}}) {
    for (const int count : {1, 2, 7, 33}) {
      if (size.width > 1000 && count > 2) continue;
      std::vector<GrayImage> images;
      std::vector<GrayView> views;
      for (int i = 0; i < count; ++i) images.push_back(numbered(size, i));
      for (const GrayImage& image : images) views.push_back(image.view());
      std::vector<std::uint8_t> frames(static_cast<std::size_t>(frame_bytes(size) * count) + 64, kUntouched);
      stager.stage(std::vector<PictureView>(views.begin(), views.end()), frames.data());
      expect_staged(views, frames);
    }
  }
}

TEST(Stager, SomeRowsOfACrop) {
  Stager stager;
  const GrayImage image = numbered({2000, 1500}, 3);
  const GrayView crop = image.view().crop({101, 17, 1777, 1400});
  for (const RowRange rows : {RowRange{0, 1400}, RowRange{5, 6}, RowRange{700, 1400}, RowRange{9, 9}}) {
    std::vector<std::uint8_t> frames(
        static_cast<std::size_t>(frame_pitch(crop.width) * (rows.last - rows.first)) + 64, kUntouched);
    stager.stage(crop, rows, frames.data());
    if (rows.first == rows.last) {
      EXPECT_EQ(frames, std::vector<std::uint8_t>(64, kUntouched));
    } else {
      expect_staged({crop.crop({0, rows.first, crop.width, rows.last - rows.first})}, frames);
    }
  }
}

}  // namespace
}  // namespace winnow
