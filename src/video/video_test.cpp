#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/video.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "video/films_for_test.h"

namespace winnow {
namespace {

#ifndef WINNOW_HAVE_VIDEO

TEST(VideoOff, OpeningSaysThatTheBuildHasNoVideo) {
  EXPECT_FALSE(video_supported());
  const Error reading = error_of([] { VideoReader reader("film.mp4"); });
  EXPECT_EQ(reading.code(), ErrorCode::kUnsupported);
  EXPECT_THAT(reading.what(),
              testing::HasSubstr("this build has no video: it was configured without FFmpeg"));
  EXPECT_EQ(reading.file(), "film.mp4");
  const Error writing = error_of([] { VideoWriter writer("film.mp4", VideoInfo{{8, 8}, 25, 0, 0, false}); });
  EXPECT_EQ(writing.code(), ErrorCode::kUnsupported);
  EXPECT_EQ(writing.file(), "film.mp4");
}

#else

class VideoContainers : public Video, public testing::WithParamInterface<const char*> {};

TEST_P(VideoContainers, ComesBackAsItWasWritten) {
  const std::string file = path(std::string("film") + GetParam());
  const Size size{160, 96};
  make_video(file, size, 20);
  EXPECT_FALSE(fs::exists(file + ".part"));
  EXPECT_TRUE(video_supported());

  VideoReader reader(file, {true, 1, 1 << 20});
  EXPECT_EQ(reader.info().size, size);
  EXPECT_NEAR(reader.info().frames_per_second, 25, 0.01);
  EXPECT_NEAR(reader.info().duration, 0.8, 0.05);
  EXPECT_NEAR(static_cast<double>(reader.info().frames), 20, 1);
  EXPECT_FALSE(reader.info().has_audio);
  VideoFrame frame;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(reader.next(frame)) << i;
    EXPECT_EQ(frame.index, i);
    EXPECT_NEAR(frame.time, i / 25.0, 0.0011);
    ASSERT_EQ(frame.picture.color.size(), size);
    ASSERT_EQ(frame.picture.gray.size(), size);
    const Rgb middle = frame.picture.color.row(16)[8 + 4 * i + kSide / 2];
    const Rgb back = frame.picture.color.row(70)[80];
    EXPECT_TRUE(near(middle, kSquare)) << i << ": " << +middle.r << " " << +middle.g << " " << +middle.b;
    EXPECT_TRUE(near(back, kBack)) << i << ": " << +back.r << " " << +back.g << " " << +back.b;
    // Grey is exactly `to_gray` of the same frame's RGB.
    const GrayImage gray = to_gray(frame.picture.color.view());
    for (int y = 0; y < size.height; ++y) {
      ASSERT_TRUE(std::equal(gray.row(y), gray.row(y) + size.width, frame.picture.gray.row(y)));
    }
  }
  EXPECT_FALSE(reader.next(frame));
  EXPECT_FALSE(reader.next(frame));
  EXPECT_EQ(reader.broken(), 0);
}

TEST_P(VideoContainers, OddSizesKeepTheirSize) {
  const std::string file = path(std::string("odd") + GetParam());
  make_video(file, {75, 61}, 3);
  VideoReader reader(file, {true, 1, 1 << 20});
  VideoFrame frame;
  ASSERT_TRUE(reader.next(frame));
  ASSERT_EQ(frame.picture.color.size(), (Size{75, 61}));
  EXPECT_TRUE(near(frame.picture.color.row(60)[74], kBack));
  EXPECT_TRUE(near(frame.picture.color.row(60)[0], kBack));
  EXPECT_EQ(count_frames(reader), 2);
}

INSTANTIATE_TEST_SUITE_P(Endings, VideoContainers, testing::Values(".mp4", ".mkv", ".avi", ".MP4"),
                         [](const auto& one) {
                           const std::string ending = one.param;
                           return ending == ".MP4" ? "UpperCase" : ending.substr(1);
                         });

TEST_F(Video, DeliversEveryNthFrameOnly) {
  make_video(path("film.mp4"), {96, 64}, 20);
  VideoReader reader(path("film.mp4"), {false, 3, 1 << 20});
  VideoFrame frame;
  std::vector<std::int64_t> indices;
  while (reader.next(frame)) {
    indices.push_back(frame.index);
    EXPECT_NEAR(frame.time, static_cast<double>(frame.index) / 25, 0.001);
    EXPECT_TRUE(frame.picture.color.empty());
  }
  EXPECT_THAT(indices, testing::ElementsAre(0, 3, 6, 9, 12, 15, 18));
  EXPECT_EQ(error_of([&] {
              VideoReader none(path("film.mp4"), {false, 0, 1 << 20});
            }).code(),
            ErrorCode::kUsage);
}

TEST_F(Video, ReusesTheMemoryOfTheFrame) {
  make_video(path("film.mkv"), {96, 64}, 5);
  VideoReader opened(path("film.mkv"), {true, 1, 1 << 20});
  VideoReader reader = std::move(opened);
  VideoFrame frame;
  ASSERT_TRUE(reader.next(frame));
  const std::uint8_t* gray = frame.picture.gray.row(0);
  const Rgb* color = frame.picture.color.row(0);
  while (reader.next(frame)) {
    EXPECT_EQ(frame.picture.gray.row(0), gray);
    EXPECT_EQ(frame.picture.color.row(0), color);
  }
}

TEST_F(Video, APictureMayBeTakenOutOfTheFrame) {
  make_video(path("a.mkv"), {96, 64}, 5);
  VideoReader reader(path("a.mkv"), {.color = true});
  VideoFrame frame;
  std::vector<Picture> kept;
  while (reader.next(frame)) kept.push_back(std::move(frame.picture));
  ASSERT_EQ(kept.size(), 5u);
  for (const Picture& picture : kept) EXPECT_EQ(picture.color.size(), (Size{96, 64}));
}

TEST_F(Video, KeepsTheShapeOfPixels) {
  for (const char* name : {"a.mp4", "a.mkv", "a.avi"}) {
    VideoInfo info{{96, 64}, 25, 0, 0, false, {}};
    info.pixel = {64, 45};
    VideoWriter writer(path(name), info);
    for (int i = 0; i < 3; ++i) writer.write(drawn(info.size, i).view(), i / 25.);
    writer.finish();
    EXPECT_EQ(VideoReader(path(name)).info().pixel, info.pixel) << name;
    info.pixel = {0, 1};
    EXPECT_EQ(error_of([&] { VideoWriter(path(name), info); }).code(), ErrorCode::kUsage);
  }
  make_video(path("b.mkv"), {96, 64}, 3);
  EXPECT_EQ(VideoReader(path("b.mkv")).info().pixel, (Size{1, 1}));
}

TEST_F(Video, AudioEndsWithTheFramesOfWhatWasGivenUp) {
  make_wav(path("a.wav"), 80000);  // ten seconds
  for (const bool given_up : {false, true}) {
    VideoWriter writer(path("a.mkv"), VideoInfo{{96, 64}, 25, 0, 0, false}, path("a.wav"));
    for (int i = 0; i < 25; ++i) writer.write(drawn({96, 64}, i).view(), i / 25.);
    writer.finish(given_up);
    EXPECT_NEAR(VideoReader(path("a.mkv")).info().duration, given_up ? 1 : 10, 0.2);
  }
}

TEST_F(Video, MatroskaHoldsAudioUnderItsNumberOfWavFiles) {
  if (!ffmpeg_is_here()) GTEST_SKIP() << "no ffmpeg here";
  make_wav(path("a.wav"), 8000);
  ASSERT_TRUE(ffmpeg("-i " + path("a.wav") + " -c:a adpcm_ms " + path("b.wav")));
  make_video(path("a.mkv"), {96, 64}, 5, 25, 0, path("b.wav"));
  EXPECT_TRUE(VideoReader(path("a.mkv")).info().has_audio);
}

TEST_F(Video, KeepsUnevenTimesAndBeginsAtZero) {
  const std::vector<double> times = {7.5, 7.51, 7.6, 7.6, 7.55, 9.0};  // two of the times do not rise
  {
    VideoWriter writer(path("film.mp4"), VideoInfo{{64, 64}, 0, 0, 0, false});
    for (std::size_t i = 0; i < times.size(); ++i)
      writer.write(drawn({64, 64}, static_cast<int>(i)).view(), times[i]);
    writer.finish();
    writer.finish();
    EXPECT_EQ(error_of([&] { writer.write(drawn({64, 64}, 0).view(), 10); }).code(), ErrorCode::kUsage);
  }
  VideoReader reader(path("film.mp4"));
  VideoFrame frame;
  std::vector<double> got;
  while (reader.next(frame)) got.push_back(frame.time);
  ASSERT_EQ(got.size(), times.size());
  const double expected[] = {0, 0.01, 0.1, 0.1, 0.1, 1.5};
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 0.0001) << i;
  EXPECT_LT(got[2], got[3]);
  EXPECT_LT(got[3], got[4]);
}

