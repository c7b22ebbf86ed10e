#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "image/files/byte_reader.h"
#include "image/files/jpeg_walk.h"
#include "image/files/png_walk.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

// A source that gives the bytes in pieces of at most `piece` bytes.
PictureStream::Read in_pieces(Bytes bytes, std::size_t piece) {
  return [bytes = std::move(bytes), piece, at = std::size_t{0}](std::byte* to, std::size_t size) mutable {
    const std::size_t count = std::min({piece, size, bytes.size() - at});
    if (count > 0) std::memcpy(to, bytes.data() + at, count);
    at += count;
    return count;
  };
}

// A JPEG with another JPEG in a segment, restart markers, and several scans.
Bytes tricky_jpeg() {
  const Bytes thumbnail = make_jpeg(colorful(8, 8));
  return make_jpeg(colorful(40, 33),
                   {.progressive = true, .restart_rows = 1, .app1 = bytes_of("thumbnail ") + thumbnail});
}

std::vector<Bytes> mixed_pictures() {
  return {bytes_of("P5 3 2 255\nabcdef"),
          tricky_jpeg(),
          bytes_of("P6\n1 1\n255\nxyz"),
          bytes_of("P2 2 1 9 3 4\n\n"),
          make_jpeg(grayish(9, 9)),
          make_jpeg(colorful(30, 20), {.restart_rows = 1}),
          make_png(colorful(7, 5), {.exif = make_exif(6, true), .exif_behind_pixels = true}),
          bytes_of("P4 9 1\nab \n"),
          bytes_of("P1 2 2 0110")};
}

TEST(Stream, MixedPicturesInPiecesOfAnySize) {
  const std::vector<Bytes> files = mixed_pictures();
  Bytes all;
  for (const Bytes& file : files) all = all + file;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{1} << 20}) {
    PictureStream stream(in_pieces(all, piece), {.color = true});
    for (const Bytes& file : files) {
      const Picture expected = decode_picture(file, {.color = true});
      Picture picture;
      ASSERT_TRUE(stream.next(picture));
      EXPECT_EQ(picture.gray.size(), expected.gray.size());
      EXPECT_EQ(pixels(picture.gray), pixels(expected.gray));
      EXPECT_EQ(pixels(picture.color), pixels(expected.color));
    }
    Picture picture;
    EXPECT_FALSE(stream.next(picture));
    EXPECT_FALSE(stream.next(picture));
  }
}

TEST(Stream, EmptyStreamHasNoPictures) {
  Picture picture;
  EXPECT_FALSE(PictureStream(in_pieces({}, 1), {}).next(picture));
  EXPECT_FALSE(PictureStream(in_pieces(bytes_of(" \n\t\n"), 1), {}).next(picture));
}

TEST(Stream, CutLastPictureIsAnError) {
  const Bytes first = bytes_of("P5 1 1 255\nx");
  for (const Bytes& last : {tricky_jpeg(), bytes_of("P6 2 1 255\nabcdef"), make_png(colorful(7, 5))}) {
    for (std::size_t size = 1; size < last.size(); ++size) {
      PictureStream stream(
          in_pieces(first + Bytes(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(size)), 50), {});
      Picture picture;
      ASSERT_TRUE(stream.next(picture));
      const Error error = error_of([&] { stream.next(picture); });
      ASSERT_EQ(error.code(), ErrorCode::kFormat) << size;
      ASSERT_EQ(error.place(), "byte " + std::to_string(first.size() + size)) << error.what();
      EXPECT_EQ(error_of([&] { stream.next(picture); }).what(), std::string(error.what()));
    }
  }
}

TEST(Stream, GarbageIsAnErrorWithItsPlace) {
  PictureStream stream(in_pieces(bytes_of("P5 1 1 255\nx\n GIF89a"), 3), {});
  Picture picture;
  ASSERT_TRUE(stream.next(picture));
  const Error error = error_of([&] { stream.next(picture); });
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  EXPECT_EQ(error.place(), "byte 14");
}

TEST(Stream, GoesOnBehindABadJpeg) {
  Bytes bad = make_jpeg(colorful(16, 16));
  for (std::size_t i = 0; i + 4 < bad.size(); ++i) {
    if (bad[i] == std::byte{0xFF} && bad[i + 1] == std::byte{0xC0}) bad[i + 4] = std::byte{12};
  }
  const Bytes good = bytes_of("P5 1 1 255\nx");
  PictureStream stream(in_pieces(good + bad + good, 5), {});
  Picture picture;
  EXPECT_TRUE(stream.next(picture));
  const Error error = error_of([&] { stream.next(picture); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_GE(std::stol(error.place().substr(5)), static_cast<long>(good.size()));
  ASSERT_TRUE(stream.next(picture));
  EXPECT_EQ(pixels(picture.gray), (std::vector<std::uint8_t>{'x'}));
  EXPECT_FALSE(stream.next(picture));
}

// A bad connection may cut off a camera's picture, so that the next picture begins inside it.
TEST(Stream, GoesOnWhereAJpegIsCutOffByAnother) {
  const Bytes whole = make_jpeg(colorful(16, 16));
  const Bytes cut(whole.begin(), whole.end() - 40);
  const Picture expected = decode_picture(whole, {});
  for (const std::size_t piece : {1, 5, 1 << 20}) {
    PictureStream stream(in_pieces(whole + cut + cut + whole + whole, piece), {});
    Picture picture;
    ASSERT_TRUE(stream.next(picture));
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(error_of([&] { stream.next(picture); }).sentence(), "a JPEG begins inside another");
      EXPECT_FALSE(stream.lost());
    }
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(stream.next(picture));
      EXPECT_EQ(pixels(picture.gray), pixels(expected.gray));
    }
    EXPECT_FALSE(stream.next(picture));
  }
  PictureStream stream(in_pieces(whole + cut, 5), {});
  Picture picture;
  ASSERT_TRUE(stream.next(picture));
  EXPECT_EQ(error_of([&] { stream.next(picture); }).code(), ErrorCode::kFormat);
  EXPECT_TRUE(stream.lost());
}

