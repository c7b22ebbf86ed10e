// Tests `FaceCovers` on made videos: a face that vanishes for some frames stays covered, and no cover lies
// where there is no face.
#include <winnow/face_covers.h>

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "session/corner_landmarks_for_test.h"
#include "session/walk_for_test.h"

namespace winnow {
namespace {

using sample::Hiding;
using sample::SquareWalk;
using sample::walk_frame;

constexpr Size kSize{480, 240};
constexpr int kFrames = 60;
using Frames = std::vector<std::vector<Box>>;

FollowOptions loose() {
  FollowOptions options;
  options.search.min_neighbors = 1;
  return options;
}

Frames covers_of(int frames, const std::function<GrayImage(int)>& frame, const CoverOptions& options,
                 const MachineOptions& machine = {BackendKind::kCpu, 1}) {
  Follower follower(sample::square_finder(), sample::corner_landmarks(), loose(), machine);
  FaceCovers covers(options, machine);
  covers.add({}, {});
  covers.restart();  // a video that was broken off leaves nothing behind
  Frames all;
  std::vector<Box> boxes;
  for (int number = 0; number < frames; ++number) {
    const GrayImage picture = frame(number);
    covers.add(picture.view(), follower.next(picture.view()));
    while (covers.next(boxes)) all.push_back(boxes);
  }
  covers.finish();
  while (covers.next(boxes)) all.push_back(boxes);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(frames));
  return all;
}

Frames covers_of(const std::vector<SquareWalk>& walks, const CoverOptions& options) {
  return covers_of(
      kFrames, [&](int number) { return walk_frame(kSize, walks, number); }, options);
}

// The dark square in a box. A cover must contain this square.
Box dark_of(const Box& box) {
  return clip({box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2}, kSize);
}

bool holds(const Box& cover, const Box& box) {
  return box.x >= cover.x && box.y >= cover.y && box.x + box.width <= cover.x + cover.width &&
         box.y + box.height <= cover.y + cover.height;
}

bool touches(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// `leaks`: numbers of frames in which a dark square is not covered. `needless`: how many covers touch no
// square of their frame.
struct Judged {
  std::vector<int> leaks;
  int needless = 0;
};
Judged judge(const Frames& covers, const std::vector<SquareWalk>& walks) {
  Judged judged;
  for (int number = 0; number < static_cast<int>(covers.size()); ++number) {
    const auto& now = covers[static_cast<std::size_t>(number)];
    for (const SquareWalk& walk : walks)
      if (std::none_of(now.begin(), now.end(),
                       [&](const Box& cover) { return holds(cover, dark_of(walk.box(number))); }))
        judged.leaks.push_back(number);
    for (const Box& cover : now)
      judged.needless += std::none_of(walks.begin(), walks.end(), [&](const SquareWalk& walk) {
        return touches(cover, walk.box(number));
      });
  }
  return judged;
}

// A face with points at the corners of its dark square.
Followed followed(int id, FaceState state, const Box& box) {
  Shape corners;
  for (const double x : {0.25, 0.75})
    for (const double y : {0.25, 0.75})
      corners.points.push_back({box.x + x * box.width, box.y + y * box.height});
  return {id, state, box, 1, corners};
}

TEST(FaceCovers, HideAFaceThatVanishes) {
  for (const Hiding hiding : {Hiding::kNoise, Hiding::kDark, Hiding::kGround})
    for (const int length : {1, 5, 10})
      for (const int from : {0, 25, kFrames - length})
        for (const double speed : {1.0, 6.0})
          for (const bool whole : {true, false}) {
            const SquareWalk walk{40, 60, speed, 0.5, from, from + length, hiding};
            SCOPED_TRACE(testing::Message()
                         << "hiding " << static_cast<int>(hiding) << " from " << from << " for " << length
                         << ", speed " << speed << ", whole " << whole);
            CoverOptions options;
            options.whole = whole;
            const Judged judged = judge(covers_of({walk}, options), {walk});
            EXPECT_EQ(judged.leaks, std::vector<int>{});
            EXPECT_EQ(judged.needless, 0);
          }
}

TEST(FaceCovers, WithoutGapAndLingerAFaceShows) {
  const SquareWalk walk{40, 60, 2, 0.5, 20, 30, Hiding::kNoise};
  CoverOptions options;
  options.gap = options.linger = 0;
  options.whole = true;
  EXPECT_GE(judge(covers_of({walk}, options), {walk}).leaks.size(), 8U);
}

TEST(FaceCovers, HideTwoFaces) {
  const std::vector<SquareWalk> walks = {{30, 20, 3, 0, 17, 27, Hiding::kNoise},
                                         {380, 150, -3, 0, 20, 28, Hiding::kGround}};
  const Judged judged = judge(covers_of(walks, {.whole = true}), walks);
  EXPECT_EQ(judged.leaks, std::vector<int>{});
  EXPECT_EQ(judged.needless, 0);
}

// The search finds the face late. With `whole`, the face is carried back to the first frame. Without `whole`,
// it is carried back by `gap` frames.
TEST(FaceCovers, GoBackToWhereAFaceIsFirstSeen) {
  const SquareWalk walk{40, 60, 2, 0.5};
  for (const bool whole : {true, false}) {
    CoverOptions options;
    options.whole = whole;
    options.linger = 0;
    FaceCovers covers(options, {BackendKind::kCpu, 1});
    Follower follower(sample::square_finder(), sample::corner_landmarks(), loose(), {BackendKind::kCpu, 1});
    Frames all;
    std::vector<Box> boxes;
    for (int number = 0; number < kFrames; ++number) {
      const GrayImage frame = walk_frame(kSize, {walk}, number);
      covers.add(frame.view(), number < 40 ? std::vector<Followed>{} : follower.next(frame.view()));
      while (covers.next(boxes)) all.push_back(boxes);
    }
    covers.finish();
    while (covers.next(boxes)) all.push_back(boxes);
    const Judged judged = judge(all, {walk});
    EXPECT_EQ(judged.leaks.size(), whole ? 0U : 10U);
    EXPECT_EQ(judged.needless, 0);
  }
}

// A follower reports a lost face one frame late.
TEST(FaceCovers, EndAfterACut) {
  const SquareWalk walk{40, 60, 2, 0.5};
  const CoverOptions options{.linger = 4, .whole = true};
  const Frames covers = covers_of(
      kFrames,
      [&](int number) {
        return number < 20 ? walk_frame(kSize, {walk}, number) : sample::make_scene(kSize, {});
      },
      options);
  for (int number = 0; number < kFrames; ++number)
    EXPECT_EQ(covers[static_cast<std::size_t>(number)].empty(), number >= 25) << number;
}

// From frame 20 on, the video shows a slope of grey. Only the whole of a video tells a cut from a hand.
TEST(FaceCovers, DoNotLingerInAnotherScene) {
  const SquareWalk walk{40, 60, 2, 0.5};
  for (const bool whole : {false, true}) {
    const Frames covers = covers_of(kFrames,
                                    [&](int number) {
                                      if (number < 20) return walk_frame(kSize, {walk}, number);
                                      GrayImage other(kSize.width, kSize.height);
                                      for (int y = 0; y < other.height(); ++y)
                                        for (int x = 0; x < other.width(); ++x)
                                          other.row(y)[x] =
                                              static_cast<std::uint8_t>(255 * x / other.width());
                                      return other;
                                    },
                                    {.linger = 4, .whole = whole});
    for (int number = 0; number < kFrames; ++number)
      EXPECT_EQ(covers[static_cast<std::size_t>(number)].empty(), number >= (whole ? 20 : 25))
          << number << " " << whole;
  }
}

// A face that comes back after more frames than the gap is not covered in between.
TEST(FaceCovers, FillNoMoreThanTheGap) {
  const SquareWalk walk{200, 100, 0, 0, 20, 35, Hiding::kGround};
  for (const int gap : {14, 15, 30}) {
    CoverOptions options;
    options.gap = gap;
    options.linger = 0;
    options.whole = true;
    EXPECT_EQ(judge(covers_of({walk}, options), {walk}).leaks.size(), gap < 15 ? 14U : 0U) << gap;
  }
}

// A face turns around while it is hidden. Neither the motion before the gap nor the motion after it alone
// says where the face is.
TEST(FaceCovers, HoldBothMotionsInAGap) {
  const SquareWalk there{60, 60, 5, 0}, back{60 + 5 * 60, 60, -5, 0};
  const Frames covers = covers_of(kFrames,
                                  [&](int number) {
                                    if (number >= 26 && number < 34) return sample::make_scene(kSize, {});
                                    return walk_frame(kSize, {number < 30 ? there : back}, number);
                                  },
                                  {.whole = true});
  for (int number = 0; number < kFrames; ++number) {
    const Box box = dark_of((number < 30 ? there : back).box(number));
    const auto& now = covers[static_cast<std::size_t>(number)];
    EXPECT_TRUE(std::any_of(now.begin(), now.end(), [&](const Box& cover) { return holds(cover, box); }))
        << number;
  }
}

// When flow loses a face, the follower moves the face on as before for one frame. If a search finds the face
// in the next frame, the face was between its last place and the found place.
TEST(FaceCovers, DoNotTrustABoxThatDoesNotLookLikeTheFace) {
  const auto place = [](int number) { return Box{number < 10 ? 100 : 100 + 24 * (number - 9), 80, 48, 48}; };
  FaceCovers covers({.whole = true}, {BackendKind::kCpu, 1});
  for (int number = 0; number < 14; ++number) {
    const Box box = number == 10 ? Box{330, 80, 48, 48} : place(number);
    const Followed face = followed(1, number == 10 ? FaceState::kTracked : FaceState::kFound, box);
    covers.add(sample::make_scene(kSize, {place(number)}).view(), {&face, 1});
  }
  covers.finish();
  std::vector<Box> boxes;
  for (int number = 0; covers.next(boxes); ++number)
    EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const Box& cover) {
      return holds(cover, dark_of(place(number)));
    })) << number;
}

