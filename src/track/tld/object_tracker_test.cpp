// Tests that an object is followed, lost, and found again, the same on every backend.
#include "track/tld/object_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/real_box.h"
#include "track/tld/box_motion.h"
#include "track/tld/confidence.h"
#include "track/tld/object_learner.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_steps.h"

namespace winnow {
namespace {

constexpr Size kFrame{160, 120};

class Video {
 public:
  explicit Video(bool reference = false, std::uint64_t seed = 1)
      : tracker(reference ? kObjectStepsRef : kObjectStepsCpu, seed),
        frames_(reference ? make_sieve_frames_ref(1, 0) : make_sieve_frames_cpu(1, 0)),
        sieve_(frames_->make_sieve()) {}

  bool mark(const RealBox& box) {
    const GrayFrame frame = make_scene(kFrame, {{box}});
    frames_->keep(frame.view(), ObjectTracker::flow_rules());
    return tracker.mark(frame.view(), box);
  }
  TrackedObject next(const std::vector<Shown>& objects) {
    const GrayFrame frame = make_scene(kFrame, objects);
    std::vector<FlowPlace> points;
    tracker.points(points);
    frames_->keep(frame.view(), ObjectTracker::flow_rules());
    tracker.begin(kFrame, *sieve_);
    std::vector<FlowResult> results(points.size());
    const FlowRules rules = ObjectTracker::flow_rules(tracker.object().halvings);
    if (!points.empty()) frames_->carry(points, rules, results.data());
    return tracker.next(kFrame, *sieve_, points, results);
  }

  // Flow says that all points move so far to the right, wherever the objects are.
  TrackedObject next_without_flow(const std::vector<Shown>& objects, float right = 0) {
    const GrayFrame frame = make_scene(kFrame, objects);
    std::vector<FlowPlace> points;
    tracker.points(points);
    frames_->keep(frame.view(), ObjectTracker::flow_rules());
    tracker.begin(kFrame, *sieve_);
    std::vector<FlowResult> still;
    for (const FlowPlace& point : points) still.push_back({{point.x + right, point.y}, 0, 0, 1, 1});
    return tracker.next(kFrame, *sieve_, points, still);
  }

  ObjectTracker tracker;

 private:
  std::unique_ptr<SieveFrames> frames_;
  std::unique_ptr<WindowSieve> sieve_;
};

// A box that circles, and breathes a little.
RealBox place_at(int frame) {
  const double turn = frame * 0.07, side = 30 + 3 * std::sin(frame * 0.11);
  return {60 + 25 * std::cos(turn), 45 + 20 * std::sin(turn), side, side * 1.2};
}

TEST(ObjectTracker, FollowsAnObjectThatMovesAndGrows) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  int found = 0;
  for (int frame = 1; frame < 60; ++frame) {
    const TrackedObject object = video.next({{place_at(frame)}});
    ASSERT_NE(object.state, ObjectState::kLost) << frame;
    EXPECT_GT(overlap_of(object.box, place_at(frame)), 0.8) << frame;
    EXPECT_GT(object.confidence, kLostBelow) << frame;
    found += object.state == ObjectState::kFound ? 1 : 0;
  }
  EXPECT_GT(found, 40);
}

TEST(ObjectTracker, LearnsAnObjectThatChanges) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 50; ++frame) video.next({{place_at(frame), 1, 0.018 * frame}});
  EXPECT_GT(video.tracker.object().templates.objects(), 1u);
  EXPECT_GT(overlap_of(video.tracker.last().box, place_at(49)), 0.25);
}

TEST(ObjectTracker, SaysThatAnObjectIsLostAndFindsItAgain) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 20; ++frame) video.next({{place_at(frame)}});
  int lost = 0;
  RealBox last;
  for (int frame = 20; frame < 30; ++frame) {
    const TrackedObject object = video.next({});
    if (object.state != ObjectState::kLost) continue;
    if (++lost > 1) {
      EXPECT_EQ(object.box, last) << "the last box is told again";
    }
    last = object.box;
  }
  EXPECT_GE(lost, 9);
  const RealBox elsewhere{20, 70, 31, 37};
  int waited = 0;
  while (video.next({{elsewhere}}).state == ObjectState::kLost && waited < 10) ++waited;
  EXPECT_LT(waited, 3);
  const TrackedObject object = video.next({{elsewhere}});
  EXPECT_EQ(object.state, ObjectState::kFound);
  EXPECT_GT(overlap_of(object.box, elsewhere), 0.7);
}

