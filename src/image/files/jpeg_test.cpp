#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "image/gray_rule.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

constexpr ReadOptions kColor{.color = true};

// Decodes a JPEG to the pixels of a colour space, with libjpeg's plainest calls.
std::vector<std::uint8_t> plain_decode(const Bytes& jpeg, J_COLOR_SPACE space) {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(jpeg.data()),
               static_cast<unsigned long>(jpeg.size()));
  jpeg_read_header(&info, TRUE);
  info.out_color_space = space;
  jpeg_start_decompress(&info);
  const std::size_t row_bytes =
      std::size_t{info.output_width} * static_cast<std::size_t>(info.output_components);
  std::vector<std::uint8_t> samples(row_bytes * info.output_height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = samples.data() + row_bytes * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return samples;
}

void expect_near(const RgbImage& got, const RgbImage& expected, int most) {
  ASSERT_EQ(got.size(), expected.size());
  int worst = 0;
  const auto a = samples_of(got), b = samples_of(expected);
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  EXPECT_LE(worst, most);
}

TEST(Jpeg, GreyIsTheLumaPlane) {
  for (const JpegKind& kind : {JpegKind{}, JpegKind{.progressive = true}, JpegKind{.restart_rows = 1},
                               JpegKind{.arithmetic = true}}) {
    const Bytes jpeg = make_jpeg(colorful(21, 19), kind);
    const std::vector<std::uint8_t> ycc = plain_decode(jpeg, JCS_YCbCr);
    std::vector<std::uint8_t> luma;
    for (std::size_t i = 0; i < ycc.size(); i += 3) luma.push_back(ycc[i]);
    const Picture picture = decode_picture(jpeg, kColor);
    EXPECT_EQ(pixels(picture.gray), luma);
    EXPECT_EQ(samples_of(picture.color), plain_decode(jpeg, JCS_RGB));
    EXPECT_EQ(pixels(decode_picture(jpeg).gray), luma);
    EXPECT_TRUE(decode_picture(jpeg).color.empty());
  }
}

TEST(Jpeg, GreyFile) {
  const Bytes jpeg = make_jpeg(grayish(11, 7));
  const Picture picture = decode_picture(jpeg, kColor);
  EXPECT_EQ(pixels(picture.gray), plain_decode(jpeg, JCS_GRAYSCALE));
  EXPECT_EQ(pixels(picture.color), pixels(to_color(picture.gray.view())));
}

TEST(Jpeg, StoredAsRgb) {
  const RgbImage image = colorful(16, 12);
  const Bytes jpeg = make_jpeg(image, {.stored = JCS_RGB, .quality = 100});
  const Picture picture = decode_picture(jpeg, kColor);
  EXPECT_EQ(samples_of(picture.color), plain_decode(jpeg, JCS_RGB));
  expect_near(picture.color, image, 4);
  EXPECT_EQ(pixels(picture.gray), pixels(to_gray(picture.color.view())));
  EXPECT_EQ(pixels(decode_picture(jpeg).gray), pixels(picture.gray));
}

TEST(Jpeg, FourInks) {
  const RgbImage image = colorful(16, 12);
  for (const J_COLOR_SPACE stored : {JCS_CMYK, JCS_YCCK}) {
    for (const bool adobe : {true, false}) {
      if (stored == JCS_YCCK && !adobe) continue;  // without the marker YCCK cannot be recognized
      std::vector<std::uint8_t> inks;
      for (const Rgb& p : pixels(image)) {
        // The black channel has no ink. Adobe stores light instead of ink.
        const auto ink = [&](int light) { return static_cast<std::uint8_t>(adobe ? light : 255 - light); };
        inks.insert(inks.end(), {ink(p.r), ink(p.g), ink(p.b), ink(255)});
      }
      JpegKind kind{
          .given = JCS_CMYK, .stored = stored, .components = 4, .adobe_marker = adobe, .quality = 100};
      const Bytes jpeg = make_jpeg(16, 12, inks, kind);
      const Picture picture = decode_picture(jpeg, kColor);
      // libjpeg halves the chroma of YCCK, so its colours are less exact.
      expect_near(picture.color, image, stored == JCS_CMYK ? 4 : 16);
      EXPECT_EQ(pixels(picture.gray), pixels(to_gray(picture.color.view())));
      EXPECT_EQ(pixels(decode_picture(jpeg).gray), pixels(picture.gray));
    }
  }
}

