#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <winnow/answer.h>
#include <winnow/error.h>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

const std::vector<Detection> kObject{{{8, 8, 16, 16}, 1, 1}};

FrameEvent frame_of(std::uint8_t grey) {
  FrameEvent frame;
  frame.kind = FrameEvent::Kind::kFrame;
  frame.picture.gray = GrayImage(40, 30);
  frame.picture.color = RgbImage(40, 30);
  std::fill_n(frame.picture.color.row(0), 40 * 30, Rgb{grey, grey, grey});
  return frame;
}

Input picture(const std::string& place) { return {InputKind::kPicture, "photos/" + place, place, ""}; }

TEST(Annotator, NoFileIsWrittenOver) {
  const TestFolder folder;
  const std::string out = folder.path() + "/out";
  Annotator annotator({.folder = out});
  for (int i = 0; i < 3; ++i) {
    FrameEvent frame = frame_of(100);
    annotator.write(picture("deep/a.pgm"), frame, kObject);
    annotator.finish_input();
  }
  for (const char* name : {"a.ppm", "a-1.ppm", "a-2.ppm"})
    EXPECT_TRUE(std::filesystem::is_regular_file(out + "/deep/" + name)) << name;
}

TEST(Annotator, FramesTheObjectOrBlursIt) {
  const TestFolder folder;
  FrameEvent framed = frame_of(100);
  Annotator({.folder = folder.path()}).write(picture("framed.png"), framed, kObject);
  const RgbImage framed_copy = read_picture(folder.path() + "/framed.png", {true}).color;
  EXPECT_NE(framed_copy.row(8)[8], (Rgb{100, 100, 100}));
  EXPECT_EQ(framed_copy.row(16)[16], (Rgb{100, 100, 100}));
  FrameEvent blurred = frame_of(100);
  blurred.picture.color.row(16)[16] = {250, 0, 0};
  blurred.picture.color.row(1)[1] = {250, 0, 0};
  Annotator({.folder = folder.path(), .blur = true}).write(picture("blurred.png"), blurred, kObject);
  const RgbImage blurred_copy = read_picture(folder.path() + "/blurred.png", {true}).color;
  EXPECT_LT(blurred_copy.row(16)[16].r, 200);
  EXPECT_EQ(blurred_copy.row(1)[1], (Rgb{250, 0, 0}));
}

TEST(Annotator, AFrameWithoutColourIsRefused) {
  const TestFolder folder;
  FrameEvent frame = frame_of(100);
  frame.picture.color = RgbImage();
  try {
    Annotator({.folder = folder.path()}).write(picture("grey.png"), frame, kObject);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(error.sentence().find("FrameReaderOptions::color"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Annotator, PicturesOfAStreamHaveNumbers) {
  const TestFolder folder;
  Annotator annotator({.folder = folder.path()});
  FrameEvent frame = frame_of(100);
  frame.index = 12;
  annotator.write({InputKind::kStream, "-", "stream", ""}, frame, {});
  EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() + "/stream-000012.jpg"));
}

TEST(Annotator, AFolderThatCannotBeMadeIsAnError) {
  const TestFolder folder;
  std::ofstream(folder.path() + "/file") << "x";
  EXPECT_THROW(Annotator({.folder = folder.path() + "/file"}), Error);
}

}  // namespace
}  // namespace winnow