TEST(Stream, PicturesThatAreTooLargeAreLeftOut) {
  const Bytes small = make_jpeg(grayish(4, 4)), large = make_jpeg(grayish(9, 9));
  PictureStream stream(in_pieces(small + large + large + small, 7), {.max_pixels = 16});
  Picture picture;
  ASSERT_TRUE(stream.next(picture));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(error_of([&] { stream.next(picture); }).code(), ErrorCode::kLimit);
    EXPECT_FALSE(stream.lost());
  }
  EXPECT_TRUE(stream.next(picture));
  EXPECT_FALSE(stream.next(picture));
}

TEST(Stream, LimitsHold) {
  Picture picture;
  for (const Bytes& file : {bytes_of("P5 4 4 255\n") + Bytes(16), make_jpeg(grayish(4, 4))}) {
    EXPECT_TRUE(PictureStream(in_pieces(file, 9), {.max_pixels = 16}).next(picture));
    PictureStream stream(in_pieces(file, 9), {.max_pixels = 15});
    EXPECT_EQ(error_of([&] { stream.next(picture); }).code(), ErrorCode::kLimit);
  }
}

// A claimed length alone takes no memory.
TEST(Stream, ALongPngIsCutAtTheLimit) {
  Bytes png = make_png(colorful(7, 5));
  for (const std::int64_t size : {1, 40}) {
    ByteReader reader(png);
    EXPECT_EQ(error_of([&] { take_png(reader, size); }).code(), ErrorCode::kLimit);
  }
  ByteReader whole(png);
  EXPECT_EQ(take_png(whole, static_cast<std::int64_t>(png.size())), png);
  png[8] = png[9] = std::byte{0x7F};
  ByteReader reader(png);
  EXPECT_EQ(error_of([&] { take_png(reader, 1 << 28); }).code(), ErrorCode::kLimit);
  png[1] = std::byte{'Q'};
  ByteReader other(png);
  EXPECT_EQ(error_of([&] { take_png(other, 1 << 28); }).sentence(), "not a PNG picture");
}

TEST(Stream, ABrokenPngDoesNotEndTheStream) {
  const Bytes first = bytes_of("P5 20 20 255\n" + std::string(400, 'x')), good = make_png(colorful(4, 4));
  Bytes broken = make_png(colorful(9, 9));
  broken[60] ^= std::byte{0xFF};
  PictureStream stream(in_pieces(first + broken + good, 7), {});
  Picture picture;
  ASSERT_TRUE(stream.next(picture));
  const Error error = error_of([&] { stream.next(picture); });
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  EXPECT_GT(std::stoul(error.place().substr(5)), first.size() + 32);
  EXPECT_FALSE(stream.lost());
  ASSERT_TRUE(stream.next(picture));
  EXPECT_EQ(pixels(picture.gray), pixels(decode_picture(good).gray));
  EXPECT_FALSE(stream.next(picture));
}

TEST(Stream, EndlessJpegIsCutAtTheLimit) {
  // The JPEG's scan never ends: the source gives bytes forever.
  Bytes start = make_jpeg(grayish(8, 8));
  start.erase(start.end() - 2, start.end());
  std::size_t given = 0;
  ByteReader reader([&](std::byte* to, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to[i] = given + i < start.size() ? start[given + i] : std::byte{7};
    given += size;
    return size;
  });
  bool begun = false;
  EXPECT_EQ(error_of([&] { take_jpeg(reader, 300000, begun); }).code(), ErrorCode::kLimit);
  EXPECT_FALSE(begun);
  EXPECT_LT(given, 500000u);
}

TEST(Stream, WalksToTheEndAndNoFurther) {
  const Bytes jpeg = tricky_jpeg();
  const Bytes all = jpeg + bytes_of("next");
  ByteReader reader(all);
  bool begun = false;
  EXPECT_EQ(take_jpeg(reader, 1 << 20, begun), jpeg);
  EXPECT_EQ(reader.get(), 'n');
}

TEST(Stream, ErrorsOfTheSourceComeThrough) {
  PictureStream stream(
      [](std::byte*, std::size_t) -> std::size_t { throw Error(ErrorCode::kIo, "pulled out"); }, {});
  Picture picture;
  EXPECT_EQ(error_of([&] { stream.next(picture); }).sentence(), "pulled out");
  PictureStream lying([](std::byte*, std::size_t size) { return size + 1; }, {});
  EXPECT_EQ(error_of([&] { lying.next(picture); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([] { PictureStream(PictureStream::Read(), {}); }).code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace winnow
