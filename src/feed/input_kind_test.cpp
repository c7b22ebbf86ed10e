// Tests which files are pictures and which are videos, by their first bytes and their endings.
#include "feed/input_kind.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <winnow/error.h>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

InputKind kind(const std::string& bytes, const std::string& name = "file") {
  return kind_of_bytes(std::as_bytes(std::span(bytes)), name);
}

std::string movie(const std::string& brand) { return std::string("\0\0\0\x18", 4) + "ftyp" + brand; }

std::string packets(std::size_t first, std::size_t size) {
  std::string bytes(kKindBytes, 'x');
  for (std::size_t at = first; at < bytes.size(); at += size) bytes[at] = 'G';
  return bytes;
}

TEST(InputKind, FirstBytesOfVideos) {
  const std::string zeros(4, '\0');
  for (const std::string& bytes :
       {movie("isom"), movie("mp42"), movie("qt  "), movie("M4V "), movie("3gp5"), zeros + "moov",
        std::string("\0\0\0\x08wide", 8), "RIFF" + zeros + "AVI LIST", std::string("\x1a\x45\xdf\xa3"),
        std::string("FLV\x01"), std::string("OggS\0", 5), std::string("YUV4MPEG2 W2"),
        std::string("\0\0\x01\xba", 4), std::string("\0\0\x01\xb3", 4), packets(0, 188), packets(4, 192),
        std::string("\x30\x26\xb2\x75\x8e\x66\xcf\x11")})
    EXPECT_EQ(kind(bytes), InputKind::kVideo) << bytes;
}

TEST(InputKind, FirstBytesOfPicturesAndOfNeither) {
  for (const std::string& bytes : {std::string("\xff\xd8\xff\xe0"), std::string("GIF89a"), movie("heic"),
                                   movie("avif"), "RIFF" + std::string(4, '\0') + "WEBP"})
    EXPECT_EQ(kind(bytes), InputKind::kPicture) << bytes;
  for (const std::string& bytes :
       {std::string(), std::string("The free world"), movie("M4A "), movie("crx "), packets(0, 200),
        "RIFF" + std::string(4, '\0') + "WAVE", std::string("8BPS\0\1", 6)})
    EXPECT_EQ(kind(bytes), InputKind::kUnknown) << bytes;
}

TEST(InputKind, MotionJpegIsAVideoByItsName) {
  EXPECT_EQ(kind("\xff\xd8\xff\xe0", "a.MJPEG"), InputKind::kVideo);
  EXPECT_EQ(kind("\xff\xd8\xff\xe0", "a.mjpg"), InputKind::kVideo);
  EXPECT_EQ(kind("GIF89a", "a.mjpg"), InputKind::kPicture);
}

TEST(InputKind, BytesWinOverTheEnding) {
  const TestFolder folder;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  };
  for (const auto& read : {kind_of_file, read_input_kind}) {
    EXPECT_EQ(read(write("gif.mp4", "GIF89a")), InputKind::kPicture);
    EXPECT_EQ(read(write("film.jpg", movie("isom"))), InputKind::kVideo);
    EXPECT_EQ(read(write("text.jpg", "words")), InputKind::kPicture);
    EXPECT_EQ(read(write("text.mp4", "words")), InputKind::kVideo);
    EXPECT_EQ(read(write("empty.avi", "")), InputKind::kVideo);
    EXPECT_EQ(read(folder.file("nowhere.png")), InputKind::kPicture);
  }
}

TEST(InputKind, AnEndingThatSaysNothing) {
  const TestFolder folder;
  const auto write = [&](const std::string& bytes) {
    std::ofstream(folder.file("file"), std::ios::binary) << bytes;
    return folder.file("file");
  };
  EXPECT_EQ(kind_of_file(write("\x01\x02\x03\x80")), InputKind::kUnknown);
  EXPECT_EQ(read_input_kind(folder.file("file")), InputKind::kVideo);
  EXPECT_EQ(read_input_kind(write(std::string("8BPS\0\1", 6))), InputKind::kPicture);
  EXPECT_THROW(read_input_kind(write("words")), Error);
  EXPECT_THROW(read_input_kind(write("")), Error);
  EXPECT_THROW(read_input_kind(folder.file("nowhere")), Error);
}

}  // namespace
}  // namespace winnow
