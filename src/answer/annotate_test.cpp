#include <gtest/gtest.h>

#include <cmath>

#include <filesystem>
#include <fstream>
#include <memory>
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

TEST(Annotator, CopiesOfFormatsThatAreNotWrittenBecomeOthers) {
  const TestFolder folder;
  const std::string out = folder.path() + "/out";
  Annotator annotator({.folder = out});
  for (const char* name : {"a.JPG", "b.jpeg", "c.jfif", "d.png", "e.pgm", "f.bmp", "g.GIF", "h", "i.dat"}) {
    FrameEvent frame = frame_of(100);
    annotator.write(picture(name), frame, kObject);
  }
  for (const char* name : {"a.jpg", "b.jpeg", "c.jpg", "d.png", "e.ppm", "f.png", "g.png", "h.png", "i.png"})
    EXPECT_TRUE(std::filesystem::is_regular_file(out + "/" + name)) << name;
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

// A copy of a black frame that has one face in each state. Each face is 12 pixels wide.
TEST(Annotate, CoversAreBlurredExactly) {
  const TestFolder folder;
  FrameEvent frame = frame_of(100);
  const Rgb dot{250, 0, 0};
  // Inside of the cover and at its corners; then beside it, where a found object would be blurred.
  for (const int at : {8, 27, 7, 28}) frame.picture.color.row(at)[at] = dot;
  const FaceCover cover{{8, 8, 20, 20}, 1, 1, CoverReason::kFound};
  Annotator({.folder = folder.path(), .blur = true})
      .write_covered(picture("covered.png"), frame, {&cover, 1});
  const RgbImage copy = read_picture(folder.path() + "/covered.png", {true}).color;
  EXPECT_LT(copy.row(8)[8].r, 200);
  EXPECT_LT(copy.row(27)[27].r, 200);
  EXPECT_EQ(copy.row(7)[7], dot);
  EXPECT_EQ(copy.row(28)[28], dot);
}

TEST(Annotate, FramesBehindAFailedVideoAreLeftAsTheyAre) {
  const TestFolder folder;
  Annotator annotator({.folder = folder.path(), .blur = true});
  const FaceCover cover{{8, 8, 20, 20}, 1, 1, CoverReason::kFound};
  const Rgb dot{250, 0, 0};
  Input input = picture("walk.mp4");
  input.kind = InputKind::kVideo;
  for (const bool first : {true, false}) {
    FrameEvent frame = frame_of(100);
    frame.picture.color.row(16)[16] = dot;
    frame.video = std::make_shared<VideoInfo>();  // a video without a frame rate cannot be written
    frame.time = 0;
    if (first) {
      EXPECT_THROW(annotator.write_covered(input, frame, {&cover, 1}), Error);
    } else {
      EXPECT_FALSE(annotator.write_covered(input, frame, {&cover, 1}));
      EXPECT_EQ(frame.picture.color.row(16)[16], dot);
    }
  }
  annotator.finish_input();
  FrameEvent frame = frame_of(100);
  EXPECT_TRUE(annotator.write_covered(picture("a.png"), frame, {&cover, 1}));
}

TEST(Annotate, ABlurredBoxHoldsThePoints) {
  Shape shape;
  shape.points = {{15, 15}, {44.5, 30}};
  EXPECT_EQ(blurred_box({10, 10, 20, 20}, shape, {100, 100}), (Box{6, 7, 44, 27}));
  EXPECT_EQ(blurred_box({10, 10, 20, 20}, {}, {31, 100}), (Box{8, 8, 23, 24}));
}

RgbImage copy_of_followed(const TestFolder& folder, bool blur) {
  FrameEvent frame = frame_of(0);
  frame.picture.gray = GrayImage(120, 60);
  frame.picture.color = RgbImage(120, 60);
  frame.picture.color.row(36)[6] = frame.picture.color.row(36)[46] =
      frame.picture.color.row(36)[86] = {255, 0, 0};
  const Shape shape{{{6, 34}}, {}};
  std::vector<Followed> faces;
  for (const FaceState state : {FaceState::kFound, FaceState::kTracked, FaceState::kLost}) {
    const int number = static_cast<int>(faces.size());
    faces.push_back({number + 1, state, {40 * number, 30, 12, 12}, 1, shape});
    for (LandmarkPoint& point : faces.back().shape.points) point.x += 40 * number;
  }
  const std::string name = blur ? "blurred.png" : "marked.png";
  Annotator({.folder = folder.path(), .blur = blur}).write_followed(picture(name), frame, faces);
  return read_picture(folder.path() + "/" + name, {true}).color;
}

int bright(const RgbImage& image, const Box& part) {
  int count = 0;
  for (int y = part.y; y < part.y + part.height; ++y)
    for (int x = part.x; x < part.x + part.width; ++x) count += image.row(y)[x].g > 0 ? 1 : 0;
  return count;
}

TEST(Annotator, TracksAreBlueWhereFoundAndYellowWhereTracked) {
  const TestFolder folder;
  FrameEvent frame;
  frame.kind = FrameEvent::Kind::kFrame;
  frame.picture.color = RgbImage(90, 40);
  std::vector<Track> tracks;
  tracks.push_back({1, TrackState::kFound, {2.4, 20, 12, 12}, 1});
  tracks.push_back({2, TrackState::kTracked, {31.6, 20, 12, 12}, 0.8});
  Annotator({.folder = folder.path()}).write_tracks(picture("marked.png"), frame, tracks);
  const RgbImage marked = read_picture(folder.path() + "/marked.png", {true}).color;
  EXPECT_EQ(marked.row(25)[2], (Rgb{40, 120, 255}));
  EXPECT_EQ(marked.row(25)[32], (Rgb{255, 220, 0}));
}

// A copy of a dark frame with these tracks.
RgbImage copy_of(Annotator& annotator, const TestFolder& folder, const std::string& name,
                 const std::vector<Track>& tracks) {
  FrameEvent frame;
  frame.kind = FrameEvent::Kind::kFrame;
  frame.picture.color = RgbImage(120, 60);
  annotator.write_tracks(picture(name), frame, tracks);
  return read_picture(folder.file(name), {true}).color;
}

constexpr Rgb kDark{0, 0, 0}, kFound{40, 120, 255}, kTracked{255, 220, 0}, kLost{255, 80, 60};

TEST(Annotator, ALostTrackIsDashedAndSaysSo) {
  const TestFolder folder;
  Annotator annotator({.folder = folder.path()});
  const RgbImage lost = copy_of(annotator, folder, "a.png", {{3, TrackState::kLost, {60, 20, 40, 30}, 0}});
  for (const int y : {20, 21, 48, 49}) {
    EXPECT_EQ(lost.row(y)[63], kLost) << y;
    EXPECT_EQ(lost.row(y)[70], kDark) << y << ": between two dashes";
    EXPECT_EQ(lost.row(y)[77], kLost) << y;
  }
  for (const int x : {60, 61, 98, 99}) {
    EXPECT_EQ(lost.row(24)[x], kLost) << x;
    EXPECT_EQ(lost.row(32)[x], kDark) << x;
  }
  EXPECT_EQ(lost.row(30)[80], kDark);
  EXPECT_EQ(lost.row(3)[47], kLost) << "the field of '3 lost' is 74 pixels wide, and moved to the left";
  EXPECT_EQ(lost.row(3)[119], kLost);
  EXPECT_EQ(lost.row(3)[44], kDark);
  const RgbImage unseen = copy_of(annotator, folder, "b.png", {{3, TrackState::kLost, {}, 0}});
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 120; ++x) ASSERT_EQ(unseen.row(y)[x], kDark) << x << " " << y;
}

