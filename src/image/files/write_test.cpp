#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "base/folder_for_test.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

class Write : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

 private:
  const TestFolder folder_;
};

TEST_F(Write, EncodedAgainIsReadFromAJpeg) {
  const RgbImage whole = colorful(33, 27);
  const RgbView crop = whole.view().crop({3, 2, 23, 21});  // rows that are not packed
  const GrayImage gray = to_gray(crop);
  write_picture(path("a.jpg"), crop);  // quality 92
  write_picture(path("b.jpg"), gray.view());
  const Picture of_file = read_picture(path("a.jpg"), {.color = true});
  const Picture again = encode_again({gray.view(), crop}, 92);
  EXPECT_EQ(pixels(again.color), pixels(of_file.color));
  EXPECT_EQ(pixels(again.gray), pixels(of_file.gray));
  const Picture of_gray = encode_again(gray.view(), 92);
  EXPECT_TRUE(of_gray.color.empty());
  EXPECT_EQ(pixels(of_gray.gray), pixels(read_picture(path("b.jpg")).gray));
  const auto error = [&](int quality) {
    const Picture coded = encode_again(gray.view(), quality);
    double sum = 0;
    for (int y = 0; y < 21; ++y) {
      for (int x = 0; x < 23; ++x) sum += std::abs(coded.gray.row(y)[x] - gray.row(y)[x]);
    }
    return sum;
  };
  EXPECT_LT(error(100), error(84));
  EXPECT_LT(error(84), error(20));
  for (const int quality : {0, 101}) EXPECT_THROW(encode_again(gray.view(), quality), Error);
  EXPECT_THROW(encode_again(PictureView(), 84), Error);
}

TEST_F(Write, EncodedBytesAreThoseOfTheFile) {
  const RgbImage color = colorful(23, 17);
  const GrayImage gray = to_gray(color.view());
  for (const char* format : {"jpg", "jpeg", "png", "pgm", "ppm"}) {
    write_picture(path(std::string("a.") + format), color.view());
    EXPECT_EQ(read_file(path(std::string("a.") + format), 1 << 20), encode_picture(color.view(), format));
    write_picture(path(std::string("b.") + format), gray.view());
    EXPECT_EQ(read_file(path(std::string("b.") + format), 1 << 20), encode_picture(gray.view(), format));
  }
  const Error error = error_of([&] { encode_picture(gray.view(), ".png"); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_EQ(error.sentence(), "'.png' is no format of pictures; known are jpg, jpeg, png, pgm, ppm");
  EXPECT_THROW(encode_picture(GrayView{}, "png"), Error);
}

TEST_F(Write, ColourRoundTrip) {
  const RgbImage whole = colorful(20, 15);
  const RgbView crop = whole.view().crop({3, 2, 13, 11});  // rows that are not packed
  const Picture expected = [&] {
    Picture picture;
    picture.color = RgbImage(13, 11);
    for (int y = 0; y < 11; ++y) std::copy(crop.row(y), crop.row(y) + 13, picture.color.row(y));
    picture.gray = to_gray(crop);
    return picture;
  }();
  for (const char* name : {"a.png", "a.ppm", "A.PPM"}) {
    write_picture(path(name), crop);
    const Picture picture = read_picture(path(name), {.color = true});
    ASSERT_EQ(picture.color.size(), (Size{13, 11})) << name;
    EXPECT_EQ(pixels(picture.color), pixels(expected.color)) << name;
    EXPECT_EQ(pixels(picture.gray), pixels(expected.gray)) << name;
  }
  write_picture(path("a.pgm"), crop);
  EXPECT_EQ(pixels(read_picture(path("a.pgm")).gray), pixels(expected.gray));
  for (const char* name : {"a.jpg", "a.jpeg", "a.b.JPG"}) {
    write_picture(path(name), crop);
    const Picture picture = read_picture(path(name), {.color = true});
    ASSERT_EQ(picture.color.size(), (Size{13, 11})) << name;
    for (int y = 0; y < 11; ++y) {
      for (int x = 0; x < 13; ++x) EXPECT_NEAR(picture.gray.row(y)[x], expected.gray.row(y)[x], 12);
    }
  }
}

TEST_F(Write, GreyRoundTrip) {
  const GrayImage image = grayish(17, 6);
  for (const char* name : {"a.png", "a.pgm", "a.ppm"}) {
    write_picture(path(name), image.view());
    const Picture picture = read_picture(path(name), {.color = true});
    EXPECT_EQ(pixels(picture.gray), pixels(image)) << name;
    EXPECT_EQ(pixels(picture.color), pixels(to_color(image.view()))) << name;
  }
  write_picture(path("a.jpg"), image.view());
  const Picture picture = read_picture(path("a.jpg"));
  ASSERT_EQ(picture.gray.size(), image.size());
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 17; ++x) EXPECT_NEAR(picture.gray.row(y)[x], image.row(y)[x], 12);
  }
}

TEST_F(Write, RefusesWhatItCannotDo) {
  const GrayImage image = grayish(3, 3);
  for (const char* name : {"a", "a.bmp", "a.", ".jpg.d/a", "jpg"}) {
    const Error error = error_of([&] { write_picture(path(name), image.view()); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << name;
    EXPECT_EQ(error.file(), path(name));
  }
  EXPECT_EQ(error_of([&] { write_picture(path("a.png"), GrayView{}); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] { write_picture(path("no/such/a.png"), image.view()); }).code(), ErrorCode::kIo);
  const GrayImage wide(70000, 1);
  EXPECT_EQ(error_of([&] { write_picture(path("a.jpg"), wide.view()); }).code(), ErrorCode::kLimit);
  EXPECT_NO_THROW(write_picture(path("a.png"), wide.view()));
  EXPECT_EQ(read_picture(path("a.png")).gray.size(), wide.size());
}

}  // namespace
}  // namespace winnow
