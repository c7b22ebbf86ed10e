// Tests what becomes of objects: they are carried, lost, found again, confirmed, doubled and steadied.
#include "track/follow/followed_objects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "track/follow/followed_video_for_test.h"

namespace winnow {
namespace {

using sample::points_in;
using sample::ramp;
using sample::Video;
using State = KeptObject::State;

TEST(FollowedObjects, SearchesEveryFewFramesAndCarriesBetween) {
  Video video({.detect_every = 4});
  const RealBox box{10, 10, 40, 40};
  EXPECT_TRUE(video.frame({box}));
  ASSERT_EQ(video.objects.objects().size(), 1U);
  EXPECT_EQ(video.objects.objects()[0].id, 1);
  for (int i = 1; i < 4; ++i) {
    EXPECT_FALSE(video.frame({}, 2, 1));
    EXPECT_EQ(video.objects.objects()[0].state, State::kTracked);
    EXPECT_DOUBLE_EQ(video.objects.objects()[0].box.x, 10 + 2 * i);
    EXPECT_DOUBLE_EQ(video.objects.objects()[0].shown_points[0].y, 10 + 0.4 * 40 + i);
  }
  EXPECT_TRUE(video.frame({{17, 13, 40, 40}}, 2, 1));
  EXPECT_EQ(video.objects.objects()[0].state, State::kFound);
  EXPECT_EQ(video.objects.objects()[0].id, 1);
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].box.x, 17);
}

TEST(FollowedObjects, AnObjectThatFlowLosesCoastsAndIsToldOnce) {
  Video video({.detect_every = 20, .gap = 20});
  const auto only = [&]() -> const KeptObject& { return video.objects.objects().at(0); };
  video.frame({{10, 10, 40, 40}});
  for (int i = 0; i < 5; ++i) video.frame({}, 2, 0);
  const RealBox before = only().box;
  const double speed = only().speed_x;
  EXPECT_GT(speed, 1);
  EXPECT_FALSE(video.frame({}, 2, 0, false)) << "the search comes with the next frame";
  EXPECT_EQ(only().state, State::kTracked);
  EXPECT_TRUE(only().shown);
  EXPECT_DOUBLE_EQ(only().shown_box.x, before.x + speed);
  EXPECT_TRUE(video.frame({}));
  EXPECT_EQ(only().state, State::kLost);
  EXPECT_TRUE(only().shown) << "it is told";
  EXPECT_TRUE(video.frame({})) << "the frames after are searched, too";
  EXPECT_FALSE(only().shown) << "it was told";
  EXPECT_TRUE(video.frame({{24, 10, 40, 40}})) << "it returns";
  EXPECT_EQ(only().id, 1);
  EXPECT_EQ(only().state, State::kFound);
  EXPECT_FALSE(video.frame({})) << "nothing was lost any more";
}

TEST(FollowedObjects, AnObjectThatIsFoundAfterFlowLostItWasNeverLost) {
  Video video({.detect_every = 10, .gap = 20, .smooth = 1});
  video.frame({{10, 10, 40, 40}});
  for (int i = 0; i < 4; ++i) video.frame({}, 2, 0);
  const double speed = video.objects.objects()[0].speed_x;
  video.frame({}, 2, 0, false);
  EXPECT_EQ(video.objects.objects()[0].state, State::kTracked);
  video.frame({{22, 10, 40, 40}});
  EXPECT_EQ(video.objects.objects()[0].state, State::kFound);
  EXPECT_EQ(video.objects.objects()[0].id, 1);
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].speed_x, speed) << "it goes on as it went";
  EXPECT_LT(video.objects.objects()[0].shown_box.x, 22) << "its filter did not begin anew";
}

TEST(FollowedObjects, AfterTheGapAnObjectIsNew) {
  for (const int gap : {0, 1, 4})
    for (const bool by_flow : {false, true})
      for (const int away : {gap, gap + 1}) {
        if (away == 0) continue;
        Video video({.detect_every = 1, .gap = gap});
        video.frame({{10, 10, 40, 40}});
        video.frame({}, 0, 0, !by_flow);
        for (int i = 0; i < 9 && video.objects.objects().at(0).state != State::kLost; ++i) video.frame({});
        ASSERT_EQ(video.objects.objects().at(0).state, State::kLost);
        EXPECT_TRUE(video.objects.objects()[0].shown) << "it is told";
        for (int i = 1; i < away; ++i) video.frame({});
        video.frame({{10, 10, 40, 40}});
        EXPECT_EQ(video.objects.objects().back().id, away > gap ? 2 : 1)
            << "gap " << gap << ", away for " << away << (by_flow ? ", lost by flow" : ", lost by searches");
      }
}

