#include <gtest/gtest.h>

#include <functional>

#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

void put(Bytes& bytes, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 255));
}

struct BmpKind {
  int bits = 24;
  std::uint32_t header = 40;  // its size
  std::uint32_t compression = 0;
  std::vector<std::uint32_t> masks{};
  std::vector<Rgb> palette{};
  std::uint32_t colors = 0;  // as the header says
};

// `pixels`: the bytes of the pixels as they lie in the file.
Bytes make_bmp(std::int32_t width, std::int32_t height, const Bytes& pixels, const BmpKind& kind) {
  const bool old = kind.header == 12;
  const auto behind = static_cast<std::uint32_t>((kind.header == 40 ? kind.masks.size() * 4 : 0) +
                                                 kind.palette.size() * (old ? 3 : 4));
  Bytes bytes = bytes_of("BM");
  const std::uint32_t at = 14 + kind.header + behind;
  put(bytes, at + static_cast<std::uint32_t>(pixels.size()), 4);
  put(bytes, 0, 4), put(bytes, at, 4), put(bytes, kind.header, 4);
  put(bytes, static_cast<std::uint32_t>(width), old ? 2 : 4);
  put(bytes, static_cast<std::uint32_t>(height), old ? 2 : 4);
  put(bytes, 1, 2), put(bytes, static_cast<std::uint32_t>(kind.bits), 2);
  if (!old) {
    put(bytes, kind.compression, 4), put(bytes, 0, 4), put(bytes, 2835, 4), put(bytes, 2835, 4);
    put(bytes, kind.colors, 4), put(bytes, 0, 4);
  }
  for (const std::uint32_t mask : kind.masks) put(bytes, mask, 4);
  while (bytes.size() < 14 + kind.header) bytes.push_back(std::byte{0x55});
  for (const Rgb& c : kind.palette) {
    put(bytes, c.b, 1), put(bytes, c.g, 1), put(bytes, c.r, 1);
    if (!old) put(bytes, 0x77, 1);
  }
  return bytes + pixels;
}

// Rows of packed pixels, padded to 4 bytes, the last row first.
Bytes rows_of(const RgbImage& image, int bits, const std::function<std::uint32_t(Rgb)>& pixel,
              bool top_down = false) {
  Bytes bytes;
  for (int i = 0; i < image.height(); ++i) {
    const Rgb* row = image.row(top_down ? i : image.height() - 1 - i);
    for (int x = 0; x < image.width(); ++x) put(bytes, pixel(row[x]), bits / 8);
    while (bytes.size() % 4 != 0) bytes.push_back(std::byte{0xEE});
  }
  return bytes;
}

std::uint32_t rgb24(Rgb p) { return static_cast<std::uint32_t>(p.r << 16 | p.g << 8 | p.b); }

void expect_picture(const Bytes& bmp, const RgbImage& expected) {
  const Picture picture = decode_picture(bmp, {.color = true});
  ASSERT_EQ(picture.gray.size(), expected.size());
  EXPECT_EQ(pixels(picture.color), pixels(expected));
  EXPECT_EQ(pixels(picture.gray), pixels(to_gray(expected.view())));
  const Picture gray_only = decode_picture(bmp);
  EXPECT_EQ(pixels(gray_only.gray), pixels(picture.gray));
  EXPECT_TRUE(gray_only.color.empty());
}

Bytes plain_bmp(int width, int height) {
  return make_bmp(width, height, rows_of(colorful(width, height), 24, rgb24), {});
}
ErrorCode code_of(const Bytes& bmp) {
  return error_of([&] { decode_picture(bmp); }).code();
}

TEST(Bmp, ColoursOfEveryHeader) {
  for (const Size size : {Size{1, 1}, Size{2, 3}, Size{5, 4}, Size{16, 2}}) {
    const RgbImage image = colorful(size.width, size.height);
    for (const std::uint32_t header : {12u, 40u, 52u, 56u, 64u, 108u, 124u})
      expect_picture(
          make_bmp(size.width, size.height, rows_of(image, 24, rgb24), {.bits = 24, .header = header}),
          image);
    expect_picture(make_bmp(size.width, -size.height, rows_of(image, 24, rgb24, true), {}), image);
    expect_picture(make_bmp(size.width, size.height,
                            rows_of(image, 32, [](Rgb p) { return rgb24(p) | 0x03000000; }), {.bits = 32}),
                   image);
  }
}

