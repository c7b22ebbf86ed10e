#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/video.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "video/films_for_test.h"

namespace winnow {
namespace {

#ifdef WINNOW_HAVE_VIDEO

class VideoRefuse : public Video {};

TEST_F(VideoRefuse, LargerThanAllowedIsALimit) {
  make_video(path("film.mp4"), {96, 64}, 2);
  EXPECT_EQ(error_of([&] {
              VideoReader reader(path("film.mp4"), {false, 1, 96 * 64 - 1});
            }).code(),
            ErrorCode::kLimit);
  EXPECT_EQ(error_of([&] { VideoReader reader(path("film.mp4"), {false, 1, 0}); }).code(), ErrorCode::kLimit);
  VideoReader reader(path("film.mp4"), {false, 1, 96 * 64});
  EXPECT_EQ(count_frames(reader), 2);
}

TEST_F(VideoRefuse, WhatIsNoVideoIsAnErrorWithItsName) {
  const auto code = [&](const std::string& name) {
    const Error error = error_of([&] { VideoReader reader(name); });
    EXPECT_EQ(error.file(), name);
    return error.code();
  };
  EXPECT_EQ(code(path("missing.mp4")), ErrorCode::kIo);
  EXPECT_EQ(code(folder_.string()), ErrorCode::kIo);
  EXPECT_EQ(code("/dev/null"), ErrorCode::kIo);  // a device, but no camera
  put_bytes(path("empty.mp4"), {});
  EXPECT_EQ(code(path("empty.mp4")), ErrorCode::kFormat);
  std::mt19937 random(7);
  std::vector<char> garbage(100000);
  for (char& c : garbage) c = static_cast<char>(random());
  put_bytes(path("garbage.mp4"), garbage);
  EXPECT_EQ(code(path("garbage.mp4")), ErrorCode::kFormat);
  make_wav(path("sound.wav"));
  EXPECT_EQ(code(path("sound.wav")), ErrorCode::kFormat);
  EXPECT_EQ(code("http://127.0.0.1:9/film.mp4"), ErrorCode::kIo);  // a path, not an address
}

TEST_F(VideoRefuse, PlaylistsMayNotOpenOtherFiles) {
  make_video(path("film.mkv"), {96, 64}, 2);
  const auto text = [&](const std::string& name, const std::string& t) {
    put_bytes(path(name), {t.begin(), t.end()});
  };
  text("list.txt", "ffconcat version 1.0\nfile film.mkv\n");
  text("list.m3u8",
       "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n" + path("film.mkv") + "\n#EXT-X-ENDLIST\n");
  // The test works inside the folder, so that the files named in the lists would be found.
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_NO_THROW(VideoReader("film.mkv"));
  EXPECT_THROW(VideoReader("list.txt"), Error);
  EXPECT_THROW(VideoReader("list.m3u8"), Error);
  fs::current_path(before);
}

TEST_F(VideoRefuse, TruncatedFilesGiveWhatTheyHold) {
  make_video(path("film.mkv"), {160, 96}, 100);
  std::vector<char> bytes = bytes_of(path("film.mkv"));
  bytes.resize(bytes.size() / 2);
  put_bytes(path("half.mkv"), bytes);
  VideoReader reader(path("half.mkv"));
  const int count = count_frames(reader);
  EXPECT_GT(count, 0);
  EXPECT_LT(count, 100);
  // An .mp4 keeps its index at the end, and cannot be read without it.
  make_video(path("film.mp4"), {160, 96}, 10);
  bytes = bytes_of(path("film.mp4"));
  bytes.resize(bytes.size() / 2);
  put_bytes(path("half.mp4"), bytes);
  EXPECT_EQ(error_of([&] { VideoReader none(path("half.mp4")); }).code(), ErrorCode::kFormat);
}

TEST_F(VideoRefuse, PacketsOutsideATruncatedFileAreCounted) {
  if (!ffmpeg_is_here()) GTEST_SKIP() << "the ffmpeg command is missing";
  make_video(path("film.mp4"), {160, 96}, 100);
  ASSERT_TRUE(ffmpeg("-i " + path("film.mp4") + " -c copy -movflags faststart " + path("index_first.mp4")));
  std::vector<char> bytes = bytes_of(path("index_first.mp4"));
  bytes.resize(bytes.size() * 7 / 10);
  put_bytes(path("half.mp4"), bytes);
  VideoReader reader(path("half.mp4"));
  const int count = count_frames(reader);
  EXPECT_GT(count, 0);
  EXPECT_LT(count, 100);
  EXPECT_GE(reader.broken(), 100 - count - 1);  // one truncated packet may decode
}

TEST_F(VideoRefuse, APacketThatIsCutOffIsCountedOnce) {
  if (!ffmpeg_is_here()) GTEST_SKIP() << "the ffmpeg command is missing";
  make_video(path("film.mkv"), {160, 96}, 100);
  for (const std::string codec : {"copy", "mpeg4"}) {
    ASSERT_TRUE(
        ffmpeg("-i " + path("film.mkv") + " -c:v " + codec + " -movflags faststart " + path("film.mp4")));
    const std::string packets = "ffprobe -v error -show_entries packet=size,pos -of csv=p=0 " +
                                path("film.mp4") + " >" + path("list");
    ASSERT_EQ(std::system(packets.c_str()), 0);
    std::vector<std::size_t> begins;
    std::size_t size = 0, begin = 0;
    char comma = 0;
    for (std::ifstream list(path("list")); list >> size >> comma >> begin;) begins.push_back(begin);
    ASSERT_EQ(begins.size(), 100u);
    const std::vector<char> whole = bytes_of(path("film.mp4"));
    for (const int gone : {60, 37, 10}) {
      for (const std::size_t more : {0, 3, 8}) {
        std::vector<char> bytes = whole;
        bytes.resize(begins[100 - gone] + more);
        put_bytes(path("half.mp4"), bytes);
        VideoReader reader(path("half.mp4"));
        count_frames(reader);
        EXPECT_EQ(reader.broken(), gone) << codec << ", " << more << " bytes of a packet are there";
      }
    }
  }
}

TEST_F(VideoRefuse, BrokenBytesNeverCrash) {
  std::mt19937 random(11);
  for (const std::string name : {"film.mp4", "film.mkv", "film.avi"}) {
    make_video(path(name), {96, 64}, 30);
    const std::vector<char> good = bytes_of(path(name));
    int frames = 0;
    for (int round = 0; round < 20; ++round) {
      std::vector<char> bad = good;
      for (int i = 0; i < 20; ++i) bad[random() % bad.size()] = static_cast<char>(random());
      put_bytes(path("bad"), bad);
      try {
        VideoReader reader(path("bad"), {true, 1, 1 << 20});
        frames += count_frames(reader);
      } catch (const Error& error) {
        EXPECT_EQ(error.file(), path("bad")) << "round " << round;
      }
    }
    EXPECT_GT(frames, 30) << name;
  }
}

TEST_F(VideoRefuse, WriterRefusesWhatMakesNoSense) {
  const VideoInfo info{{64, 48}, 25, 0, 0, false};
  const auto code = [&](const std::string& name, const VideoInfo& about) {
    return error_of([&] { VideoWriter writer(path(name), about); }).code();
  };
  EXPECT_EQ(code("film.txt", info), ErrorCode::kUsage);
  EXPECT_EQ(code("film", info), ErrorCode::kUsage);
  EXPECT_EQ(code("film.mp4", VideoInfo{}), ErrorCode::kUsage);
  EXPECT_EQ(code("film.mp4", VideoInfo{{100000, 100000}, 25, 0, 0, false}), ErrorCode::kUnsupported);
  EXPECT_EQ(code("no/such/folder/film.mp4", info), ErrorCode::kIo);
  EXPECT_EQ(error_of([&] { VideoWriter writer(path("film.mp4"), info, path("missing.mp4")); }).code(),
            ErrorCode::kIo);

  VideoWriter writer(path("film.mp4"), info);
  EXPECT_EQ(error_of([&] { writer.write(drawn({48, 64}, 0).view(), 0); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] {
              writer.write(drawn({64, 48}, 0).view(), std::numeric_limits<double>::quiet_NaN());
            }).code(),
            ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] { writer.finish(); }).code(), ErrorCode::kUsage);  // no frames
}

TEST_F(VideoRefuse, AnUnfinishedFileIsTakenAway) {
  {
    VideoWriter writer(path("film.mp4"), VideoInfo{{64, 48}, 25, 0, 0, false});
    writer.write(drawn({64, 48}, 0).view(), 0);
    EXPECT_TRUE(fs::exists(path("film.mp4.part")));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(VideoRefuse, AFullDiskIsAnError) {
  for (const std::string name : {"film.mp4", "film.mkv", "film.avi"}) {
    fs::create_symlink("/dev/full", path(name + ".part"));
    EXPECT_EQ(error_of([&] { make_video(path(name), {64, 48}, 5); }).code(), ErrorCode::kIo) << name;
    EXPECT_FALSE(fs::exists(path(name)));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

#endif

}  // namespace
}  // namespace winnow