TEST(Annotator, TracksLeaveATrail) {
  const TestFolder folder;
  Annotator annotator({.folder = folder.path(), .trail = 4});
  const auto at = [](int frame, TrackState state) {
    return std::vector<Track>{{1, state, {10.0 + 20 * frame, 26, 8, 8}, 1}};
  };
  copy_of(annotator, folder, "0.png", at(0, TrackState::kFound));
  copy_of(annotator, folder, "1.png", at(1, TrackState::kTracked));
  const RgbImage two = copy_of(annotator, folder, "2.png", at(2, TrackState::kFound));
  EXPECT_EQ(two.row(30)[25], kTracked) << "the way to the place where it was tracked";
  EXPECT_EQ(two.row(30)[45], kFound);
  EXPECT_EQ(two.row(25)[25], kDark);
  copy_of(annotator, folder, "3.png", at(3, TrackState::kLost));
  const RgbImage four = copy_of(annotator, folder, "4.png", at(4, TrackState::kFound));
  EXPECT_EQ(four.row(30)[25], kDark) << "the path has four frames";
  EXPECT_EQ(four.row(30)[45], kFound);
  for (const int x : {65, 85}) EXPECT_EQ(four.row(30)[x], kDark) << "a gap where it was lost";
  annotator.finish_input();
  EXPECT_EQ(copy_of(annotator, folder, "5.png", at(0, TrackState::kFound)).row(30)[45], kDark)
      << "another input begins a path of its own";
  EXPECT_THROW(Annotator({.folder = folder.path(), .trail = -1}), Error);
  Annotator plain({.folder = folder.path()});
  copy_of(plain, folder, "6.png", at(0, TrackState::kFound));
  EXPECT_EQ(copy_of(plain, folder, "7.png", at(1, TrackState::kFound)).row(30)[25], kDark);
}