TEST(FollowedObjects, AnObjectThatIsHiddenIsLostAndReturnsWhereItWasGoing) {
  Video video({.detect_every = 1, .gap = 30});
  for (int i = 0; i < 15; ++i) video.frame({{10.0 + 4 * i, 10, 40, 40}}, 4, 0);
  const GrayImage other = ramp(false);
  for (int i = 15; i < 25; ++i) {
    video.frame({}, 0, 0, true, true, other.view());
    EXPECT_EQ(video.objects.objects()[0].state, i == 15 ? State::kTracked : State::kLost);
  }
  video.frame({{10.0 + 4 * 25, 10, 40, 40}});
  ASSERT_EQ(video.objects.objects().size(), 1U) << "it went on behind what hid it";
  EXPECT_EQ(video.objects.objects()[0].id, 1);
}

TEST(FollowedObjects, AStrangerDoesNotTakeTheNumberOfALostObject) {
  Video video({.detect_every = 1, .gap = 30});
  video.frame({{10, 10, 40, 40}});
  video.frame({}, 0, 0, false);
  const GrayImage other = ramp(false);
  video.frame({{12, 10, 40, 40}}, 0, 0, true, true, other.view());
  EXPECT_EQ(video.objects.objects().back().id, 2) << "it looks different";
}

// A box that looks a little like a lost object is taken for that object only near its last place or near its
// way.
TEST(FollowedObjects, ALikeObjectReturnsNearItsWayOnly) {
  const GrayImage across = ramp(true), down = ramp(false);
  GrayImage alike(400, 300);  // a likeness of 1/2 to `across`
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 400; ++x)
      alike.row(y)[x] = static_cast<std::uint8_t>((across.row(y)[x] + 1.73 * down.row(y)[x]) / 3);
  for (const double left : {66.0, 106.0, 290.0}) {
    Video video({.detect_every = 1, .gap = 30});
    for (int i = 0; i < 15; ++i) video.frame({{10.0 + 4 * i, 10, 40, 40}}, 4, 0);
    for (int i = 0; i < 11; ++i) video.frame({}, 0, 0, true, true, down.view());
    video.frame({{left, 10, 40, 40}}, 0, 0, true, true, std::as_const(alike).view());
    EXPECT_EQ(video.objects.objects().back().id, left < 200 ? 1 : 2) << left;
  }
}

TEST(FollowedObjects, AVeryLikeObjectReturnsAnywhere) {
  Video video({.detect_every = 1, .gap = 30});
  video.frame({{10, 10, 40, 40}});
  video.frame({}, 0, 0, false);
  video.frame({{300, 200, 40, 40}});
  EXPECT_EQ(video.objects.objects().back().id, 1);
}

TEST(FollowedObjects, AnObjectThatWasHalfHiddenAtLastReturnsByItsLookOfBefore) {
  const GrayImage across = ramp(true), down = ramp(false);
  GrayImage between(400, 300);
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 400; ++x)
      between.row(y)[x] = static_cast<std::uint8_t>((across.row(y)[x] + down.row(y)[x]) / 2);
  Video video({.detect_every = 1, .gap = 30});
  for (int i = 0; i < 6; ++i) video.frame({{10, 10, 40, 40}}, 0, 0, true, true, across.view());
  for (const GrayImage* picture : {&across, &std::as_const(between), &down})
    video.frame({{10, 10, 40, 40}}, 0, 0, true, true, picture->view());
  ASSERT_EQ(video.objects.objects().back().id, 1);
  video.frame({}, 0, 0, false);
  video.frame({{300, 200, 40, 40}}, 0, 0, true, true, across.view());
  EXPECT_EQ(video.objects.objects().back().id, 1);
}

TEST(FollowedObjects, AnUnsureBoxConfirmsButBeginsNothing) {
  Video video({.detect_every = 1});
  video.frame({{10, 10, 40, 40}}, 0, 0, true, false);
  EXPECT_TRUE(video.objects.objects().empty());
  video.frame({{10, 10, 40, 40}});
  video.frame({{11, 10, 40, 40}}, 0, 0, true, false);
  ASSERT_EQ(video.objects.objects().size(), 1U);
  EXPECT_EQ(video.objects.objects()[0].state, State::kFound);
}

TEST(FollowedObjects, AnObjectThatNoSearchFindsIsLost) {
  Video video({.detect_every = 1});
  video.frame({{10, 10, 40, 40}});
  int frames = 0;
  while (video.objects.objects()[0].state != State::kLost && frames < 20) {
    video.frame({});
    ++frames;
  }
  EXPECT_EQ(frames, 4);
}

TEST(FollowedObjects, TwoObjectsAtOnePlaceBecomeOne) {
  Video video({.detect_every = 1});
  video.frame({{10, 10, 40, 40}, {40, 10, 40, 40}});
  ASSERT_EQ(video.objects.objects().size(), 2U);
  // The search finds only the box of the second object. Flow carries the first object there, too.
  std::vector<PointPlace> list;
  std::vector<RealBox> boxes;
  video.objects.points(list, boxes);
  std::vector<FlowPoint> carried;
  for (std::size_t i = 0; i < list.size(); ++i)
    carried.push_back({list[i].x + (i < 5 ? 28 : 0), list[i].y, true});
  video.objects.carry(carried, video.alike.view());
  const RealBox box{40, 10, 40, 40};
  const std::vector<PointPlace> points = points_in(box);
  const std::vector<SeenObject> seen = {{box, true, 1, points}};
  video.objects.meet(seen, video.alike.view());
  int there = 0;
  for (const KeptObject& object : video.objects.objects()) there += object.gone == 0 ? 1 : 0;
  EXPECT_EQ(there, 1);
}

