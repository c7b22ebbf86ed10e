#include "image/picture_format.h"

#include <gtest/gtest.h>

#include <set>

#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

std::string kind_of(const std::string& first_bytes) {
  const PictureFormat* format = format_of(bytes_of(first_bytes));
  return format == nullptr ? "none" : std::string(format->name);
}
std::string kind_of_name(const std::string& path) {
  const PictureFormat* format = format_of_ending(path);
  return format == nullptr ? "none" : std::string(format->name);
}

TEST(PictureFormat, FirstBytesDecide) {
  const std::string header = std::string("\x28\0\0\0", 4);
  const std::string box = std::string("\0\0\0\x18", 4) + "ftyp";
  const std::pair<std::string, const char*> files[] = {
      {"\xff\xd8\xff\xe0", "JPEG"},
      {"\x89PNG\r\n\x1a\n", "PNG"},
      {"P1\n", "PNM"},
      {"P6 ", "PNM"},
      {"P3#", "PNM"},
      {"BM" + std::string(12, 'x') + header, "BMP"},
      {"GIF87a", "GIF"},
      {"GIF89a\x01", "GIF"},
      {std::string("RIFF\x10\0\0\0WEBPVP8 ", 16), "WebP"},
      {std::string("II*\0\x08", 5), "TIFF"},
      {std::string("MM\0*\0", 5), "TIFF"},
      {std::string("II+\0\x08", 5), "TIFF"},
      {box + "heic", "HEIC"},
      {box + "mif1", "HEIC"},
      {box + "avif", "AVIF"},
      {"P7\nWIDTH 1\n", "PAM"},
      {std::string("8BPS\0\x01", 6), "PSD"},
      {"\xff\x0a", "JPEG XL"},
      {std::string("\0\0\0\x0cjP  \r\n", 10), "JPEG 2000"},
      {std::string("\0\0\1\0\1\0\x10\x10\0\0\1\0", 12), "ICO"},
      {"qoif", "QOI"},
      {std::string("DDS \x7c\0\0\0", 8), "DDS"},
      {std::string("\x0a\5\1\x08", 4), "PCX"},
      {std::string("\1\xda\0\1", 4), "SGI"},
      {"\x76\x2f\x31\x01", "EXR"},
      {"%PDF-1.4", "PDF"},
      {std::string("\0\0\1\xba\x44\0\4\0\4\0", 10), "none"},
      {"\n\nhello", "none"},
      {std::string("\1\xda\2\1", 4), "none"},
      {"", "none"},
      {"P5", "none"},
      {"P5x", "none"},
      {"P0\n", "none"},
      {"\xff\xd8", "none"},
      {"\x89PNG", "none"},
      {"BMW drives a header of text", "none"},
      {"GIF90a", "none"},
      {std::string("RIFF\x10\0\0\0AVI LIST", 16), "none"},
      {box + "isom", "none"},
      {"hello", "none"},
  };
  for (const auto& [bytes, name] : files) {
    EXPECT_EQ(kind_of(bytes), name);
    if (bytes.size() > kFormatBytes) {
      EXPECT_EQ(kind_of(bytes.substr(0, kFormatBytes)), name);
    }
  }
}

TEST(PictureFormat, EndingsInAnyLetters) {
  EXPECT_EQ(kind_of_name("a.jpg"), "JPEG");
  EXPECT_EQ(kind_of_name("photos.d/A.JPEG"), "JPEG");
  EXPECT_EQ(kind_of_name("a.b.JfIf"), "JPEG");
  EXPECT_EQ(kind_of_name("a.pbm"), "PNM");
  EXPECT_EQ(kind_of_name("a.bmp"), "BMP");
  EXPECT_EQ(kind_of_name("a.gif"), "GIF");
  for (const char* name : {"", "a", "jpg", "a.png/b", "a.", "a.mp4", "a.psd", "a.jpg2"})
    EXPECT_EQ(kind_of_name(name), "none") << name;
  EXPECT_EQ(ending_of("x/y.Z"), ".z");
}

TEST(PictureFormat, AllEndingsAreListed) {
  const std::vector<std::string>& endings = picture_endings();
  EXPECT_EQ(endings.front(), ".jpg");
  const std::set<std::string> all(endings.begin(), endings.end());
  EXPECT_EQ(all.size(), endings.size());
  for (const char* ending : {".jpeg", ".png", ".pbm", ".JPG", ".PNG", ".WEBP", ".tiff", ".HEIC"})
    EXPECT_TRUE(all.count(ending) == 1) << ending;
  EXPECT_EQ(all.count(".psd"), 0u);
}

TEST(PictureFormat, NoTwoFormatsShareAnEnding) {
  std::set<std::string_view> seen;
  for (const PictureFormat& format : picture_formats()) {
    for (const std::string_view ending : format.endings) {
      if (!ending.empty()) {
        EXPECT_TRUE(seen.insert(ending).second) << ending;
      }
    }
  }
  EXPECT_EQ(names_of_formats().substr(0, 14), "JPEG, PNG, PNM");
}

}  // namespace
}  // namespace winnow