// Writes a display matrix of whole numbers into the track header of an .mp4.
void set_matrix(const std::string& file, int a, int b, int c, int d) {
  std::vector<char> bytes = bytes_of(file);
  const std::string name = "tkhd";
  const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
  ASSERT_NE(at, bytes.end());
  const auto matrix = (at - bytes.begin()) + 4 + (at[4] == 0 ? 40 : 52);
  const std::pair<int, int> entries[] = {{0, a}, {1, b}, {3, c}, {4, d}};
  for (const auto& [index, value] : entries) {
    const auto fixed = static_cast<std::uint32_t>(value * 65536);
    for (int i = 0; i < 4; ++i) {
      bytes[static_cast<std::size_t>(matrix + 4 * index + i)] = static_cast<char>(fixed >> (24 - 8 * i));
    }
  }
  put_bytes(file, bytes);
}

TEST_F(Video, TurnsFramesUpright) {
  const Size size{160, 96};
  // The middle of the square in frame 0 is at (16, 16). `size`, `x` and `y` are those of the upright frame.
  struct Case {
    int a, b, c, d;
    Size size;
    int x, y;
  };
  const Case cases[] = {
      {1, 0, 0, 1, {160, 96}, 16, 16},    {0, 1, -1, 0, {96, 160}, 80, 16},
      {-1, 0, 0, -1, {160, 96}, 144, 80}, {0, -1, 1, 0, {96, 160}, 16, 144},
      {-1, 0, 0, 1, {160, 96}, 144, 16},  {1, 0, 0, -1, {160, 96}, 16, 80},
      {0, 1, 1, 0, {96, 160}, 16, 16},    {0, -1, -1, 0, {96, 160}, 80, 144},
  };
  make_video(path("film.mp4"), size, 2);
  for (const Case& one : cases) {
    SCOPED_TRACE(testing::Message() << one.a << " " << one.b << " " << one.c << " " << one.d);
    set_matrix(path("film.mp4"), one.a, one.b, one.c, one.d);
    VideoReader reader(path("film.mp4"), {true, 1, 1 << 20});
    EXPECT_EQ(reader.info().size, one.size);
    VideoFrame frame;
    ASSERT_TRUE(reader.next(frame));
    ASSERT_EQ(frame.picture.color.size(), one.size);
    ASSERT_EQ(frame.picture.gray.size(), one.size);
    EXPECT_TRUE(near(frame.picture.color.row(one.y)[one.x], kSquare));
    EXPECT_TRUE(
        near(frame.picture.color.row(one.size.height - 1 - one.y)[one.size.width - 1 - one.x], kBack));
    const GrayImage gray = to_gray(frame.picture.color.view());
    for (int y = 0; y < one.size.height; ++y) {
      ASSERT_TRUE(std::equal(gray.row(y), gray.row(y) + one.size.width, frame.picture.gray.row(y)));
    }
  }
}