TEST(ObjectTracker, JumpsToWhereTheObjectIsMoreCertain) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 10; ++frame) video.next({{place_at(frame)}});
  const RealBox elsewhere{20, 70, 31, 37};
  const TrackedObject object = video.next_without_flow({{elsewhere}});
  EXPECT_EQ(object.state, ObjectState::kFound);
  EXPECT_GT(overlap_of(object.box, elsewhere), 0.7);
}

TEST(ObjectTracker, StaysIfTwoPlacesAreMoreCertain) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 10; ++frame) video.next({{place_at(frame)}});
  const RealBox before = video.tracker.last().box;
  const TrackedObject object = video.next_without_flow({{{10, 80, 31, 37}}, {{120, 80, 31, 37}}});
  EXPECT_NE(object.state, ObjectState::kFound);
  EXPECT_GT(overlap_of(object.box, before), 0.9);
}

TEST(ObjectTracker, StaysOnAStillObject) {
  for (const RealBox box : {RealBox{40, 30, 33, 41}, RealBox{41.5, 29, 57, 50}, RealBox{37, 31, 24, 24}}) {
    Video video;
    ASSERT_TRUE(video.mark(box));
    for (int frame = 1; frame < 30; ++frame) video.next({{box}});
    const RealBox end = video.tracker.last().box;
    for (const double off : {end.x - box.x, end.y - box.y, end.width - box.width, end.height - box.height})
      EXPECT_LT(std::abs(off), 2) << box.width;
  }
}

TEST(ObjectTracker, DoesNotDriftFromALookThatItLearnt) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 50; ++frame) video.next({{place_at(frame), 1, 0.018 * frame}});
  ASSERT_GT(video.tracker.object().templates.objects(), 1u);
  const double left = video.tracker.last().box.x;
  // Flow alone would carry the box 40 pixels away. With the look the box stays 1 to 5 pixels to the right, by
  // the seed.
  for (int frame = 0; frame < 40; ++frame) video.next_without_flow({{place_at(49), 1, 0.8}}, 1);
  EXPECT_EQ(video.tracker.last().state, ObjectState::kFound);
  EXPECT_LT(std::abs(video.tracker.last().box.x - left), 6);
}

// The picture moves by 30 pixels. Flow from there finds the object.
class Shaken final : public FlowRunner {
 public:
  int calls = 0;
  void keep(GrayView, const FlowRules&) override {}
  void forget() override {}
  bool has_before() const override { return true; }
  void carry(std::span<const FlowPlace> points, const FlowRules&, FlowResult* results) override {
    ++calls;
    for (const FlowPlace& point : points) *results++ = {{point.x + 30, point.y}, 0, 0, 1, 1};
  }
};

TEST(ObjectTracker, TornFlowAloneIsCarriedAgain) {
  Video video;
  const RealBox box{40, 40, 30, 36};
  ASSERT_TRUE(video.mark(box));
  std::vector<FlowPlace> points;
  video.tracker.points(points);
  const auto again = [&](float back) {
    std::vector<FlowResult> flow(points.size(), {{50, 50}, 0, back, 0.5F, 1});
    Shaken shaken;
    video.tracker.carry_again(kFrame, shaken, points, flow);
    EXPECT_EQ(flow.front().place.x, shaken.calls > 0 ? points.front().x + 30 : 50);
    return shaken.calls;
  };
  EXPECT_EQ(again(10), 0);
  EXPECT_EQ(again(10.5F), 2);
  video.tracker.lose();
  EXPECT_EQ(again(10.5F), 0);
}