TEST(Bmp, MasksOfColours) {
  const RgbImage image = colorful(5, 3);
  // Red in the low byte, and ten bits of green, of which the high ones count.
  const auto mixed = [](Rgb p) {
    return p.r | static_cast<std::uint32_t>(p.g * 4 + 3) << 8 | static_cast<std::uint32_t>(p.b) << 24;
  };
  for (const std::uint32_t header : {40u, 52u, 56u, 124u}) {
    BmpKind kind{.bits = 32, .header = header, .compression = 3, .masks = {0xFF, 0x3FF00, 0xFF000000}};
    expect_picture(make_bmp(5, 3, rows_of(image, 32, mixed), kind), image);
    if (header != 40 && header != 56) continue;
    kind.compression = 6;
    kind.masks.push_back(0x00FC0000);
    expect_picture(make_bmp(5, 3, rows_of(image, 32, mixed), kind), image);
  }
  BmpKind gap{.bits = 32, .compression = 3, .masks = {0xFF, 0x30300, 0xFF000000}};
  EXPECT_EQ(code_of(make_bmp(5, 3, rows_of(image, 32, mixed), gap)), ErrorCode::kFormat);
  gap.bits = 24;
  EXPECT_EQ(code_of(make_bmp(5, 3, rows_of(image, 24, mixed), gap)), ErrorCode::kFormat);
}

TEST(Bmp, SixteenBitsAreScaledAndRounded) {
  Bytes pixels_555, pixels_565;
  put(pixels_555, 31u << 10 | 16u << 5 | 1u, 2), put(pixels_555, 0x8000, 2);
  put(pixels_565, 1u << 11 | 63u << 5 | 30u, 2), put(pixels_565, 31u << 5, 2);
  const auto color = [](const Bytes& bmp) { return pixels(decode_picture(bmp, {.color = true}).color); };
  EXPECT_EQ(color(make_bmp(2, 1, pixels_555, {.bits = 16})), (std::vector<Rgb>{{255, 132, 8}, {0, 0, 0}}));
  const BmpKind kind{.bits = 16, .compression = 3, .masks = {0xF800, 0x7E0, 0x1F}};
  EXPECT_EQ(color(make_bmp(2, 1, pixels_565, kind)), (std::vector<Rgb>{{8, 255, 247}, {0, 125, 0}}));
}

TEST(Bmp, Palettes) {
  const std::vector<Rgb> palette{{1, 2, 3}, {250, 0, 9}, {40, 200, 30}, {255, 255, 255}};
  const Rgb black{};
  const auto color = [](const Bytes& bmp) { return pixels(decode_picture(bmp, {.color = true}).color); };
  for (const std::uint32_t header : {12u, 40u, 124u}) {
    const auto file = [&](int bits, int width, std::uint32_t bytes, std::uint32_t colors) {
      Bytes row;
      put(row, bytes, 4);
      return make_bmp(width, 1, row, {.bits = bits, .header = header, .palette = palette, .colors = colors});
    };
    EXPECT_EQ(color(file(1, 5, 0b01011000, 2)),
              (std::vector<Rgb>{palette[0], palette[1], palette[0], palette[1], palette[1]}));
    EXPECT_EQ(color(file(2, 4, 0b00011011, 4)), palette);
    EXPECT_EQ(color(file(4, 3, 0x2013, 4)), (std::vector<Rgb>{palette[1], palette[3], palette[2]}));
    // Index 4 has no colour.
    EXPECT_EQ(color(file(8, 4, 0x03000402, 4)),
              (std::vector<Rgb>{palette[2], black, palette[0], palette[3]}));
    EXPECT_EQ(color(file(8, 2, 0x0003, 0)), (std::vector<Rgb>{palette[3], palette[0]}));
  }
}

