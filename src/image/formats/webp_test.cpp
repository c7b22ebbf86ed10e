#include <gtest/gtest.h>

#include <webp/encode.h>

#include "image/files/decode.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

Bytes packed(std::uint8_t* bytes, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  Bytes result(begin, begin + size);
  WebPFree(bytes);
  return result;
}
Bytes lossless(const RgbImage& image) {
  std::uint8_t* out = nullptr;
  const std::size_t size =
      WebPEncodeLosslessRGB(&image.row(0)->r, image.width(), image.height(), image.width() * 3, &out);
  return packed(out, size);
}
Bytes lossy(const RgbImage& image) {
  std::uint8_t* out = nullptr;
  const std::size_t size =
      WebPEncodeRGB(&image.row(0)->r, image.width(), image.height(), image.width() * 3, 100, &out);
  return packed(out, size);
}

std::string number(std::size_t value, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}
std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string chunk(const std::string& name, const std::string& data) {
  return name + number(data.size(), 4) + data + std::string(data.size() % 2, '\0');
}
Bytes riff(const std::string& chunks) {
  return bytes_of("RIFF" + number(chunks.size() + 4, 4) + "WEBP" + chunks);
}
// The chunk of the pixels of a file that holds nothing else.
std::string pixels_of(const Bytes& file) { return text_of(file).substr(12); }

enum Flags { kAnimation = 2, kExif = 8 };
std::string extended(int flags, Size size) {
  return chunk("VP8X", number(static_cast<std::size_t>(flags), 4) +
                           number(static_cast<std::size_t>(size.width - 1), 3) +
                           number(static_cast<std::size_t>(size.height - 1), 3));
}
Bytes with_exif(const RgbImage& image, const Bytes& exif) {
  return riff(extended(kExif, image.size()) + pixels_of(lossless(image)) + chunk("EXIF", text_of(exif)));
}
std::string frame(int x, int y, const RgbImage& image) {
  return chunk("ANMF", number(static_cast<std::size_t>(x / 2), 3) +
                           number(static_cast<std::size_t>(y / 2), 3) +
                           number(static_cast<std::size_t>(image.width() - 1), 3) +
                           number(static_cast<std::size_t>(image.height() - 1), 3) + number(40, 3) +
                           number(2, 1) + pixels_of(lossless(image)));
}
const std::string kBackground =
    chunk("ANIM", std::string("\x03\x02\x01\xff\0\0", 6));  // blue, green, red, alpha

void expect_picture(const Bytes& webp, const RgbImage& expected) {
  const Picture picture = decode_picture(webp, {.color = true});
  ASSERT_EQ(picture.gray.size(), expected.size());
  EXPECT_EQ(pixels(picture.color), pixels(expected));
  EXPECT_EQ(pixels(picture.gray), pixels(to_gray(expected.view())));
  const Picture gray_only = decode_picture(webp);
  EXPECT_EQ(pixels(gray_only.gray), pixels(picture.gray));
  EXPECT_TRUE(gray_only.color.empty());
}
ErrorCode code_of(const Bytes& webp) {
  return error_of([&] { decode_picture(webp); }).code();
}

TEST(Webp, LosslessPictures) {
  for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 5}, Size{17, 13}, Size{64, 48}})
    expect_picture(lossless(colorful(size.width, size.height)), colorful(size.width, size.height));
}

TEST(Webp, LossyPicturesAreNear) {
  RgbImage image(48, 32);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 48; ++x)
      image.row(y)[x] = x < 24 ? Rgb{200, 90, 40} : y < 16 ? Rgb{20, 160, 60} : Rgb{240, 240, 250};
  }
  const Picture picture = decode_picture(lossy(image), {.color = true});
  ASSERT_EQ(picture.gray.size(), image.size());
  for (const auto& [x, y] : {std::pair{8, 8}, {8, 24}, {40, 6}, {40, 26}}) {
    EXPECT_NEAR(picture.color.row(y)[x].r, image.row(y)[x].r, 6);
    EXPECT_NEAR(picture.color.row(y)[x].g, image.row(y)[x].g, 6);
    EXPECT_NEAR(picture.color.row(y)[x].b, image.row(y)[x].b, 6);
  }
  EXPECT_EQ(pixels(picture.gray), pixels(to_gray(picture.color.view())));
}

