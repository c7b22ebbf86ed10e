#include <gtest/gtest.h>

#include "image/gray_rule.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

constexpr ReadOptions kColor{.color = true};

void expect_picture(const Bytes& png, const RgbImage& expected) {
  const Picture picture = decode_picture(png, kColor);
  ASSERT_EQ(picture.gray.size(), expected.size());
  EXPECT_EQ(pixels(picture.color), pixels(expected));
  EXPECT_EQ(pixels(picture.gray), pixels(to_gray(expected.view())));
  const Picture gray_only = decode_picture(png);
  EXPECT_EQ(pixels(gray_only.gray), pixels(picture.gray));
  EXPECT_TRUE(gray_only.color.empty());
}

// Sizes for which some passes of an interlaced picture are empty or have rows that end early.
const Size kSizes[] = {{1, 1}, {2, 1}, {1, 5}, {3, 3}, {5, 9}, {17, 13}};

TEST(Png, ColourWithAndWithoutAlphaAndInterlacing) {
  for (const Size size : kSizes) {
    for (const bool interlaced : {false, true}) {
      const RgbImage image = colorful(size.width, size.height);
      expect_picture(make_png(image, {.interlaced = interlaced}), image);
      expect_picture(make_png(image, {.interlaced = interlaced, .transparent = true}), image);
      std::vector<std::uint8_t> rgba, deep;
      for (const Rgb& p : pixels(image)) {
        rgba.insert(rgba.end(), {p.r, p.g, p.b, 3});
        deep.insert(deep.end(), {p.r, 200, p.g, 0, p.b, 255});
      }
      const auto width = static_cast<std::size_t>(size.width);
      expect_picture(make_png(size.width, size.height, rgba, width * 4,
                              {.type = PNG_COLOR_TYPE_RGB_ALPHA, .interlaced = interlaced}),
                     image);
      expect_picture(
          make_png(size.width, size.height, deep, width * 6, {.depth = 16, .interlaced = interlaced}), image);
    }
  }
}

TEST(Png, GreyOfEveryDepth) {
  for (const Size size : kSizes) {
    for (const bool interlaced : {false, true}) {
      for (const int depth : {1, 2, 4, 8, 16}) {
        for (const bool transparent : {false, true}) {
          const int largest = (1 << std::min(depth, 8)) - 1;
          const std::size_t row_bytes =
              (static_cast<std::size_t>(size.width) * static_cast<std::size_t>(depth) + 7) / 8;
          std::vector<std::uint8_t> rows(row_bytes * static_cast<std::size_t>(size.height));
          GrayImage expected(size.width, size.height);
          for (int y = 0; y < size.height; ++y) {
            for (int x = 0; x < size.width; ++x) {
              const int value = (x * 5 + y * 3 + 1) & largest;
              const std::size_t bit = static_cast<std::size_t>(x) * static_cast<std::size_t>(depth);
              std::uint8_t& byte = rows[static_cast<std::size_t>(y) * row_bytes + bit / 8];
              byte = static_cast<std::uint8_t>(
                  byte | value << (depth >= 8 ? 0 : 8 - depth - static_cast<int>(bit % 8)));
              expected.row(y)[x] = static_cast<std::uint8_t>(value * 255 / largest);
            }
          }
          const PngKind kind{.depth = depth,
                             .type = PNG_COLOR_TYPE_GRAY,
                             .interlaced = interlaced,
                             .transparent = transparent};
          expect_picture(make_png(size.width, size.height, rows, row_bytes, kind), to_color(expected.view()));
        }
      }
    }
  }
}

TEST(Png, GreyWithAlpha) {
  const GrayImage image = grayish(7, 6);
  std::vector<std::uint8_t> rows;
  for (const std::uint8_t v : pixels(image)) rows.insert(rows.end(), {v, 9});
  expect_picture(make_png(7, 6, rows, 14, {.type = PNG_COLOR_TYPE_GRAY_ALPHA}), to_color(image.view()));
}

TEST(Png, Palette) {
  const std::vector<png_color> palette{{1, 2, 3}, {250, 0, 9}, {40, 200, 30}, {255, 255, 255}};
  for (const bool transparent : {false, true}) {
    for (const bool interlaced : {false, true}) {
      const std::vector<std::uint8_t> rows{0b00011011, 0b00000000, 0b11100100, 0b01000000};
      RgbImage expected(5, 2);
      const int index[2][5] = {{0, 1, 2, 3, 0}, {3, 2, 1, 0, 1}};
      for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 5; ++x) {
          const png_color c = palette[static_cast<std::size_t>(index[y][x])];
          expected.row(y)[x] = {c.red, c.green, c.blue};
        }
      }
      expect_picture(make_png(5, 2, rows, 2,
                              {.depth = 2,
                               .type = PNG_COLOR_TYPE_PALETTE,
                               .interlaced = interlaced,
                               .transparent = transparent,
                               .palette = palette}),
                     expected);
    }
  }
}

TEST(Png, EveryShorterFileIsAnError) {
  for (const bool interlaced : {false, true}) {
    const Bytes whole = make_png(
        colorful(9, 8), {.interlaced = interlaced, .exif = make_exif(6, true), .exif_behind_pixels = true});
    EXPECT_NO_THROW(decode_picture(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(decode_picture(std::span(whole).first(size), kColor), Error) << size;
    }
  }
}

TEST(Png, AnyBrokenByteIsAnErrorOrAPicture) {
  const Bytes whole = make_png(colorful(9, 8), {.interlaced = true, .exif = make_exif(6, true)});
  EXPECT_GT(errors_of_broken_bytes(whole), static_cast<int>(whole.size()));
}

// A PNG that ends after its header. The header's checksum is right.
Bytes header_only(std::uint32_t width, std::uint32_t height) {
  std::string chunk = "IHDR";
  for (const std::uint32_t side : {width, height}) {
    for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>(side >> shift & 255);
  }
  chunk += std::string("\x08\0\0\0\0", 5);
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : chunk) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
  }
  std::string text = std::string("\x89PNG\r\n\x1a\n\0\0\0\x0d", 12) + chunk;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(~crc >> shift & 255);
  return bytes_of(text + std::string("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12));
}

TEST(Png, SizesAreCheckedBeforeMemoryIsAskedFor) {
  const auto code = [](const Bytes& bytes) { return error_of([&] { decode_picture(bytes); }).code(); };
  EXPECT_EQ(code(header_only(0x7FFFFFFF, 0x7FFFFFFF)), ErrorCode::kLimit);
  EXPECT_EQ(code(header_only(1 << 28, 1)), ErrorCode::kLimit);
  EXPECT_EQ(code(header_only(1 << 14, 1 << 14)), ErrorCode::kFormat);
  EXPECT_EQ(code(header_only(0, 1)), ErrorCode::kFormat);
  const Bytes small = make_png(colorful(10, 10));
  EXPECT_NO_THROW(decode_picture(small, {.max_pixels = 100}));
  EXPECT_EQ(error_of([&] { decode_picture(small, {.max_pixels = 99}); }).code(), ErrorCode::kLimit);
}

}  // namespace
}  // namespace winnow