TEST(Annotator, FollowedFacesHaveTheirNumbersAndLostOnesAreLeftOut) {
  const TestFolder folder;
  const RgbImage marked = copy_of_followed(folder, false);
  for (const int left : {0, 40}) {
    EXPECT_GT(bright(marked, {left, 30, 12, 12}), 50) << "box and point";
    EXPECT_GT(bright(marked, {left + 4, 33, 4, 3}), 0) << "the point";
    // A field of 14 x 18 pixels, with a dark number in it.
    EXPECT_GT(bright(marked, {left, 12, 14, 18}), 100);
    EXPECT_LT(bright(marked, {left, 12, 14, 18}), 14 * 18);
    EXPECT_EQ(bright(marked, {left, 0, 14, 12}), 0);
  }
  bool same = true;
  for (int y = 12; y < 30; ++y)
    for (int x = 0; x < 14; ++x) same = same && marked.row(y)[x] == marked.row(y)[40 + x];
  EXPECT_FALSE(same) << "1 and 2 look different";
  EXPECT_EQ(bright(marked, {80, 0, 40, 60}), 0) << "the lost face";
  const RgbImage blurred = copy_of_followed(folder, true);
  EXPECT_LT(blurred.row(36)[6].r, 200);
  EXPECT_LT(blurred.row(36)[46].r, 200);
  EXPECT_EQ(blurred.row(36)[86].r, 255) << "the lost face";
  EXPECT_EQ(bright(blurred, {0, 0, 120, 60}), 0) << "no boxes and no numbers";
}

TEST(Annotator, ABlurHoldsThePointsOfAFace) {
  const TestFolder folder;
  FrameEvent frame = frame_of(0);
  frame.picture.color = RgbImage(120, 60);
  frame.picture.color.row(50)[60] = frame.picture.color.row(20)[60] = {255, 0, 0};
  const Detection face{{50, 30, 20, 12}, 1, 1};
  const Shape chin{{{60, 50}, {std::nan(""), 0}}, {}};
  Annotator({.folder = folder.path(), .blur = true}).write(picture("a.png"), frame, {&face, 1}, {&chin, 1});
  const RgbImage blurred = read_picture(folder.path() + "/a.png", {true}).color;
  EXPECT_LT(blurred.row(50)[60].r, 200) << "below the box";
  EXPECT_EQ(blurred.row(20)[60].r, 255);
}

TEST(Annotator, NumbersStayInThePicture) {
  const Rgb green{0, 255, 0};
  RgbImage image(30, 20);
  draw_number(image.view(), {-50, 4, 20, 20}, 7, green, 1);
  EXPECT_GT(bright(image, {0, 4, 7, 9}), 30) << "below the corner, because there is no room above";
  EXPECT_EQ(bright(image, {7, 0, 23, 20}), 0);
  RgbImage right(30, 20);
  draw_number(right.view(), {1 << 28, 1 << 28, 20, 20}, 123, green, 1);
  EXPECT_GT(bright(right, {11, 11, 19, 9}), 80);
  EXPECT_EQ(bright(right, {0, 0, 11, 20}), 0);
  EXPECT_THROW(draw_number(image.view(), {0, 0, 9, 9}, 1, green, 0), Error);
  EXPECT_THROW(draw_number(image.view(), {0, 0, 9, 9}, 1, green, 101), Error);
  draw_number({}, {0, 0, 9, 9}, 1, green);
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