TEST_F(Video, CopiesTheAudioOfTheSource) {
  make_wav(path("sound.wav"));
  make_video(path("film.mkv"), {64, 64}, 10, 25, 0, path("sound.wav"));
  VideoReader reader(path("film.mkv"));
  EXPECT_TRUE(reader.info().has_audio);
  EXPECT_EQ(count_frames(reader), 10);
  // A new video may also take its audio from the file that the new video replaces.
  make_video(path("film.mkv"), {64, 64}, 12, 25, 0, path("film.mkv"));
  VideoReader again(path("film.mkv"));
  EXPECT_TRUE(again.info().has_audio);
  EXPECT_EQ(count_frames(again), 12);
  // The samples in the file are unchanged: the click is found between silence.
  const std::vector<char> bytes = bytes_of(path("film.mkv"));
  const std::string click = {0, 0, 0, 0, 0x20, 0x4e, 0, 0, 0, 0};
  EXPECT_NE(std::search(bytes.begin(), bytes.end(), click.begin(), click.end()), bytes.end());
}

TEST_F(Video, AudioThatDoesNotFitTheContainerIsAnError) {
  make_wav(path("sound.wav"));
  const Error error = error_of([&] { make_video(path("film.mp4"), {64, 64}, 2, 25, 0, path("sound.wav")); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_THAT(error.what(), testing::HasSubstr("pcm_s16le"));
  EXPECT_FALSE(fs::exists(path("film.mp4")));
  EXPECT_FALSE(fs::exists(path("film.mp4.part")));
}

TEST_F(Video, KeepsCompressedAudioInStep) {
  if (!ffmpeg_is_here()) GTEST_SKIP() << "the ffmpeg command is missing";
  // In a transport stream the times of sound and of pictures begin at 1.4 s.
  ASSERT_TRUE(ffmpeg(
      "-f lavfi -i testsrc=size=96x64:rate=25 -f lavfi -i sine=frequency=440 -t 2 -c:v mpeg2video -c:a aac "
      "-f mpegts " +
      path("in.ts")));
  for (const std::string out : {"out.mp4", "out.mkv"}) {
    VideoReader in(path("in.ts"), {true, 1, 1 << 20});
    EXPECT_TRUE(in.info().has_audio);
    VideoWriter writer(path(out), in.info(), path("in.ts"));
    VideoFrame frame;
    double first = -1;
    int count = 0;
    while (in.next(frame)) {
      if (first < 0) first = frame.time;
      EXPECT_EQ(frame.time, (36 + count) / 25.0) << "the double that is nearest";
      ++count;
      writer.write(frame.picture.color.view(), frame.time);
    }
    writer.finish();
    EXPECT_GT(first, 1);
    EXPECT_EQ(count, 50);
    VideoReader back(path(out));
    EXPECT_TRUE(back.info().has_audio);
    ASSERT_TRUE(back.next(frame));
    EXPECT_LT(frame.time, 0.2);  // the sound may begin before the first frame
    EXPECT_EQ(count_frames(back), 49);
    // The sound can be decoded without an error, and is two seconds long, as in the input.
    EXPECT_TRUE(ffmpeg("-xerror -i " + path(out) + " -map 0:a -f wav " + path("out.wav")));
    EXPECT_NEAR(static_cast<double>(fs::file_size(path("out.wav"))), 2.0 * 44100 * 2, 0.1 * 44100 * 2);
  }
}

TEST_F(Video, FollowsAChangeOfSizeInTheStream) {
  if (!ffmpeg_is_here()) GTEST_SKIP() << "the ffmpeg command is missing";
  for (const std::string size : {"96x64", "128x96"}) {
    ASSERT_TRUE(ffmpeg("-f lavfi -i testsrc=rate=25:size=" + size + " -t 0.4 -c:v mpeg2video -f mpegts " +
                       path(size)));
  }
  std::vector<char> bytes = bytes_of(path("96x64"));
  const std::vector<char> more = bytes_of(path("128x96"));
  bytes.insert(bytes.end(), more.begin(), more.end());
  put_bytes(path("both.ts"), bytes);
  VideoReader reader(path("both.ts"), {true, 1, 1 << 20});
  EXPECT_EQ(reader.info().size, (Size{96, 64}));
  VideoFrame frame;
  int small = 0, large = 0;
  while (reader.next(frame)) {
    if (frame.picture.color.size() == Size{96, 64}) ++small;
    if (frame.picture.color.size() == Size{128, 96}) ++large;
    EXPECT_EQ(frame.picture.color.size(), frame.picture.gray.size());
  }
  EXPECT_GE(small, 9);  // when the size changes, FFmpeg's decoder drops the frame that it holds back
  EXPECT_EQ(large, 10);
  // The frames of 128 x 96 exceed this limit in mid-stream.
  VideoReader limited(path("both.ts"), {true, 1, 96 * 64});
  EXPECT_EQ(error_of([&] { count_frames(limited); }).code(), ErrorCode::kLimit);
}

TEST_F(Video, GrayFramesKeepTheirPlane) {
  if (!ffmpeg_is_here()) GTEST_SKIP() << "the ffmpeg command is missing";
  std::vector<char> raw(64 * 48);
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<char>(i * 7);
  put_bytes(path("raw"), raw);
  ASSERT_TRUE(
      ffmpeg("-f rawvideo -pix_fmt gray -s 64x48 -i " + path("raw") + " -c:v ffv1 " + path("gray.mkv")));
  VideoReader reader(path("gray.mkv"), {true, 1, 1 << 20});
  VideoFrame frame;
  ASSERT_TRUE(reader.next(frame));
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      const auto v = static_cast<std::uint8_t>(raw[static_cast<std::size_t>(64 * y + x)]);
      ASSERT_EQ(frame.picture.gray.row(y)[x], v);
      ASSERT_EQ(frame.picture.color.row(y)[x], (Rgb{v, v, v}));
    }
  }
}

TEST_F(Video, WritesCropsOfLargerPictures) {
  const RgbImage large = drawn({200, 100}, 3);
  {
    VideoWriter writer(path("film.mkv"), VideoInfo{{64, 48}, 25, 0, 0, false});
    writer.write(large.view().crop({8, 4, 64, 48}), 0);
    writer.finish();
  }
  VideoReader reader(path("film.mkv"), {true, 1, 1 << 20});
  VideoFrame frame;
  ASSERT_TRUE(reader.next(frame));
  EXPECT_TRUE(near(frame.picture.color.row(12)[20], kSquare));
  EXPECT_TRUE(near(frame.picture.color.row(40)[20], kBack));
}

#endif

}  // namespace
}  // namespace winnow