TEST(Webp, TransparencyIsDropped) {
  const RgbImage image = colorful(9, 7);
  std::vector<std::uint8_t> rgba;
  for (const Rgb& p : pixels(image)) rgba.insert(rgba.end(), {p.r, p.g, p.b, 3});
  std::uint8_t* out = nullptr;
  const std::size_t size = WebPEncodeLosslessRGBA(rgba.data(), 9, 7, 36, &out);
  expect_picture(packed(out, size), image);
}

TEST(Webp, IsTurnedUpright) {
  const RgbImage image = colorful(5, 3);
  const Bytes exif = make_exif(3, true);
  RgbImage upside_down(5, 3);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) upside_down.row(y)[x] = image.row(2 - y)[4 - x];
  }
  expect_picture(with_exif(image, exif), upside_down);
  expect_picture(with_exif(image, bytes_of(std::string("Exif\0\0", 6)) + exif), upside_down);
  EXPECT_EQ(decode_picture(with_exif(image, make_exif(6, false))).gray.size(), (Size{3, 5}));
  expect_picture(with_exif(image, bytes_of("nonsense")), image);
}

TEST(Webp, TheFirstPictureOfAnAnimationIsRead) {
  const RgbImage first = colorful(4, 4), second = colorful(2, 2);
  const auto animation = [&](const std::string& frames) {
    return riff(extended(kAnimation, {8, 6}) + kBackground + frames);
  };
  RgbImage expected(8, 6);
  std::fill_n(expected.row(0), 48, Rgb{1, 2, 3});
  for (int y = 0; y < 4; ++y) std::copy_n(first.row(y), 4, expected.row(y + 2) + 4);
  const Bytes two = animation(frame(4, 2, first) + frame(0, 0, second));
  expect_picture(two, expected);
  EXPECT_EQ(decode_webp(two, {}).others, 1);
  EXPECT_EQ(decode_webp(animation(frame(4, 2, first)), {}).others, 0);
  EXPECT_EQ(decode_webp(lossless(first), {}).others, 0);
  EXPECT_EQ(code_of(animation("")), ErrorCode::kFormat);
  EXPECT_EQ(code_of(animation(frame(6, 2, first))), ErrorCode::kFormat);
}

TEST(Webp, EveryShorterFileIsAnError) {
  for (const Bytes& whole :
       {lossless(colorful(17, 13)), lossy(colorful(17, 13)), with_exif(colorful(5, 4), make_exif(6, true))}) {
    EXPECT_NO_THROW(decode_picture(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_EQ(code_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))),
                ErrorCode::kFormat)
          << size;
  }
  const Bytes whole = lossless(colorful(17, 13));
  EXPECT_EQ(error_of([&] { decode_picture(std::span(whole).first(whole.size() / 2)); }).sentence(),
            "WebP: the picture ends early");
}

TEST(Webp, AnyBrokenByteIsAnErrorOrAPicture) {
  EXPECT_GT(errors_of_broken_bytes(lossless(colorful(17, 13))), 20);
  EXPECT_GT(errors_of_broken_bytes(lossy(colorful(17, 13))), 20);
  EXPECT_GT(errors_of_broken_bytes(with_exif(colorful(5, 4), make_exif(6, true))), 20);
}

TEST(Webp, SizesAreCheckedBeforeMemoryIsAskedFor) {
  const Bytes huge = riff(extended(kAnimation, {1 << 24, 17}) + kBackground + frame(0, 0, colorful(4, 4)));
  EXPECT_EQ(code_of(huge), ErrorCode::kLimit);
  const Bytes small = lossless(colorful(10, 10));
  EXPECT_NO_THROW(decode_picture(small, {.max_pixels = 100}));
  EXPECT_EQ(error_of([&] { decode_picture(small, {.max_pixels = 99}); }).code(), ErrorCode::kLimit);
}

}  // namespace
}  // namespace winnow
