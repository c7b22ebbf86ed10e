#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/files/decode.h"
#include "image/gray_rule.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;
using testing::ElementsAre;

Picture decode(const std::string& text, bool color = false) {
  return decode_picture(bytes_of(text), {.color = color});
}
std::vector<std::uint8_t> gray(const std::string& text) { return pixels(decode(text).gray); }
ErrorCode code(const std::string& text) {
  return error_of([&] { decode(text); }).code();
}

TEST(Pnm, PlainBits) {
  EXPECT_THAT(gray("P1\n3 2\n0 1 0\n1 0 1\n"), ElementsAre(255, 0, 255, 0, 255, 0));
  EXPECT_THAT(gray("P1 3 2 010101"), ElementsAre(255, 0, 255, 0, 255, 0));
  EXPECT_THAT(gray("P1#type\n3 #width\n2\n# raster\n0#x\n1 0 1 0 1"), ElementsAre(255, 0, 255, 0, 255, 0));
}

TEST(Pnm, PackedBitsPadEachRow) {
  const std::string text = std::string("P4\n9 2\n") + "\x80\x80" + std::string("\x01\x7f", 2);
  const Picture picture = decode(text);
  ASSERT_EQ(picture.gray.size(), (Size{9, 2}));
  EXPECT_THAT(pixels(picture.gray), ElementsAre(0, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255,
                                                255, 255, 255, 0, 255));
}

TEST(Pnm, PlainGreyIsScaled) {
  EXPECT_THAT(gray("P2\n2 2\n255\n0 1\n128 255\n"), ElementsAre(0, 1, 128, 255));
  EXPECT_THAT(gray("P2 4 1 3 0 1 2 3"), ElementsAre(0, 85, 170, 255));
  EXPECT_THAT(gray("P2 3 1 65535 0 32768 65535"), ElementsAre(0, 128, 255));
  EXPECT_THAT(gray("P2 3 1 1000 0 500 1000"), ElementsAre(0, 128, 255));
}

TEST(Pnm, BinaryGrey) {
  EXPECT_THAT(gray("P5\n# made by hand\n3 1\n255\nabc"), ElementsAre('a', 'b', 'c'));
  EXPECT_THAT(gray(std::string("P5 3 1 15 ") + '\0' + "\x07\x0f"), ElementsAre(0, 119, 255));
  EXPECT_THAT(gray(std::string("P5 2 1 65535\n") + "\x12\xff\xff" + '\0'), ElementsAre(0x12, 0xff));
  EXPECT_THAT(gray(std::string("P5 2 1 1023\n") + "\x03\xff\x02" + '\0'), ElementsAre(255, 128));
  // One white space stands behind the largest value. Pixels follow, even if their bytes are white space.
  EXPECT_THAT(gray("P5 2 1 255\n\n "), ElementsAre('\n', ' '));
  EXPECT_THAT(gray("P5 1 1 255# a comment\nx"), ElementsAre('x'));
}

TEST(Pnm, Colour) {
  const std::vector<Rgb> expected{{255, 0, 0}, {10, 20, 30}};
  for (const std::string& text :
       {std::string("P3\n2 1\n255\n255 0 0\n10 20 30\n"),
        std::string("P6\n2 1\n255\n\xff") + std::string("\0\0", 2) + "\x0a\x14\x1e"}) {
    const Picture picture = decode(text, true);
    EXPECT_EQ(pixels(picture.color), expected);
    EXPECT_THAT(pixels(picture.gray), ElementsAre(gray_of(expected[0]), gray_of(expected[1])));
    EXPECT_TRUE(decode(text).color.empty());
  }
  const Picture wide = decode(std::string("P6 1 1 65535\n\x80") + std::string("\0\x40\0\x20\0", 5), true);
  EXPECT_EQ(pixels(wide.color), (std::vector<Rgb>{{0x80, 0x40, 0x20}}));
}