TEST(Jpeg, BlackInkDarkens) {
  for (const bool adobe : {true, false}) {
    const auto ink = [&](int amount) { return static_cast<std::uint8_t>(adobe ? 255 - amount : amount); };
    std::vector<std::uint8_t> inks;
    for (int i = 0; i < 64; ++i) inks.insert(inks.end(), {ink(0), ink(255), ink(0), ink(128)});
    const Bytes jpeg = make_jpeg(
        8, 8, inks,
        {.given = JCS_CMYK, .stored = JCS_CMYK, .components = 4, .adobe_marker = adobe, .quality = 100});
    const Rgb got = decode_picture(jpeg, kColor).color.row(4)[4];
    EXPECT_NEAR(got.r, 127, 2);
    EXPECT_NEAR(got.g, 0, 2);
    EXPECT_NEAR(got.b, 127, 2);
  }
}

// Only the end marker of a sequential Huffman file may be missing, since no pixel needs the marker.
TEST(Jpeg, EveryShorterFileIsAnError) {
  for (const JpegKind& kind : {JpegKind{}, JpegKind{.progressive = true}, JpegKind{.arithmetic = true},
                               JpegKind{.restart_rows = 1}, JpegKind{.stored = JCS_RGB}}) {
    const bool needs_end = kind.progressive || kind.arithmetic;
    const Bytes whole = make_jpeg(colorful(20, 17), kind);
    const Picture picture = decode_picture(whole, kColor);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto shorter = std::span(whole).first(size);
      if (!needs_end && size + 2 >= whole.size()) {
        const Picture got = decode_picture(shorter, kColor);
        EXPECT_EQ(pixels(got.gray), pixels(picture.gray));
        EXPECT_EQ(pixels(got.color), pixels(picture.color));
        continue;
      }
      const Error error = error_of([&] { decode_picture(shorter, kColor); });
      EXPECT_EQ(error.code(), ErrorCode::kFormat) << size;
      if (size + 20 > whole.size()) {  // the cut lies in the scan
        EXPECT_NE(error.sentence().find("ends early"), std::string::npos) << error.what();
        if (!needs_end) {
          EXPECT_EQ(error.place(), "byte " + std::to_string(size));
        }
      }
    }
  }
}

TEST(Jpeg, AnyBrokenByteIsAnErrorOrAPicture) {
  for (const bool progressive : {false, true}) {
    const Bytes whole = make_jpeg(
        colorful(20, 17),
        {.progressive = progressive, .app1 = bytes_of(std::string("Exif\0\0", 6)) + make_exif(6, true)});
    EXPECT_GT(errors_of_broken_bytes(whole), 100);
  }
}

// The position of this marker's code, which stands behind a 0xFF.
std::size_t find_marker(const Bytes& jpeg, int code) {
  for (std::size_t i = 0; i + 1 < jpeg.size(); ++i) {
    if (jpeg[i] == std::byte{0xFF} && jpeg[i + 1] == static_cast<std::byte>(code)) return i + 1;
  }
  throw std::logic_error("the JPEG has no such marker");
}

TEST(Jpeg, DamageSaysWhere) {
  Bytes jpeg = make_jpeg(colorful(64, 64), {.restart_rows = 1});
  // A scan that is cut in the middle, with an end marker behind the cut.
  jpeg.erase(jpeg.begin() + static_cast<std::ptrdiff_t>(jpeg.size() * 3 / 4), jpeg.end());
  const std::size_t size = jpeg.size();
  const Error error = error_of([&] { decode_picture(jpeg + bytes_of("\xff\xd9")); });
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  ASSERT_EQ(error.place().rfind("byte ", 0), 0u) << error.what();
  const long place = std::stol(error.place().substr(5));
  EXPECT_GT(place, 100);
  EXPECT_LE(place, static_cast<long>(size) + 2);
}