// A false alarm is lost and begins anew, again and again. Each new face is carried back only as far as
// the previous face.
TEST(FaceCovers, DoNotPileUp) {
  FaceCovers covers({.gap = 0, .linger = 0, .whole = true}, {BackendKind::kCpu, 1});
  const GrayImage frame = sample::make_scene(kSize, {{100, 80, 48, 48}});
  for (int number = 0; number < 160; ++number) {
    const FaceState state = number % 8 == 7 ? FaceState::kLost : FaceState::kFound;
    // The box moves a little each time, so that no two covers are equal.
    const Followed face = followed(1 + number / 8, state, {96 + number / 8 % 9, 80, 48, 48});
    covers.add(frame.view(), {&face, 1});
  }
  covers.finish();
  std::vector<Box> boxes;
  std::size_t most = 0;
  while (covers.next(boxes)) most = std::max(most, boxes.size());
  EXPECT_LE(most, 4U);
}

TEST(FaceCovers, AreWiderByTheMargin) {
  const SquareWalk walk{100, 80, 0, 0};
  const Frames bare = covers_of({walk}, {.margin = 0, .whole = true}),
               wide = covers_of({walk}, {.margin = 0.5, .whole = true});
  ASSERT_EQ(bare[5].size(), 1U);
  ASSERT_EQ(wide[5].size(), 1U);
  EXPECT_NEAR(wide[5][0].width, 2 * bare[5][0].width, 2);
  EXPECT_NEAR(wide[5][0].x, bare[5][0].x - bare[5][0].width / 2, 2);
}

