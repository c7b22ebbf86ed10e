// Tests that objects that share the frames of a host get the lists, levels and flow that each gets alone.
#include "track/tld/sift/window_sieve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/share_work.h"
#include "track/tld/object_learner.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_search.h"
#include "track/tld/object_tracker.h"

namespace winnow {
namespace {

std::atomic<int> g_sums{0};  // levels whose sums were made
const ObjectSteps kCounted{halve_cpu,
                           [](GrayView picture, const IntegralPlanes& planes) {
                             ++g_sums;
                             integral_cpu(picture, planes);
                           },
                           nullptr};
constexpr FlowRules kRules{};

LearntObject learnt(Size frame, const RealBox& box, int halvings) {
  LearntObject object(5);
  object.halvings = halvings;
  ObjectFrame planes;
  planes.make(make_scene(frame, {{box}}).view(), halvings, kObjectStepsRef);
  object.box = planes.to_level(box);
  ObjectGrid grid;
  grid.plan(planes.level().size(), object);
  EXPECT_TRUE(learn_first(planes, grid, object));
  return object;
}

// An object alone with a frame.
struct Alone {
  ObjectFrame frame;
  ObjectGrid grid;
  std::vector<LikelyWindow> likely;

  Alone(GrayView view, const LearntObject& object) {
    frame.make(view, object.halvings, kObjectStepsRef);
    grid.plan(frame.level().size(), object);
    sift_windows_ref(frame, grid, object, 1, likely);
  }
};

bool is_same(GrayView a, GrayView b) {
  if (a.size() != b.size()) return false;
  for (int y = 0; y < a.height; ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width, b.row(y))) return false;
  return true;
}

bool is_same(std::span<const LikelyWindow> a, std::span<const LikelyWindow> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const LikelyWindow& one, const LikelyWindow& two) {
                      return one.window == two.window && one.sum == two.sum && one.pattern == two.pattern;
                    });
}

TEST(WindowSieve, EachLevelIsMadeOnceForAllObjects) {
  std::vector<LearntObject> objects;
  for (const int halvings : {0, 2, 1, 0, 2}) {
    const double side = 25 << halvings;
    objects.push_back(learnt({500, 380}, {50, 40, side, side * 1.2}, halvings));
  }
  for (const int threads : {1, 4}) {
    const auto frames = make_host_sieve_frames(kCounted, sift_windows_cpu, flow_cpu, 1);
    std::vector<std::unique_ptr<WindowSieve>> sieves;
    for (std::size_t i = 0; i < objects.size(); ++i) sieves.push_back(frames->make_sieve());
    std::size_t likely = 0;
    for (int round = 0; round < 4; ++round) {
      // A frame that is too small to be halved twice, too.
      const Size size = round == 2 ? Size{2, 2} : Size{500 - 3 * round, 380};
      const GrayFrame picture =
          noisy_scene(size, {90.0 + 10 * round, 60, 40, 48}, static_cast<std::uint64_t>(round));
      std::vector<Alone> wanted;
      for (const LearntObject& object : objects) wanted.emplace_back(picture.view(), object);
      {
        const GrayFrame freed = picture;
        frames->keep(freed.view(), kRules);
      }
      g_sums = 0;
      for (std::size_t i = 0; i < objects.size(); ++i) sieves[i]->begin(wanted[i].grid, objects[i]);
      std::vector<ObjectFrame> shown(objects.size());
      std::vector<std::span<const LikelyWindow>> got(objects.size());
      share_work(threads, objects.size(), 1, [&](std::size_t, std::size_t i) {
        got[i] = sieves[i]->finish(wanted[i].grid, objects[i], 1, shown[i]);
      });
      EXPECT_EQ(g_sums, round == 2 ? 2 : 3);
      for (std::size_t i = 0; i < objects.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "round " << round << ", object " << i);
        EXPECT_EQ(shown[i].halvings(), wanted[i].frame.halvings());
        EXPECT_TRUE(is_same(shown[i].level(), wanted[i].frame.level()));
        EXPECT_TRUE(is_same(shown[i].blurred(), wanted[i].frame.blurred()));
        EXPECT_TRUE(is_same(got[i], wanted[i].likely));
        likely += got[i].size();
      }
      EXPECT_EQ(shown[0].level().data, shown[3].level().data);
      EXPECT_EQ(shown[1].blurred().data, shown[4].blurred().data);
    }
    EXPECT_GT(likely, 50u);
  }
}