TEST(Bmp, RunLengths) {
  const std::vector<Rgb> palette{{9, 9, 9}, {250, 0, 9}, {40, 200, 30}, {255, 255, 255}};
  const auto indexes = [&](const BmpKind& kind, const std::string& text, int width, int height) {
    std::vector<int> found;
    for (const Rgb& p :
         pixels(decode_picture(make_bmp(width, height, bytes_of(text), kind), {.color = true}).color))
      found.push_back(static_cast<int>(std::find(palette.begin(), palette.end(), p) - palette.begin()));
    return found;
  };
  const BmpKind eight{.bits = 8, .compression = 1, .palette = palette, .colors = 4};
  // A run, a row's end, three single pixels with a byte of padding, and the end. The last row comes first.
  const std::string runs = std::string("\x03\x01\0\0\0\x03\x02\x03\x01\0\0\x01", 12);
  EXPECT_EQ(indexes(eight, runs, 3, 2), (std::vector<int>{2, 3, 1, 1, 1, 1}));
  // A move of one to the right and one up. What is left out has index 0.
  const std::string moved = std::string("\x01\x03\0\x02\x01\x01\x01\x02\0\x01", 10);
  EXPECT_EQ(indexes(eight, moved, 3, 2), (std::vector<int>{0, 0, 2, 3, 0, 0}));
  // The last row's end also ends the picture.
  EXPECT_EQ(indexes(eight, std::string("\x02\x01\0\0", 4), 2, 1), (std::vector<int>{1, 1}));
  const BmpKind four{.bits = 4, .compression = 2, .palette = palette, .colors = 4};
  EXPECT_EQ(indexes(four, std::string("\x03\x12\0\0\0\x05\x12\x31\x20\0\0\x01", 12), 5, 2),
            (std::vector<int>{1, 2, 3, 1, 2, 1, 2, 1, 0, 0}));
  for (std::size_t size = 0; size < runs.size(); ++size)
    EXPECT_EQ(code_of(make_bmp(3, 2, bytes_of(runs.substr(0, size)), eight)), ErrorCode::kFormat) << size;
  for (const std::string& wrong :
       {std::string("\x04\x01", 2), std::string("\0\x04\1\1\1\1", 6), std::string("\0\x02\x04\0", 4),
        std::string("\0\x02\0\x03", 4), std::string("\x03\1\x01\1\0\1", 6)})
    EXPECT_EQ(code_of(make_bmp(3, 2, bytes_of(wrong), eight)), ErrorCode::kFormat);
  EXPECT_EQ(code_of(make_bmp(3, -2, bytes_of(runs), eight)), ErrorCode::kFormat);
  EXPECT_EQ(code_of(make_bmp(3, 2, bytes_of(runs), {.bits = 4, .compression = 1, .palette = palette})),
            ErrorCode::kFormat);
}

TEST(Bmp, EveryShorterFileIsAnError) {
  const Bytes whole = plain_bmp(5, 4);
  // The padding of the last row may be missing.
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (size >= whole.size() - 1) {
      EXPECT_NO_THROW(decode_picture(cut));
    } else {
      EXPECT_EQ(code_of(cut), ErrorCode::kFormat) << size;
    }
  }
}

TEST(Bmp, AnyBrokenByteIsAnErrorOrAPicture) {
  EXPECT_GT(errors_of_broken_bytes(plain_bmp(9, 8)), 20);
  const BmpKind kind{.bits = 8, .compression = 1, .palette = {{1, 2, 3}, {4, 5, 6}}, .colors = 2};
  EXPECT_GT(errors_of_broken_bytes(
                make_bmp(3, 2, bytes_of(std::string("\x03\x01\0\0\0\x03\1\0\1\0\0\x01", 12)), kind)),
            20);
}

TEST(Bmp, SizesAreCheckedBeforeMemoryIsAskedFor) {
  EXPECT_EQ(code_of(make_bmp(0x7FFFFFFF, 0x7FFFFFFF, {}, {})), ErrorCode::kLimit);
  EXPECT_EQ(code_of(make_bmp(1, INT32_MIN, {}, {})), ErrorCode::kLimit);
  EXPECT_EQ(code_of(make_bmp(1 << 14, 1 << 14, {}, {})), ErrorCode::kFormat);
  EXPECT_EQ(code_of(make_bmp(0, 1, {}, {})), ErrorCode::kFormat);
  EXPECT_EQ(code_of(make_bmp(-1, 1, {}, {})), ErrorCode::kFormat);
  EXPECT_NO_THROW(decode_picture(plain_bmp(10, 10), {.max_pixels = 100}));
  EXPECT_EQ(error_of([] { decode_picture(plain_bmp(10, 10), {.max_pixels = 99}); }).code(),
            ErrorCode::kLimit);
}

TEST(Bmp, RefusesWhatIsNotRight) {
  const Bytes pixels(64);
  for (const std::uint32_t compression : {4u, 5u, 7u, 99u})
    EXPECT_EQ(code_of(make_bmp(2, 2, pixels, {.compression = compression})), ErrorCode::kUnsupported);
  // In an OS/2 header 3 is a fax.
  EXPECT_EQ(code_of(make_bmp(2, 2, pixels, {.bits = 32, .header = 64, .compression = 3})),
            ErrorCode::kUnsupported);
  for (const int bits : {0, 3, 48})
    EXPECT_EQ(code_of(make_bmp(2, 2, pixels, {.bits = bits})), ErrorCode::kFormat);
  Bytes inside = plain_bmp(2, 2);
  inside[10] = std::byte{20};
  EXPECT_EQ(error_of([&] { decode_picture(inside); }).sentence(), "BMP: its pixels begin inside its header");
}

}  // namespace
}  // namespace winnow