// Flow sees how the picture grows. A box grows with it, but only up to 1.5 times what the follower saw.
TEST(FaceCovers, CarriedBoxesGrowOnlySoFar) {
  FaceCovers covers({.linger = 0, .margin = 0, .sure = 1, .whole = true}, {BackendKind::kCpu, 1});
  const auto place = [](int number) {
    const int side = static_cast<int>(40 * std::pow(1.05, number));
    return Box{240 - side / 2, 120 - side / 2, side, side};
  };
  constexpr int kSeen = 3, kAll = 20;
  for (int number = 0; number < kAll; ++number) {
    const FaceState state = number < kSeen ? FaceState::kFound : FaceState::kLost;
    const Followed face = followed(1, state, place(std::min(number, kSeen - 1)));
    covers.add(sample::make_scene(kSize, {place(number)}).view(), {&face, number <= kSeen ? 1U : 0U});
  }
  covers.finish();
  std::vector<FaceCover> now;
  int widest = 0;
  for (int number = 0; covers.next(now); ++number)
    for (const FaceCover& each : now) widest = std::max(widest, each.box.width);
  EXPECT_GT(widest, 1.35 * place(kSeen - 1).width) << "flow carried the box on";
  EXPECT_LE(widest, 1.5 * place(kSeen - 1).width + 2);
}