TEST(FollowedObjects, PointsThatDoNotHoldMoveWithTheObject) {
  const GrayImage alike = ramp(true);
  FollowedObjects objects({.detect_every = 10});
  const RealBox box{10, 10, 40, 40};
  const std::vector<PointPlace> points = points_in(box);
  const std::vector<SeenObject> seen = {{box, true, 1, points}};
  objects.carry({}, alike.view());
  objects.meet(seen, alike.view());
  objects.finish();
  std::vector<FlowPoint> carried;
  for (std::size_t i = 0; i < points.size(); ++i)
    carried.push_back({points[i].x + (i == 2 ? 90 : 5), points[i].y, true, 0, i == 2 ? 7.0F : 0.1F});
  objects.carry(carried, alike.view());
  EXPECT_DOUBLE_EQ(objects.objects()[0].points[2].x, points[2].x + 5);
  EXPECT_EQ(objects.objects()[0].state, State::kTracked);
}

TEST(FollowedObjects, HalfOfThePointsMustHold) {
  for (const std::size_t holding : {2U, 3U}) {
    const GrayImage alike = ramp(true);
    FollowedObjects objects({.detect_every = 10});
    const RealBox box{10, 10, 40, 40};
    const std::vector<PointPlace> points = points_in(box);
    const std::vector<SeenObject> seen = {{box, true, 1, points}};
    objects.carry({}, alike.view());
    objects.meet(seen, alike.view());
    objects.finish();
    std::vector<FlowPoint> carried;
    for (std::size_t i = 0; i < points.size(); ++i)
      carried.push_back({points[i].x, points[i].y, i < holding});
    objects.carry(carried, alike.view());
    objects.finish();
    EXPECT_EQ(objects.objects()[0].gone, holding == 2 ? 1 : 0);
  }
}

// Flow loses an object in a frame that is searched anyway, and the search finds it: it goes on as it went.
TEST(FollowedObjects, AnObjectThatIsFoundInTheFrameOfItsLossKeepsItsSpeed) {
  Video video({.detect_every = 1, .gap = 20});
  for (int i = 0; i < 6; ++i) video.frame({{10.0 + 2 * i, 10, 40, 40}}, 2, 0);
  const double speed = video.objects.objects()[0].speed_x;
  EXPECT_GT(speed, 1);
  video.frame({{22, 10, 40, 40}}, 2, 0, false);
  EXPECT_EQ(video.objects.objects()[0].state, State::kFound);
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].points[0].x, 22 + 0.3 * 40) << "its blend begins anew";
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].speed_x, speed);
}

TEST(FollowedObjects, ACutLosesAllObjects) {
  const GrayImage alike = ramp(true);
  FollowedObjects objects({.detect_every = 10});
  const RealBox box{10, 10, 40, 40};
  const std::vector<PointPlace> points = points_in(box);
  const std::vector<SeenObject> seen = {{box, true, 1, points}};
  objects.carry({}, alike.view());
  objects.meet(seen, alike.view());
  objects.finish();
  objects.carry({}, alike.view(), true);
  objects.meet({}, alike.view());
  objects.finish();
  EXPECT_EQ(objects.objects()[0].state, State::kLost);
  EXPECT_TRUE(objects.wants_search());
  objects.restart();
  objects.carry({}, alike.view());
  objects.meet(seen, alike.view());
  objects.finish();
  EXPECT_EQ(objects.objects()[0].id, 1);
}

// One object stands still while its box trembles by a pixel. In other runs an object moves fast.
TEST(FollowedObjects, SmoothingTakesTremblingAndLeavesMotion) {
  const auto run = [](double smooth, double speed) {
    Video video({.detect_every = 1, .smooth = smooth});
    std::mt19937 random(9);
    std::normal_distribution<double> noise(0, 1);
    double jitter = 0, lag = 0, last = 0;
    for (int i = 0; i < 60; ++i) {
      const double at = 100 + speed * i + (speed == 0 ? noise(random) : 0);
      video.frame({{at, 50, 80, 80}}, speed, 0);
      const double shown = video.objects.objects()[0].shown_box.x;
      if (i > 20) jitter += std::abs(shown - last) / 39;
      if (i > 20) lag += std::abs(at - shown) / 39;
      last = shown;
    }
    return speed == 0 ? jitter : lag / speed;
  };
  EXPECT_LT(run(1, 0), 0.5 * run(0, 0));
  EXPECT_LT(run(0.5, 0), 0.9 * run(0, 0));
  EXPECT_LT(run(1, 4), 2) << "frames of lag";
  EXPECT_EQ(run(0, 4), 0);
}

}  // namespace
}  // namespace winnow