TEST(ObjectTracker, FollowsWhereTheCameraTurns) {
  const FlowRules rules = ObjectTracker::flow_rules();
  for (const bool reference : {false, true}) {
    ObjectTracker tracker(reference ? kObjectStepsRef : kObjectStepsCpu, 1);
    const auto frames = reference ? make_sieve_frames_ref(1, 0) : make_sieve_frames_cpu(1, 0);
    const auto sieve = frames->make_sieve();
    ASSERT_TRUE(tracker.mark(shaken_scene(0).view(), shaken_at(0)));
    frames->keep(shaken_scene(0).view(), rules);
    for (int frame = 1; frame < 6; ++frame) {
      const GrayFrame scene = shaken_scene(frame);
      std::vector<FlowPlace> points;
      tracker.points(points);
      std::vector<FlowResult> flow(points.size());
      frames->keep(scene.view(), rules);
      tracker.begin(scene.size, *sieve);
      ASSERT_FALSE(points.empty()) << frame;
      frames->carry(points, rules, flow.data());
      EXPECT_EQ(is_torn(flow), frame == 3) << frame;
      tracker.carry_again(scene.size, *frames, points, flow);
      EXPECT_FALSE(is_torn(flow)) << frame;
      tracker.next(scene.size, *sieve, points, flow);
      if (frame == 3) {
        EXPECT_TRUE(tracker.seen().value().signs.flow) << "the search alone found it";
      }
      EXPECT_GT(overlap_of(tracker.last().box, shaken_at(frame)), 0.7) << frame;
    }
  }
}

TEST(ObjectTracker, TellsWhereTheObjectIsSeen) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  EXPECT_EQ(video.tracker.seen().value().signs.likeness, 1);
  SignMemory memory;
  for (int frame = 1; frame < 30; ++frame) {
    const Templates before = video.tracker.object().templates;
    const TrackedObject object = video.next({{place_at(frame)}});
    const ObjectTracker::Seen seen = video.tracker.seen().value();
    const ObjectPatch patch = patch_at(make_scene(kFrame, {{place_at(frame)}}).view(), seen.box);
    EXPECT_EQ(seen.signs.likeness, before.compare(patch).conservative) << frame;
    EXPECT_EQ(seen.box, object.box) << frame;
    ASSERT_TRUE(seen.signs.flow) << frame;
    EXPECT_GT(seen.signs.flow->kept, 0.5) << frame;
    EXPECT_EQ(next_confidence(seen.signs, memory), object.confidence) << frame;
  }
  for (int frame = 30; frame < 50; ++frame) {
    const TrackedObject object = video.next({});
    ASSERT_EQ(video.tracker.seen().has_value(), object.confidence > 0) << frame;
  }
  EXPECT_EQ(video.tracker.place().memory.found, 0);
  const double usual = video.tracker.place().memory.likeness;
  EXPECT_GT(usual, 0.5);
  while (video.next({{place_at(49)}}).confidence == 0)
    ASSERT_EQ(video.tracker.place().memory.likeness, usual);
  EXPECT_FALSE(video.tracker.seen().value().signs.flow) << "the search alone found it";
  EXPECT_DOUBLE_EQ(video.tracker.place().memory.found, 0.2);
}

TEST(ObjectTracker, AMarkBeginsTheMemoryAnew) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 10; ++frame) video.next_without_flow({{place_at(0)}}, 1);
  video.tracker.lose();
  const SignMemory lost = video.tracker.place().memory;
  EXPECT_EQ(lost.found, 0);
  EXPECT_EQ(lost.back, 0);
  EXPECT_LT(lost.likeness, 1);
  ASSERT_TRUE(video.mark(place_at(0)));
  EXPECT_EQ(video.tracker.place().memory.found, 1);
  EXPECT_EQ(video.tracker.place().memory.likeness, 1);
}

TEST(ObjectTracker, LearnsTheBoxAndNotTheNearestWindow) {
  LearntObject object(1);
  object.box = {40, 30, 33, 41};
  ObjectGrid grid;
  grid.plan(kFrame, object);
  ObjectFrame frame;
  frame.make(make_scene(kFrame, {{object.box}}).view(), 0, kObjectStepsCpu);
  ASSERT_TRUE(learn_first(frame, grid, object));
  EXPECT_EQ(object.least_variance, variance_of(shrunk_at(frame.level(), object.box)) / 2)
      << "of grey levels, not of details";
  const RealBox place{61.4, 37.6, 34.5, 42.8};
  frame.make(make_scene(kFrame, {{place, 2}}).view(), 0, kObjectStepsCpu);
  ObjectFinds finds;
  search_object(frame, grid, object, 0, finds);
  learn_more(frame, grid, place, finds, 1, object);
  EXPECT_EQ(object.templates.objects(), 2u);
  EXPECT_DOUBLE_EQ(object.templates.like_object(patch_at(frame.level(), place)), 1);
}

