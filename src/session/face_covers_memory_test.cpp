// Tests `FaceCovers` on long and odd videos: delay, memory, sizes, empty frames, early ends.
#include <winnow/face_covers.h>

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <vector>

#include "session/walk_for_test.h"

namespace winnow {
namespace {

using sample::SquareWalk;
using sample::walk_frame;

constexpr Size kSize{160, 120};

// A face as a follower gives it: the box of a square, and points at the corners of the square's dark part.
Followed face_at(const Box& box, FaceState state = FaceState::kTracked, int id = 1) {
  Followed face{id, state, box, 1, {}};
  for (const double y : {0.25, 0.75})
    for (const double x : {0.25, 0.75})
      face.shape.points.push_back({box.x + x * box.width, box.y + y * box.height});
  return face;
}

std::int64_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks) + static_cast<std::int64_t>(info.hblkhd);
}

// A face comes and goes. Each time the face begins, it is carried back.
TEST(FaceCoversMemory, ALongVideoNeedsNoMoreThanAShortOne) {
  FaceCovers covers({.gap = 5, .sure = 1}, {BackendKind::kCpu, 1});
  const SquareWalk walk{50, 30, 0.5, 0};
  std::vector<GrayImage> frames;
  for (int i = 0; i < 40; ++i) frames.push_back(walk_frame(kSize, {walk}, i));
  std::vector<Box> boxes;
  std::int64_t given = 0, covered = 0, after_1000 = 0;
  for (int number = 0; number < 10'000; ++number) {
    const int at = number % 40;
    std::vector<Followed> faces;
    if (at > 20)
      faces.push_back(
          face_at(walk.box(at), at == 21 ? FaceState::kFound : FaceState::kTracked, 1 + number / 40));
    covers.add(frames[static_cast<std::size_t>(at)].view(), faces);
    while (covers.next(boxes)) {
      ++given;
      covered += !boxes.empty();
    }
    EXPECT_EQ(given, std::max(0, number + 1 - 5)) << "a frame comes when five more were added";
    if (number == 1000) after_1000 = bytes_in_use();
  }
  EXPECT_LT(bytes_in_use() - after_1000, 20'000) << "less than two frames";
  EXPECT_GT(covered, 6'000);
}

// The memory for grey frames is bounded, although all covers wait for the end of the video.
TEST(FaceCoversMemory, AWholeVideoKeepsBoundedFrames) {
  FaceCovers covers({.whole = true, .memory = 10 * 160 * 120}, {BackendKind::kCpu, 1});
  const SquareWalk walk{50, 30, 0.2, 0};
  std::vector<Box> boxes;
  std::int64_t before = 0;
  for (int number = 0; number < 1'000; ++number) {
    const GrayImage frame = walk_frame(kSize, {walk}, number % 100);
    covers.add(frame.view(), {});
    ASSERT_FALSE(covers.next(boxes));
    if (number == 20) before = bytes_in_use();
  }
  EXPECT_LT(bytes_in_use() - before, 1'000 * 100) << "100 bytes for a frame without faces";
  // A face is carried back only through frames that are kept: the nine frames before the newest.
  const GrayImage last = walk_frame(kSize, {walk}, 99);
  FaceCovers few({.linger = 0, .sure = 1, .whole = true, .memory = 10 * 160 * 120}, {BackendKind::kCpu, 1});
  for (int number = 0; number < 30; ++number) {
    const GrayImage frame = walk_frame(kSize, {walk}, number);
    few.add(frame.view(),
            number == 29 ? std::vector{face_at(walk.box(29), FaceState::kFound)} : std::vector<Followed>{});
  }
  few.finish();
  std::vector<int> covered;
  for (int number = 0; few.next(boxes); ++number)
    if (!boxes.empty()) covered.push_back(number);
  EXPECT_EQ(covered, (std::vector<int>{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}));
}

TEST(FaceCoversMemory, LiveAndWholeGiveTheirFramesInTime) {
  for (const int gap : {0, 1, 7}) {
    FaceCovers covers({.gap = gap}, {BackendKind::kCpu, 1});
    const GrayImage frame = walk_frame(kSize, {SquareWalk{}}, 0);
    std::vector<Box> boxes;
    int given = 0;
    for (int number = 0; number < 20; ++number) {
      covers.add(frame.view(), {});
      while (covers.next(boxes)) ++given;
      EXPECT_EQ(given, std::max(0, number + 1 - gap));
    }
    covers.finish();
    while (covers.next(boxes)) ++given;
    EXPECT_EQ(given, 20);
    EXPECT_FALSE(covers.next(boxes));
  }
}

TEST(FaceCoversMemory, AnotherSizeBeginsAnew) {
  FaceCovers covers({.whole = true}, {BackendKind::kCpu, 1});
  const SquareWalk walk{50, 30, 0, 0};
  const GrayImage frame = walk_frame(kSize, {walk}, 0), small = sample::make_scene({70, 50}, {});
  for (int number = 0; number < 6; ++number)
    covers.add(frame.view(), std::vector{face_at(walk.box(0), FaceState::kFound)});
  covers.add(small.view(), std::vector{face_at(walk.box(0), FaceState::kLost)});
  covers.add(small.view(), {});
  covers.add({}, {});
  covers.add(frame.view(), std::vector{face_at(walk.box(0), FaceState::kFound)});
  covers.finish();
  std::vector<Box> boxes;
  for (int number = 0; number < 10; ++number) {
    ASSERT_TRUE(covers.next(boxes));
    const bool has_face = number < 6 || number == 9;
    EXPECT_EQ(boxes.empty(), !has_face) << number;
    for (const Box& box : boxes) EXPECT_EQ(clip(box, kSize), box);
  }
}

TEST(FaceCoversMemory, CoversHoldBoxesAndPoints) {
  FaceCovers covers({.margin = 0, .sure = 1}, {BackendKind::kCpu, 1});
  Followed face = face_at({50, 30, 40, 40}, FaceState::kFound);
  face.shape.points[0] = {44.5, 28};
  face.shape.points[3] = {96, 77.5};
  covers.add(walk_frame(kSize, {SquareWalk{}}, 0).view(), std::vector{face});
  covers.finish();
  std::vector<Box> boxes;
  ASSERT_TRUE(covers.next(boxes));
  EXPECT_EQ(boxes, (std::vector<Box>{{44, 28, 52, 50}}));
}

// A sure face that looks like itself stays covered although no search finds it again. A face that is not sure
// stays covered only for the gap.
TEST(FaceCoversMemory, SureFacesStayWhileTheyLookLikeThemselves) {
  const SquareWalk walk{50, 30, 0.2, 0};
  for (const float presence : {0.9F, 0.2F}) {
    FaceCovers covers({.gap = 8, .linger = 3}, {BackendKind::kCpu, 1});
    int covered = 0;
    std::vector<Box> boxes;
    for (int number = 0; number < 60; ++number) {
      Followed face = face_at(walk.box(number), FaceState::kFound);
      face.shape.presence = presence;
      const GrayImage frame = walk_frame(kSize, {walk}, number);
      covers.add(frame.view(), number < 5 ? std::vector{face} : std::vector<Followed>{});
      while (covers.next(boxes)) covered += !boxes.empty();
    }
    covers.finish();
    while (covers.next(boxes)) covered += !boxes.empty();
    EXPECT_EQ(covered, presence > 0.5F ? 60 : 5 + 8 + 3);
  }
}

// An empty frame has no boxes. A gap may span an empty frame.
TEST(FaceCoversMemory, AnEmptyFrameHasNoBoxes) {
  FaceCovers covers({.whole = true}, {BackendKind::kCpu, 1});
  const SquareWalk walk{50, 30, 0, 0};
  const GrayImage frame = walk_frame(kSize, {walk}, 0);
  const std::vector there = {face_at(walk.box(0), FaceState::kFound)};
  covers.add(frame.view(), there);
  covers.add({}, std::vector{face_at(walk.box(0), FaceState::kLost)});
  covers.add(frame.view(), {});
  covers.add(frame.view(), there);
  covers.finish();
  std::vector<Box> boxes;
  for (const bool has_face : {true, false, true, true}) {
    ASSERT_TRUE(covers.next(boxes));
    EXPECT_EQ(!boxes.empty(), has_face);
  }
}

TEST(FaceCoversMemory, AVideoThatBreaksOffGivesAllItsFrames) {
  FaceCovers covers({.gap = 8}, {BackendKind::kCpu, 1});
  const SquareWalk walk{50, 30, 0, 0};
  const GrayImage frame = walk_frame(kSize, {walk}, 0);
  std::vector<Box> boxes;
  for (int video = 0; video < 3; ++video) {
    covers.add(frame.view(), std::vector{face_at(walk.box(0), FaceState::kFound)});
    covers.add(frame.view(), std::vector{face_at(walk.box(0), FaceState::kLost)});
    EXPECT_FALSE(covers.next(boxes));
    if (video == 0) {  // `restart` also forgets frames whose boxes were not given
      covers.restart();
      continue;
    }
    covers.finish();
    for (int number = 0; number < 2; ++number) {
      EXPECT_TRUE(covers.next(boxes));
      EXPECT_EQ(boxes.size(), 1U);
    }
    EXPECT_FALSE(covers.next(boxes));
    covers.restart();
  }
}

}  // namespace
}  // namespace winnow
