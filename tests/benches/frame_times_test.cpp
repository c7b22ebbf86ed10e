// Tests the sums of frame times, and sizes of frames as text.
#include "frame_times.h"

#include <gtest/gtest.h>

#include "frame_size.h"

namespace bench {
namespace {

TEST(FrameTimes, SumsUpTheCalls) {
  FrameTimes times;
  for (int i = 40; i >= 1; --i) times.add(i);
  EXPECT_EQ(times.mean(), 20.5);
  EXPECT_EQ(times.middle(), 20.5);
  EXPECT_EQ(times.within(0.95), 38);  // 38 of 40 are at most 38
  EXPECT_EQ(times.within(0), 1);
  EXPECT_EQ(times.within(1), 40);
  EXPECT_EQ(times.greatest(), 40);
  EXPECT_EQ(times.figures(), (std::vector<double>{20.5, 20.5, 38, 40}));
  EXPECT_EQ(time_values("a frame", 2).size(), times.figures().size());
}

TEST(FrameTimes, OfOneCallAreItsTime) {
  FrameTimes times;
  times.add(3);
  EXPECT_EQ(times.figures(), (std::vector<double>{3, 3, 3, 3}));
}

TEST(FrameTimes, AreZeroWithoutCalls) {
  EXPECT_EQ(FrameTimes().figures(), (std::vector<double>{0, 0, 0, 0}));
}

TEST(FrameTimes, CountProcessorTimeOrElapsedTime) {
  const auto wait = [] {
    for (const auto start = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - start < std::chrono::milliseconds(3);) {
    }
  };
  FrameTimes elapsed, processor(true);
  elapsed.time(wait);
  processor.time(wait);
  EXPECT_GE(elapsed.all().front(), 3);
  EXPECT_GT(processor.all().front(), 0);
}

TEST(FrameSize, IsReadAndWritten) {
  const winnow::Size size = parse_frame_size("640x480");
  EXPECT_EQ(size.width, 640);
  EXPECT_EQ(size.height, 480);
  EXPECT_EQ(size_in_words(size), "640x480");
  for (const char* text : {"", "640", "640x", "x480", "0x480", "640x0", "-1x480", "640x480 ", "640X480",
                           "99999x480", "640x480x2"})
    EXPECT_ANY_THROW(parse_frame_size(text)) << text;
}

}  // namespace
}  // namespace bench