TEST(ObjectTracker, FindsAnObjectThatReturnsSmaller) {
  Video video;
  const RealBox box{30, 20, 60, 66};
  ASSERT_TRUE(video.mark(box));
  for (int frame = 0; frame < 5; ++frame) video.next({{box}});
  for (int frame = 0; frame < 3; ++frame) video.next({});
  const RealBox smaller{80, 40, 42, 46};
  int waited = 0;
  while (video.next({{smaller}}).state == ObjectState::kLost && waited < 6) ++waited;
  EXPECT_LT(waited, 3);
  EXPECT_GT(overlap_of(video.next({{smaller}}).box, smaller), 0.6);
}

TEST(ObjectTracker, DoesNotTakeAnotherObjectForThis) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  for (int frame = 1; frame < 10; ++frame) video.next({{place_at(frame)}});
  for (int frame = 10; frame < 15; ++frame) video.next({});
  for (int frame = 15; frame < 25; ++frame)
    EXPECT_EQ(video.next({{{100, 20, 30, 36}, 2}}).state, ObjectState::kLost) << frame;
}

TEST(ObjectTracker, ReferenceAndProcessorFollowAlike) {
  Video reference(true), processor(false);
  ASSERT_TRUE(reference.mark(place_at(0)));
  ASSERT_TRUE(processor.mark(place_at(0)));
  for (int frame = 1; frame < 40; ++frame) {
    std::vector<Shown> objects;
    if (frame < 20 || frame >= 24) objects.push_back({place_at(frame)});
    const TrackedObject a = reference.next(objects), b = processor.next(objects);
    ASSERT_EQ(a.box, b.box) << frame;
    ASSERT_EQ(a.confidence, b.confidence) << frame;
    ASSERT_EQ(a.state, b.state) << frame;
  }
  EXPECT_EQ(reference.tracker.object().templates.objects(), processor.tracker.object().templates.objects());
}

TEST(ObjectTracker, TheSeedDecidesWhatIsRandom) {
  Video first(false, 7), again(false, 7), other(false, 8);
  for (Video* video : {&first, &again, &other}) ASSERT_TRUE(video->mark(place_at(0)));
  bool differs = false;
  for (int frame = 1; frame < 15; ++frame) {
    first.next({{place_at(frame)}});
    again.next({{place_at(frame)}});
    other.next({{place_at(frame)}});
    ASSERT_EQ(first.tracker.last().box, again.tracker.last().box);
    differs = differs || first.tracker.finds().above != other.tracker.finds().above;
  }
  EXPECT_TRUE(differs);
}

TEST(ObjectTracker, ACorrectionMovesTheObject) {
  Video video;
  ASSERT_TRUE(video.mark(place_at(0)));
  video.next({{place_at(1)}});
  const std::size_t before = video.tracker.object().templates.objects();
  const RealBox elsewhere{100, 70, 34, 40};
  const GrayFrame frame = make_scene(kFrame, {{elsewhere, 2}});
  ASSERT_TRUE(video.tracker.mark(frame.view(), elsewhere));
  EXPECT_EQ(video.tracker.last().box, elsewhere);
  EXPECT_EQ(video.tracker.last().state, ObjectState::kFound);
  EXPECT_EQ(video.tracker.object().templates.objects(), before + 1);
  ASSERT_TRUE(video.tracker.mark(frame.view(), elsewhere));
  EXPECT_EQ(video.tracker.object().templates.objects(), before + 2)
      << "what a person marks is kept in any case";
  const RealBox flat{90, 80, 60, 15};
  ASSERT_TRUE(video.tracker.mark(frame.view(), flat)) << "a correction may have another shape";
  EXPECT_EQ(video.tracker.last().box, flat);
  EXPECT_EQ(video.next({{elsewhere, 2}}).state, ObjectState::kFound);
}

}  // namespace
}  // namespace winnow