TEST(Pnm, SeveralPicturesOfAFile) {
  const auto file = [](const std::string& text, std::size_t first = 0) {
    return decode_file(bytes_of(text), {}, first);
  };
  const std::string two = "P5 2 1 255 az\n P2 1 1 9 7 \nP6 1 1 255 xyz\n";
  const DecodedFile first = file(two);
  EXPECT_THAT(pixels(first.picture.gray), ElementsAre('a', 'z'));
  ASSERT_EQ(first.next, 15u);
  const DecodedFile second = file(two, first.next);
  EXPECT_THAT(pixels(second.picture.gray), ElementsAre(198));
  ASSERT_EQ(second.next, 27u);
  EXPECT_EQ(file(two, second.next).next, 0u);
  EXPECT_EQ(file("P5 2 1 255 az\nP").next, 0u);
  EXPECT_EQ(file("P5 2 1 255 az\nnotes").next, 0u);
  EXPECT_EQ(error_of([&] { file(two.substr(0, 40), 27); }).place(), "byte 38");
  const auto several = [](const std::string& text) { return holds_several_pnm(bytes_of(text), {}); };
  EXPECT_TRUE(several(two));
  EXPECT_TRUE(several("P1 2 1 0 1\nP1 1 1 0"));
  EXPECT_TRUE(several("P4 9 1 abP4 1 1 a"));
  for (const char* text : {"", "P5 2 1 255 az\n", "P5 2 1 255 a", "P5 9 9 255 P5 1 1 255 a", "P1 1 1 7 P1 ",
                           "P5 1 1 255 aGIF89a", "P0 1 1", "GIF89a"})
    EXPECT_FALSE(several(text)) << text;
}

TEST(Pnm, ColourOfGrey) {
  EXPECT_EQ(pixels(decode("P5 2 1 255 az", true).color),
            (std::vector<Rgb>{{'a', 'a', 'a'}, {'z', 'z', 'z'}}));
  EXPECT_EQ(pixels(decode("P1 2 1 01", true).color), (std::vector<Rgb>{{255, 255, 255}, {0, 0, 0}}));
}

TEST(Pnm, RefusesWhatIsNotRight) {
  EXPECT_EQ(code("P5"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5x 1 1 255 a"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 0 1 255 a"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 -1 1 255 a"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 1 1 0 a"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 1 1 65536 a"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 1 1 255a"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 1 1 100 z"), ErrorCode::kFormat);
  EXPECT_EQ(code("P2 1 1 100 101"), ErrorCode::kFormat);
  EXPECT_EQ(code("P2 1 1 100 99999999999999999999999999"), ErrorCode::kFormat);
  EXPECT_EQ(code("P2 1 1 100 x"), ErrorCode::kFormat);
  EXPECT_EQ(code("P1 1 1 2"), ErrorCode::kFormat);
  EXPECT_EQ(code("P5 99999999999999999999 99999999999999999999 255 "), ErrorCode::kLimit);
  EXPECT_EQ(code("P4 2147483648 1 "), ErrorCode::kLimit);
}

TEST(Pnm, SaysWhere) {
  const Error error = error_of([] { decode("P2 2 1 255 12 x"); });
  EXPECT_EQ(error.place(), "byte 14");
}

TEST(Pnm, HugeClaimWithoutBytesIsFoundBeforeMemoryIsAskedFor) {
  for (const char* text :
       {"P1 16384 16384 0", "P2 16384 16384 9 0", "P4 16384 16384 x", "P5 16384 16384 9 x"}) {
    EXPECT_EQ(code(text), ErrorCode::kFormat);
  }
}

TEST(Pnm, EveryShorterFileIsAnError) {
  // If a plain file is cut inside its last number, the rest is still a number. So the last numbers here have
  // one digit, and nothing follows them.
  const std::vector<std::string> files{
      "P1 # c\n3 2\n010 101", "P2 3 2 15 1 2 3 4 5 6", "P3 1 2 9 1 2 3 4 5 6",
      "P4 9 2\nabcd",         "P5 3 2 255 abcdef",     "P5 3 1 300 " + std::string(6, '\0'),
      "P6 1 2 255 abcdef",    "P6 1 1 65535 abcdef",
  };
  for (const std::string& text : files) {
    EXPECT_NO_THROW(decode(text)) << text;
    for (std::size_t size = 0; size < text.size(); ++size) {
      EXPECT_THROW(decode(text.substr(0, size)), Error) << text << " cut to " << size;
    }
  }
}

}  // namespace
}  // namespace winnow
