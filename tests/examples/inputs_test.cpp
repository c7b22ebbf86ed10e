// Runs the examples of docs/library/ that search videos, streams and folders.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/folder_for_test.h"
#include "guide_for_test.h"
#include "library_guide.h"

namespace {

using winnow::Box;
using winnow::Detections;
using winnow::Detector;
using winnow::GrayImage;
using winnow::TestFolder;

TEST(Guide, SearchesAVideo) {
  if (!winnow::video_supported()) GTEST_SKIP() << "this build or machine has no video";
  const TestFolder folder;
  std::string film = "YUV4MPEG2 W160 H120 F10:1 Ip A1:1 C420jpeg\n";
  for (int i = 0; i < 12; ++i) {
    std::vector<Box> squares;
    if (i != 5) squares.push_back({30, 30, 40, 40});
    const GrayImage frame = draw({160, 120}, squares);
    film += "FRAME\n" + std::string(reinterpret_cast<const char*>(frame.row(0)), 160 * 120) +
            std::string(160 * 120 / 2, '\x80');
  }
  write_text(folder.file("film.y4m"), film);
  Detector detector(square_finder());
  EXPECT_EQ(guide::frames_with_objects(detector, folder.file("film.y4m")), 2) << "of frames 0, 5 and 10";
}

TEST(Guide, SearchesInputs) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.file("photos"));
  std::filesystem::copy(kPicture, folder.file("photos/squares.pgm"));
  write_text(folder.file("photos/wrong.png"), "this is no picture");
  testing::internal::CaptureStdout();
  const int problems = guide::search_inputs(square_finder(), {folder.file("photos")}, folder.file("marked"));
  const std::string lines = testing::internal::GetCapturedStdout();
  EXPECT_EQ(problems, 1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1);
  EXPECT_NE(lines.find("\"width\":200,\"height\":150,"), std::string::npos) << lines;
  EXPECT_EQ(winnow::read_picture(folder.file("marked/squares.ppm"), {.color = true}).color.size(),
            (winnow::Size{200, 150}));
}

TEST(Guide, CountsFramesInAState) {
  const TestFolder folder;
  // Squares in frames 0 and 4 of the first stream, and in none of the second.
  const auto stream = [&](const std::string& name, int frames, int period) {
    std::string text;
    for (int i = 0; i < frames; ++i) {
      std::vector<Box> squares;
      if (i % period == 0) squares.push_back({30, 30, 40, 40});
      const GrayImage frame = draw({160, 120}, squares);
      text += "P5 160 120 255\n" + std::string(reinterpret_cast<const char*>(frame.row(0)), 160 * 120);
    }
    write_text(folder.file(name), text);
    return winnow::Input{winnow::InputKind::kStream, folder.file(name), name, ""};
  };
  const winnow::Input first = stream("first", 7, 4), second = stream("second", 3, 2);
  EXPECT_EQ(guide::longest_absence(square_finder(), {first}), 3);
  EXPECT_EQ(guide::longest_absence(square_finder(), {first, second}), 3) << "states were not parted";
}

TEST(Guide, SearchesInTheBackground) {
  std::vector<winnow::Input> inputs(3, {winnow::InputKind::kPicture, kPicture, "squares.pgm", ""});
  std::promise<void> answered;
  std::atomic<int> answers = 0;
  std::jthread thread = guide::search_in_background(square_finder(), inputs, [&](const Detections& found) {
    EXPECT_EQ(found.objects.size(), 2u);
    if (++answers == 3) answered.set_value();
  });
  answered.get_future().wait();
  thread.join();
  EXPECT_EQ(answers, 3);
}

TEST(Guide, AStopEndsTheBackground) {
  std::atomic<int> answers = 0;
  std::vector<winnow::Input> inputs(100000, {winnow::InputKind::kPicture, kPicture, "squares.pgm", ""});
  std::promise<void> answered;
  std::jthread thread = guide::search_in_background(square_finder(), inputs, [&](const Detections&) {
    if (++answers == 1) answered.set_value();
  });
  answered.get_future().wait();
  thread.request_stop();
  thread.join();
  EXPECT_LT(answers, 100000);
}

}  // namespace
