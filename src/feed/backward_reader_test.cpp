// Tests that frames come backwards, each once, whatever is kept.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <stop_token>
#include <string>
#include <vector>

#include <winnow/error.h>
#include <winnow/feed.h>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

constexpr int kFrames = 11, kSide = 8;

std::string picture(int number) {
  return "P5 8 8 255\n" + std::string(kSide * kSide, static_cast<char>(20 * number));
}

// The same frames as one stream in a file, which can be read again as a video can, and as pictures.
class Frames : public TestFolder {
 public:
  Frames() {
    std::ofstream stream(file("stream"), std::ios::binary);
    for (int number = 0; number < kFrames; ++number) {
      stream << picture(number);
      const std::string path = file(std::to_string(number) + ".pgm");
      std::ofstream(path, std::ios::binary) << picture(number);
      pictures.push_back({InputKind::kPicture, path, "", ""});
    }
  }
  std::vector<Input> pictures;
  std::vector<Input> video() const { return {{InputKind::kStream, file("stream"), "stream", ""}}; }
};

// The numbers of the frames that come. Each frame's pixels are checked.
std::vector<std::int64_t> numbers(BackwardReader reader) {
  std::vector<std::int64_t> list;
  for (FrameEvent event; reader.next(event);) {
    EXPECT_EQ(event.kind, FrameEvent::Kind::kFrame);
    EXPECT_EQ(std::as_const(event.picture.gray).view().row(3)[5], 20 * event.index);
    list.push_back(event.index);
  }
  return list;
}

std::vector<std::int64_t> down_from(std::int64_t from) {
  std::vector<std::int64_t> list;
  for (; from >= 0; --from) list.push_back(from);
  return list;
}

TEST(BackwardReader, GivesEachFrameOnceWhateverIsKept) {
  const Frames frames;
  for (const std::int64_t kept :
       {std::int64_t{0}, std::int64_t{64}, std::int64_t{200}, std::int64_t{1} << 20})
    for (const int from : {0, 1, 5, 10})
      EXPECT_EQ(numbers(BackwardReader(frames.video(), from, {}, {}, kept)), down_from(from)) << kept;
  for (const int from : {0, 5, 10})
    EXPECT_EQ(numbers(BackwardReader(frames.pictures, from)), down_from(from)) << from;
}

TEST(BackwardReader, BeginsWithTheLastFrameOfAShortVideo) {
  const Frames frames;
  EXPECT_EQ(numbers(BackwardReader(frames.video(), 99)), down_from(10));
  EXPECT_EQ(numbers(BackwardReader(frames.video(), 99, {}, {}, 130)), down_from(10));
  EXPECT_EQ(numbers(BackwardReader(frames.pictures, 99)), down_from(10));
  EXPECT_TRUE(numbers(BackwardReader(frames.video(), -1)).empty());
  EXPECT_TRUE(numbers(BackwardReader(frames.pictures, -1)).empty());
}

TEST(BackwardReader, LeavesOutWhatCannotBeRead) {
  Frames frames;
  std::ofstream(frames.file("4.pgm"), std::ios::binary) << "P5 8 8 255\nshort";
  EXPECT_EQ(numbers(BackwardReader(frames.pictures, 6)), (std::vector<std::int64_t>{6, 5, 3, 2, 1, 0}));
  EXPECT_TRUE(numbers(BackwardReader({{InputKind::kStream, frames.file("none"), "", ""}}, 6)).empty());
}

TEST(BackwardReader, StopsAndRefuses) {
  const Frames frames;
  std::stop_source stop;
  BackwardReader reader(frames.video(), 9, {}, stop.get_token());
  FrameEvent event;
  EXPECT_TRUE(reader.next(event));
  stop.request_stop();
  EXPECT_FALSE(reader.next(event));
  FrameReaderOptions second;
  second.every = 2;
  EXPECT_THROW(BackwardReader(frames.video(), 9, second), Error);
}

}  // namespace
}  // namespace winnow
