#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/folder_for_test.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

TEST(Read, NamesFormatsItKnowsBySight) {
  const std::pair<std::string, const char*> files[] = {
      {"P7\nWIDTH 1\n", "PAM"},
      {std::string("8BPS\0\1", 6), "PSD"},
  };
  for (const auto& file : files) {
    const Error error = error_of([&] { decode_picture(bytes_of(file.first)); });
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(error.sentence().find(file.second), std::string::npos) << error.what();
    EXPECT_NE(error.sentence().find("JPEG, PNG, PNM"), std::string::npos) << error.what();
  }
}

TEST(Read, AnythingElseIsNotAPicture) {
  for (const char* text : {"", "P", "P8 1 1", "\xff", "\xff\xd8", "\x89PNG", "hello", "BN"}) {
    const Error error = error_of([&] { decode_picture(bytes_of(text)); });
    EXPECT_EQ(error.code(), ErrorCode::kFormat);
    EXPECT_EQ(error.sentence(), "not a picture that Winnow can read");
  }
}

TEST(Read, ErrorsNameTheFile) {
  const TestFolder folder;
  const std::string path = folder.file("picture.pgm");
  std::ofstream(path) << "P5 2 2 255 abc";
  const Error error = error_of([&] { read_picture(path); });
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  EXPECT_EQ(error.file(), path);
  EXPECT_FALSE(error.place().empty());
  std::ofstream(path) << "P5 2 2 255 abcd";
  EXPECT_EQ(pixels(read_picture(path).gray), (std::vector<std::uint8_t>{'a', 'b', 'c', 'd'}));
  std::filesystem::remove(path);
  EXPECT_EQ(error_of([&] { read_picture(path); }).code(), ErrorCode::kIo);
}

}  // namespace
}  // namespace winnow