// A face that one search found may be a false alarm. Only a whole video tells so: a stream covers the face.
TEST(FaceCovers, LiveKeepCoveringAFaceThatOneSearchFound) {
  constexpr int kLinger = 5, kAll = 40;
  const Box box{100, 80, 48, 48};
  const GrayImage frame = sample::make_scene(kSize, {box});
  for (const bool whole : {false, true}) {
    FaceCovers covers({.gap = 10, .linger = kLinger, .sure = 3, .whole = whole}, {BackendKind::kCpu, 1});
    std::vector<Box> boxes;
    int covered = 0;
    for (int number = 0; number < kAll; ++number) {
      const Followed face = followed(1, number == 0 ? FaceState::kFound : FaceState::kTracked, box);
      covers.add(frame.view(), {&face, 1});
      while (covers.next(boxes)) covered += !boxes.empty();
    }
    covers.finish();
    while (covers.next(boxes)) covered += !boxes.empty();
    EXPECT_EQ(covered, whole ? 1 + kLinger : kAll);
  }
}

TEST(FaceCovers, TellWhyABoxIsThere) {
  const SquareWalk walk{40, 60, 2, 0.5, 20, 26, Hiding::kNoise};
  for (const bool whole : {true, false}) {
    Follower follower(sample::square_finder(), sample::corner_landmarks(), loose(), {BackendKind::kCpu, 1});
    FaceCovers covers({.whole = whole}, {BackendKind::kCpu, 1}), boxes_alone({.whole = whole});
    int searches = 0;
    for (int number = 0; number < kFrames; ++number) {
      const GrayImage picture = walk_frame(kSize, {walk}, number);
      const std::vector<Followed> faces = follower.next(picture.view());
      for (const Followed& face : faces) searches += face.state == FaceState::kFound;
      covers.add(picture.view(), faces);
      boxes_alone.add(picture.view(), faces);
    }
    covers.finish();
    boxes_alone.finish();
    std::vector<FaceCover> now;
    std::vector<Box> boxes;
    std::vector<int> counts(4);
    for (int number = 0; covers.next(now); ++number) {
      ASSERT_TRUE(boxes_alone.next(boxes));
      ASSERT_EQ(now.size(), boxes.size());
      for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_EQ(now[i].box, boxes[i]);
        EXPECT_EQ(now[i].path, 1);
        ++counts[static_cast<std::size_t>(now[i].reason)];
        EXPECT_TRUE(number < 21 || number >= 25 || now[i].reason != CoverReason::kFound) << number;
      }
      EXPECT_TRUE(now[0].searches == searches || (!whole && number < kFrames - 1));
    }
    EXPECT_EQ(counts[0], searches);
    EXPECT_GT(counts[1], 0);
    EXPECT_GT(counts[2] + counts[3], 0);
  }
  EXPECT_STREQ(reason_name(CoverReason::kFound), "found");
  EXPECT_STREQ(reason_name(CoverReason::kLingering), "lingering");
}

TEST(FaceCovers, BackendsAgree) {
  const std::vector<SquareWalk> walks = {{40, 60, 3, 0.5, 15, 22, Hiding::kNoise},
                                         {300, 120, -2, -0.5, 18, 24, Hiding::kGround}};
  const auto run = [&](const MachineOptions& machine) {
    return covers_of(
        40, [&](int number) { return walk_frame(kSize, walks, number); }, {}, machine);
  };
  const Frames wanted = run({BackendKind::kReference, 1});
  for (const BackendInfo& backend : list_backends()) {
    if (!backend.available) continue;
    SCOPED_TRACE(backend_name(backend.kind));
    EXPECT_EQ(run({backend.kind, 2}), wanted);
  }
}

TEST(FaceCovers, RefuseNonsense) {
  const auto refused = [](auto change) {
    CoverOptions options;
    change(options);
    EXPECT_THROW(FaceCovers(options, {BackendKind::kCpu, 1}), Error);
  };
  refused([](CoverOptions& o) { o.gap = -1; });
  refused([](CoverOptions& o) { o.gap = 100001; });
  refused([](CoverOptions& o) { o.linger = -1; });
  refused([](CoverOptions& o) { o.linger = 1001; });
  refused([](CoverOptions& o) { o.sure = 0; });
  refused([](CoverOptions& o) { o.sure = 1001; });
  refused([](CoverOptions& o) { o.margin = -0.1; });
  refused([](CoverOptions& o) { o.margin = NAN; });
  refused([](CoverOptions& o) { o.memory = -1; });
  FaceCovers covers({}, {BackendKind::kCpu, 1});
  covers.finish();
  EXPECT_THROW(covers.add({}, {}), Error);
  covers.restart();
  EXPECT_NO_THROW(covers.add({}, {}));
}

}  // namespace
}  // namespace winnow
