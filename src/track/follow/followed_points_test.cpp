// Tests where points of followed objects lie, and what a low presence does: it asks for searches, and ends
// objects.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "track/follow/followed_objects.h"
#include "track/follow/followed_video_for_test.h"

namespace winnow {
namespace {

using sample::Video;

TEST(FollowedObjects, PointsGoWhereTheRuleSays) {
  for (const PointRule rule : {PointRule::kBlend, PointRule::kFit, PointRule::kCarry}) {
    Video video({.detect_every = 20, .points = rule});
    video.beside = 4;  // a tenth of the side
    video.frame({{10, 10, 40, 40}});
    video.frame({}, 2, 0);
    const double carried = 10 + 2 + 0.3 * 40, at = video.objects.objects()[0].points[0].x;
    EXPECT_EQ(video.fits, rule == PointRule::kCarry ? 0 : 1);
    EXPECT_DOUBLE_EQ(video.objects.objects()[0].box.x, 12) << "fits do not move the box";
    if (rule == PointRule::kCarry) {
      EXPECT_DOUBLE_EQ(at, carried);
    } else if (rule == PointRule::kFit) {
      EXPECT_DOUBLE_EQ(at, carried + 4);
    } else {
      EXPECT_GT(at, carried + 3);
      EXPECT_LT(at, carried + 4);
    }
  }
}

// An object that was there is blended in searched frames, too. Its blend begins anew when it returns.
TEST(FollowedObjects, FoundPointsAreBlendedIfTheObjectWasThere) {
  Video video({.detect_every = 1, .gap = 20});
  const double at = 10 + 0.3 * 40;
  video.frame({{10, 10, 40, 40}});
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].points[0].x, at);
  video.frame({{10.4, 10, 40, 40}});
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].box.x, 10.4) << "boxes are not blended";
  EXPECT_EQ(video.fits, 0) << "the search has fitted the object";
  EXPECT_GT(video.objects.objects()[0].points[0].x, at);
  EXPECT_LT(video.objects.objects()[0].points[0].x, at + 0.3);
  const PointPlace before = video.objects.objects()[0].points[0];
  video.frame({}, 0, 0, false);
  EXPECT_EQ(video.fits, 0) << "an object that coasts is not fitted";
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].points[0].x, before.x + video.objects.objects()[0].speed_x);
  video.frame({{10.4, 10, 40, 40}});
  EXPECT_DOUBLE_EQ(video.objects.objects()[0].points[0].x, at + 0.4);
}

TEST(FollowedObjects, ALowPresenceAsksForASearchThatTakesNothing) {
  Video video({.detect_every = 100, .ask_below = 0.2, .doubt_below = 0.05});
  video.frame({{10, 10, 40, 40}, {200, 100, 40, 40}, {205, 100, 40, 40}});
  std::string searched;
  video.presence = 0.1;
  for (int i = 0; i < 30; ++i) searched += video.frame({{10, 10, 40, 40}}) ? 's' : '-';
  EXPECT_EQ(searched.substr(0, 10), "-s--s--s--") << "at most every third frame asks";
  for (const KeptObject& object : video.objects.objects())
    EXPECT_EQ(object.gone, 0) << "the search was not due";
  EXPECT_EQ(video.objects.objects().size(), 3U);
}

// Searches that are due count, also if a fit asked for them, too.
TEST(FollowedObjects, AskedSearchesDoNotDelayALoss) {
  const auto frames_until_lost = [](double presence) {
    Video video({.detect_every = 4, .ask_below = 0.2});
    video.frame({{10, 10, 40, 40}});
    video.presence = presence;
    int frames = 0;
    for (; frames < 60 && video.objects.objects()[0].gone == 0; ++frames) video.frame({});
    return frames;
  };
  EXPECT_EQ(frames_until_lost(0.1), frames_until_lost(0.9));
}

TEST(FollowedObjects, ADoubtedObjectIsLostInTheSecondSearchThatMissesIt) {
  const auto searches_until_lost = [](double presence) {
    Video video({.detect_every = 4, .ask_below = 0, .doubt_below = 0.05});
    video.frame({{10, 10, 40, 40}});
    video.presence = presence;
    for (int i = 1; i < 40; ++i) video.frame({{10, 10, 40, 40}});  // confirmed, so that only presence tells
    int searches = 0;
    for (int i = 0; i < 60 && video.objects.objects()[0].gone == 0; ++i) searches += video.frame({}) ? 1 : 0;
    return searches;
  };
  EXPECT_EQ(searches_until_lost(0.3), 4);
  EXPECT_EQ(searches_until_lost(0.001), 2);
}

// One frame with a low presence does not make an object doubted.
TEST(FollowedObjects, DoubtNeedsManyFrames) {
  Video video({.detect_every = 100, .ask_below = 0.2, .doubt_below = 0.1});
  video.frame({{10, 10, 40, 40}});
  for (int i = 0; i < 60; ++i) {
    video.presence = i % 2 == 0 ? 0 : 0.6;
    video.frame({});
    ASSERT_EQ(video.objects.objects()[0].gone, 0) << i;
  }
}

TEST(FollowedObjects, UntilAnObjectIsThereEachFrameIsSearched) {
  Video video({.detect_every = 10, .gap = 5, .until_found = true});
  for (int i = 0; i < 15; ++i) EXPECT_TRUE(video.frame({}));
  EXPECT_TRUE(video.frame({{10, 10, 40, 40}}));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(video.frame({}));
  video.frame({}, 0, 0, false);
  for (int i = 0; i < 15; ++i) EXPECT_TRUE(video.frame({})) << "the object is lost";
}

// The object looks a little like itself: by 0.32. That is enough only if recent fits are sure of the object.
TEST(FollowedObjects, ASureObjectMayLookUnlikeItself) {
  const GrayImage across = sample::ramp(true), down = sample::ramp(false);
  GrayImage tilted(400, 300);
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 400; ++x)
      tilted.row(y)[x] = static_cast<std::uint8_t>((across.row(y)[x] + 3 * down.row(y)[x]) / 4);
  for (const bool counts : {false, true})
    for (const double presence : {0.3, 0.9}) {
      Video video({.detect_every = 100, .presence_counts = counts});
      video.presence = presence;
      video.frame({{10, 10, 40, 40}}, 0, 0, true, true, across.view());
      video.frame({}, 0, 0, true, true, std::as_const(tilted).view());
      EXPECT_EQ(video.objects.objects()[0].gone, counts && presence > 0.5 ? 0 : 1);
      video.frame({}, 0, 0, true, true, down.view());
      EXPECT_GT(video.objects.objects()[0].gone, 0) << "it does not look like itself at all";
    }
}

}  // namespace
}  // namespace winnow