TEST(Jpeg, FewStrayBytesAreHarmlessManyAreNot) {
  const Bytes jpeg = make_jpeg(colorful(16, 16));
  const Bytes body(jpeg.begin(), jpeg.end() - 2), end(jpeg.end() - 2, jpeg.end());
  EXPECT_EQ(pixels(decode_picture(body + Bytes(3) + end).gray), pixels(decode_picture(jpeg).gray));
  EXPECT_EQ(error_of([&] { decode_picture(body + Bytes(100) + end); }).code(), ErrorCode::kFormat);
  EXPECT_NO_THROW(decode_picture(jpeg + Bytes(100)));
}

TEST(Jpeg, KindsThatAreNotDoneAreNamedSo) {
  Bytes deep = make_jpeg(colorful(16, 16));
  deep[find_marker(deep, 0xC0) + 3] = std::byte{12};
  EXPECT_EQ(error_of([&] { decode_picture(deep); }).code(), ErrorCode::kUnsupported);
  const Bytes two = make_jpeg(8, 8, std::vector<std::uint8_t>(128, 100),
                              {.given = JCS_UNKNOWN, .stored = JCS_UNKNOWN, .components = 2});
  EXPECT_EQ(error_of([&] { decode_picture(two); }).code(), ErrorCode::kUnsupported);
}

TEST(Jpeg, SizesAreCheckedBeforeMemoryIsAskedFor) {
  Bytes jpeg = make_jpeg(colorful(16, 16));
  EXPECT_NO_THROW(decode_picture(jpeg, {.max_pixels = 256}));
  EXPECT_EQ(error_of([&] { decode_picture(jpeg, {.max_pixels = 255}); }).code(), ErrorCode::kLimit);
  const std::size_t size_at = find_marker(jpeg, 0xC0) + 4;
  jpeg[size_at] = jpeg[size_at + 2] = std::byte{0xF0};
  EXPECT_EQ(error_of([&] { decode_picture(jpeg); }).code(), ErrorCode::kLimit);
  jpeg[size_at] = jpeg[size_at + 2] = std::byte{0x3F};
  const Error error = error_of([&] { decode_picture(jpeg); });
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  EXPECT_NE(error.sentence().find("ends early"), std::string::npos);
}

TEST(Jpeg, HugeProgressivePictureDoesNotTakeAllMemory) {
  Bytes jpeg = make_jpeg(colorful(16, 16), {.progressive = true});
  const std::size_t size_at = find_marker(jpeg, 0xC2) + 4;
  jpeg[size_at] = jpeg[size_at + 2] = std::byte{0x40};
  jpeg[size_at + 1] = jpeg[size_at + 3] = std::byte{0};
  jpeg.resize(jpeg.size() + 600000);  // enough bytes to make 16384 x 16384 pixels possible
  const Error error = error_of([&] { decode_picture(jpeg); });
  EXPECT_EQ(error.code(), ErrorCode::kLimit);
  EXPECT_NE(error.sentence().find("memory"), std::string::npos) << error.what();
}

TEST(Jpeg, TooManyScansAreRefused) {
  const auto scans = [](int last_coefficient) {
    std::vector<jpeg_scan_info> script{{1, {0}, 0, 0, 0, 0}};
    for (int k = 1; k <= last_coefficient; ++k) {
      for (int low = 10; low >= 0; --low) script.push_back({1, {0}, k, k, low == 10 ? 0 : low + 1, low});
    }
    return script;
  };
  const GrayImage image = grayish(16, 16);
  EXPECT_NO_THROW(decode_picture(make_jpeg(image, {.script = scans(40)})));  // 441 scans
  EXPECT_EQ(error_of([&] { decode_picture(make_jpeg(image, {.script = scans(63)})); }).code(),
            ErrorCode::kLimit);
}

}  // namespace
}  // namespace winnow