std::vector<FlowResult> carried(FlowRunner& runner, const FlowRules& rules) {
  std::vector<FlowPlace> points;
  for (int i = 0; i < 20; ++i)
    points.push_back({60.f + 7 * static_cast<float>(i), 40.f + 9 * static_cast<float>(i)});
  std::vector<FlowResult> results(points.size());
  runner.carry(points, rules, results.data());
  return results;
}

// One pyramid serves flow and search, whichever needs more levels.
TEST(WindowSieve, FlowIsThatOfARunnerOfItsOwn) {
  const Size size{420, 300};
  const LearntObject deep = learnt(size, {50, 40, 210, 230}, 3);
  for (const bool reference : {false, true}) {
    const auto frames = reference ? make_sieve_frames_ref(1, 0) : make_sieve_frames_cpu(2, 0);
    const auto sieve = frames->make_sieve();
    const auto alone = reference ? make_flow_runner_ref() : make_flow_runner_cpu(1);
    std::size_t found = 0;
    for (int frame = 0; frame < 6; ++frame) {
      const GrayFrame picture = make_scene(size, {{{80.0 + 2 * frame, 70.0 + frame, 200, 180}}});
      FlowRules rules;
      rules.levels = frame % 2 == 0 ? 2 : 5;
      if (frame == 4) {
        frames->forget();
        alone->forget();
      }
      frames->keep(picture.view(), rules);
      alone->keep(picture.view(), rules);
      const Alone wanted(picture.view(), deep);
      sieve->begin(wanted.grid, deep);
      EXPECT_EQ(frames->has_before(), frame != 0 && frame != 4);
      ASSERT_EQ(frames->has_before(), alone->has_before());
      if (frames->has_before()) {
        const std::vector<FlowResult> got = carried(*frames, rules), other = carried(*alone, rules);
        for (std::size_t i = 0; i < got.size(); ++i) {
          EXPECT_EQ(got[i].place.x, other[i].place.x) << frame;
          EXPECT_EQ(got[i].place.y, other[i].place.y) << frame;
          EXPECT_EQ(got[i].found, other[i].found) << frame;
          found += got[i].found;
        }
      }
      ObjectFrame shown;
      EXPECT_TRUE(is_same(sieve->finish(wanted.grid, deep, 2, shown), wanted.likely)) << frame;
      EXPECT_TRUE(is_same(shown.level(), wanted.frame.level())) << frame;
    }
    EXPECT_GT(found, 20u);
  }
}

// A tracker's sieves see the frame of `begin`, also after one of another size and a correction.
TEST(WindowSieve, ObjectsThatShareFramesAreFollowedAsAlone) {
  const auto place_at = [](int frame, double side) {
    return RealBox{70.0 + 2 * frame, 50.0 + frame, side, side * 1.2};
  };
  const auto together = make_sieve_frames_cpu(1, 0);
  std::vector<std::unique_ptr<SieveFrames>> alone;
  std::vector<std::unique_ptr<WindowSieve>> shared, own;
  std::vector<ObjectTracker> with, without;
  for (const double side : {30.0, 60.0}) {
    alone.push_back(make_sieve_frames_ref(1, 0));
    shared.push_back(together->make_sieve());
    own.push_back(alone.back()->make_sieve());
    for (std::vector<ObjectTracker>* trackers : {&with, &without}) {
      trackers->emplace_back(kObjectStepsCpu, 3);
      ASSERT_TRUE(
          trackers->back().mark(make_scene({220, 160}, {{place_at(0, side)}}).view(), place_at(0, side)));
    }
  }
  int seen = 0;
  for (int frame = 1; frame < 20; ++frame) {
    const Size size = frame == 12 ? Size{230, 150} : Size{220, 160};
    const GrayFrame picture = make_scene(size, {{place_at(frame, frame % 2 == 0 ? 30 : 60)}});
    together->keep(picture.view(), ObjectTracker::flow_rules());
    for (std::size_t i = 0; i < with.size(); ++i) with[i].begin(size, *shared[i]);
    for (std::size_t i = 0; i < with.size(); ++i) {
      alone[i]->keep(picture.view(), ObjectTracker::flow_rules());
      without[i].begin(size, *own[i]);
      const TrackedObject a = with[i].next(size, *shared[i], {}, {}),
                          b = without[i].next(size, *own[i], {}, {});
      ASSERT_EQ(a.box, b.box) << frame;
      ASSERT_EQ(a.confidence, b.confidence) << frame;
      seen += a.state != ObjectState::kLost ? 1 : 0;
      if (frame == 8) {
        for (ObjectTracker* tracker : {&with[i], &without[i]})
          ASSERT_TRUE(tracker->mark(picture.view(), place_at(frame, 30)));
      }
    }
  }
  EXPECT_GT(seen, 10);
}

}  // namespace
}  // namespace winnow
