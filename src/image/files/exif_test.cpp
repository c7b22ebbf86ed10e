#include "image/files/exif.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

// EXIF describes an orientation by two sides of the upright picture: `row` is the side at which row 0 of the
// stored picture lies, and `column` the side at which its column 0 lies.
struct Sides {
  char row, column;
};
constexpr Sides kSides[9] = {{},         {'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'},
                             {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}};

// The stored form of an upright picture.
RgbImage stored_form(const RgbImage& upright, int orientation) {
  const Sides sides = kSides[orientation];
  const int width = upright.width(), height = upright.height();
  const bool swapped = orientation >= 5;
  RgbImage stored(swapped ? height : width, swapped ? width : height);
  for (int r = 0; r < stored.height(); ++r) {
    for (int c = 0; c < stored.width(); ++c) {
      int x = 0, y = 0;
      const auto place = [&](char side, int distance) {
        if (side == 't') y = distance;
        if (side == 'b') y = height - 1 - distance;
        if (side == 'l') x = distance;
        if (side == 'r') x = width - 1 - distance;
      };
      place(sides.row, r);
      place(sides.column, c);
      stored.row(r)[c] = upright.row(y)[x];
    }
  }
  return stored;
}

Bytes app1(const Bytes& tiff) { return bytes_of(std::string("Exif\0\0", 6)) + tiff; }

TEST(Exif, PngIsTurnedUpright) {
  for (const Size size : {Size{7, 4}, Size{1, 3}, Size{67, 40}}) {
    const RgbImage upright = colorful(size.width, size.height);
    for (int orientation = 1; orientation <= 8; ++orientation) {
      for (const bool little : {false, true}) {
        for (const bool behind : {false, true}) {
          const Bytes png = make_png(stored_form(upright, orientation),
                                     {.exif = make_exif(orientation, little), .exif_behind_pixels = behind});
          const Picture picture = decode_picture(png, {.color = true});
          ASSERT_EQ(picture.gray.size(), upright.size());
          EXPECT_EQ(pixels(picture.color), pixels(upright)) << orientation;
          EXPECT_EQ(pixels(picture.gray), pixels(to_gray(upright.view()))) << orientation;
        }
      }
    }
  }
}

TEST(Exif, JpegIsTurnedUpright) {
  // Flat areas of 8 x 8, which survive the JPEG at any orientation.
  RgbImage upright(24, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 24; ++x) {
      const auto level = static_cast<std::uint8_t>(20 + 40 * (x / 8 + 3 * (y / 8)));
      upright.row(y)[x] = {level, level, level};
    }
  }
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Bytes jpeg =
        make_jpeg(stored_form(upright, orientation),
                  {.quality = 100, .app1 = app1(make_exif(orientation, orientation % 2 == 0))});
    EXPECT_EQ(jpeg_orientation(jpeg), orientation);
    const Picture picture = decode_picture(jpeg, {.color = true});
    ASSERT_EQ(picture.gray.size(), upright.size());
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 24; ++x) {
        ASSERT_NEAR(picture.gray.row(y)[x], upright.row(y)[x].g, 2) << orientation << ": " << x << ", " << y;
        ASSERT_NEAR(picture.color.row(y)[x].g, upright.row(y)[x].g, 2)
            << orientation << ": " << x << ", " << y;
      }
    }
  }
}

TEST(Exif, OrientationMayBeALongNumber) {
  Bytes exif = make_exif(6, true);
  ASSERT_EQ(exif_orientation(exif), 6);
  exif[8 + 2 + 12 + 2] = std::byte{4};
  EXPECT_EQ(exif_orientation(exif), 6);
}

TEST(Exif, WhatMakesNoSenseMeansUpright) {
  EXPECT_EQ(exif_orientation({}), 1);
  EXPECT_EQ(exif_orientation(make_exif(0, true)), 1);
  EXPECT_EQ(exif_orientation(make_exif(9, false)), 1);
  EXPECT_EQ(exif_orientation(make_exif(0x0106, true)), 1);
  Bytes text = make_exif(6, true);
  text[8 + 2 + 12 + 2] = std::byte{2};  // the type is now a string
  EXPECT_EQ(exif_orientation(text), 1);
  Bytes many = make_exif(6, true);
  many[8 + 2 + 12 + 4] = std::byte{2};  // the count is now two
  EXPECT_EQ(exif_orientation(many), 1);
  for (const bool little : {false, true}) {
    Bytes far = make_exif(6, little);
    for (std::size_t i = 4; i < 8; ++i) far[i] = std::byte{0xFF};
    EXPECT_EQ(exif_orientation(far), 1);
    // The number of entries is larger than the bytes can hold.
    Bytes endless = make_exif(6, little);
    endless[8] = endless[9] = std::byte{0xFF};
    endless[22] = std::byte{0};
    endless[23] = std::byte{0};
    EXPECT_EQ(exif_orientation(endless), 1);
  }
}

TEST(Exif, EveryShorterExifIsHarmless) {
  for (const bool little : {false, true}) {
    const Bytes exif = make_exif(6, little);
    for (std::size_t size = 0; size < exif.size(); ++size) {
      const int orientation =
          exif_orientation(Bytes(exif.begin(), exif.begin() + static_cast<std::ptrdiff_t>(size)));
      EXPECT_EQ(orientation, size >= 8 + 2 + 24 ? 6 : 1) << size;
    }
  }
}

TEST(Exif, BrokenPngChunkMeansUpright) {
  Bytes png = make_png(colorful(3, 2), {.exif = make_exif(6, true)});
  ASSERT_EQ(png_orientation(png), 6);
  for (std::size_t size = 0; size < 8 + 25 + 12 + 38; ++size)
    EXPECT_EQ(png_orientation(std::span(png).first(size)), 1);
  // The chunk follows signature and header: length, name, data, checksum.
  constexpr std::size_t kChunk = 8 + 25;
  for (const std::size_t at : {kChunk, kChunk + 4, kChunk + 8 + 12, kChunk + 8 + 38}) {
    Bytes broken = png;
    broken[at] ^= std::byte{0xFF};
    EXPECT_EQ(png_orientation(broken), 1) << at;
  }
}

TEST(Exif, OnlyTheHeaderIsSearched) {
  EXPECT_EQ(jpeg_orientation({}), 1);
  const Bytes plain = make_jpeg(grayish(8, 8));
  EXPECT_EQ(jpeg_orientation(plain), 1);
  // EXIF data behind the pixels belongs to another picture.
  const Bytes exif = app1(make_exif(6, true));
  const Bytes segment =
      bytes_of(std::string("\xff\xe1\0", 3)) + Bytes{static_cast<std::byte>(exif.size() + 2)} + exif;
  EXPECT_EQ(jpeg_orientation(plain + segment), 1);
  const Bytes start(plain.begin(), plain.begin() + 2), rest(plain.begin() + 2, plain.end());
  EXPECT_EQ(jpeg_orientation(start + segment + rest), 6);
  for (std::size_t cut = 0; cut < segment.size(); ++cut) {
    EXPECT_EQ(
        jpeg_orientation(start + Bytes(segment.begin(), segment.begin() + static_cast<std::ptrdiff_t>(cut))),
        1);
  }
}

}  // namespace
}  // namespace winnow
