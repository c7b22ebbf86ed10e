// Tests `Tracker`: ids, corrections, several objects at once, and what is refused.
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/tracker.h>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/folder_for_test.h"
#include "base/real_box.h"
#include "track/tld/box_motion.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_steps.h"
#include "track/tld/object_tracker.h"

namespace winnow {
namespace {

constexpr Size kFrame{200, 150};

RealBox left_at(int frame) { return {20.0 + frame, 40 + 10 * std::sin(frame * 0.2), 32, 36}; }
RealBox right_at(int frame) { return {120.0, 20.0 + frame, 40, 30}; }
GrayFrame both_at(int frame) { return make_scene(kFrame, {{left_at(frame), 1}, {right_at(frame), 2}}); }

std::optional<ErrorCode> code_of(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

TEST(Tracker, FollowsSeveralObjects) {
  Tracker tracker;
  EXPECT_EQ(tracker.add(both_at(0).view(), left_at(0)), 1);
  EXPECT_EQ(tracker.add(both_at(0).view(), right_at(0)), 2);
  for (int frame = 1; frame < 25; ++frame) {
    const std::vector<Track> tracks = tracker.next(both_at(frame).view());
    ASSERT_EQ(tracks.size(), 2u);
    EXPECT_EQ(tracks[0].id, 1);
    EXPECT_EQ(tracks[1].id, 2);
    EXPECT_GT(overlap_of(tracks[0].box, left_at(frame)), 0.7) << frame;
    EXPECT_GT(overlap_of(tracks[1].box, right_at(frame)), 0.7) << frame;
  }
}

// The tracks of the left object alone.
enum class Beside { kNone, kAfter, kBefore };
std::vector<Track> followed_by(int threads, Beside beside, BackendKind backend = BackendKind::kAuto) {
  Tracker tracker({}, {.backend = backend, .threads = threads});
  if (beside == Beside::kBefore) tracker.add(both_at(0).view(), right_at(0));
  tracker.add(both_at(0).view(), left_at(0));
  if (beside == Beside::kAfter) tracker.add(both_at(0).view(), right_at(0));
  std::vector<Track> all, tracks;
  for (int frame = 1; frame < 15; ++frame) {
    tracker.next(both_at(frame).view(), tracks);
    all.push_back(tracks[beside == Beside::kBefore ? 1 : 0]);
    all.back().id = 1;
  }
  return all;
}

TEST(Tracker, NeitherThreadsNorBackendsNorOtherObjectsChangeATrack) {
  const std::vector<Track> wanted = followed_by(1, Beside::kNone);
  EXPECT_EQ(followed_by(1, Beside::kAfter), wanted);
  EXPECT_EQ(followed_by(3, Beside::kBefore), wanted);
  EXPECT_EQ(followed_by(1, Beside::kAfter, BackendKind::kReference), wanted);
  EXPECT_EQ(followed_by(2, Beside::kNone, BackendKind::kCpu), wanted);
}

TEST(Tracker, AnObjectMayBeMarkedInALaterFrame) {
  Tracker tracker;
  EXPECT_TRUE(tracker.next(both_at(0).view()).empty());
  EXPECT_TRUE(tracker.next(both_at(1).view()).empty());
  tracker.add(both_at(1).view(), right_at(1));
  const std::vector<Track> tracks = tracker.next(both_at(2).view());
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_GT(overlap_of(tracks[0].box, right_at(2)), 0.7);
}

// A large dim object: its slopes are those of a small object whose picture was enlarged.
GrayFrame dim_at(int frame) {
  GrayFrame scene = make_scene({480, 360}, {{{100 + 3.0 * frame, 80 + 1.0 * frame, 200, 210}}});
  for (std::uint8_t& pixel : scene.pixels) pixel = static_cast<std::uint8_t>(100 + pixel / 16);
  return scene;
}

TEST(Tracker, EachObjectIsCarriedByTheRulesOfItsSize) {
  const RealBox large{100, 80, 200, 210}, small{30, 300, 30, 28};
  Tracker tracker;
  tracker.add(dim_at(0).view(), small);
  tracker.add(dim_at(0).view(), large);
  ObjectTracker alone(kObjectStepsCpu, 1);
  ASSERT_TRUE(alone.mark(dim_at(0).view(), large));
  const FlowRules rules = ObjectTracker::flow_rules(alone.object().halvings);
  EXPECT_LT(rules.min_eigen, ObjectTracker::flow_rules().min_eigen);
  const auto flow = make_sieve_frames_cpu(1, 0);
  const auto sieve = flow->make_sieve();
  flow->keep(dim_at(0).view(), rules);
  std::size_t found = 0;
  for (int frame = 1; frame < 5; ++frame) {
    const GrayFrame scene = dim_at(frame);
    std::vector<FlowPlace> points;
    alone.points(points);
    std::vector<FlowResult> results(points.size());
    flow->keep(scene.view(), rules);
    alone.begin(scene.size, *sieve);
    if (!points.empty()) flow->carry(points, rules, results.data());
    alone.carry_again(scene.size, *flow, points, results);
    for (const FlowResult& result : results) found += result.found != 0 ? 1 : 0;
    const TrackedObject& wanted = alone.next(scene.size, *sieve, points, results);
    const Track track = tracker.next(scene.view())[1];
    EXPECT_EQ(track.box, wanted.box) << frame;
    EXPECT_EQ(track.confidence, wanted.confidence) << frame;
    EXPECT_NE(track.state, TrackState::kLost) << frame;
  }
  EXPECT_GT(found, 100u);
}

TEST(Tracker, ABoxOfTwoCornersIsToldWhatToGive) {
  const auto told = [](const RealBox& box) -> std::string {
    try {
      Tracker().add(both_at(0).view(), box);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const std::string refused = "most of a box to be tracked must lie inside of the frame, which is 200 x 150";
  EXPECT_EQ(told({120, 90, 180.5, 140}),
            refused + "; as two corners the numbers would fit: then give 120,90,60.5,50");
  EXPECT_EQ(told({120, 90, 201, 140}), refused) << "the second corner lies outside";
  EXPECT_EQ(told({150, 90, 157, 140}), refused) << "the corners lie too near";
}

TEST(Tracker, TornFlowIsCarriedAgain) {
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    Tracker tracker({}, {.backend = backend});
    tracker.add(shaken_scene(0).view(), shaken_at(0));
    ObjectTracker alone(kObjectStepsCpu, 1);
    ASSERT_TRUE(alone.mark(shaken_scene(0).view(), shaken_at(0)));
    const FlowRules rules = ObjectTracker::flow_rules();
    const auto flow = make_sieve_frames_cpu(1, 0);
    const auto sieve = flow->make_sieve();
    flow->keep(shaken_scene(0).view(), rules);
    for (int frame = 1; frame < 6; ++frame) {
      const GrayFrame scene = shaken_scene(frame);
      std::vector<FlowPlace> points;
      alone.points(points);
      std::vector<FlowResult> results(points.size());
      flow->keep(scene.view(), rules);
      alone.begin(scene.size, *sieve);
      flow->carry(points, rules, results.data());
      EXPECT_EQ(is_torn(results), frame == 3) << frame;
      alone.carry_again(scene.size, *flow, points, results);
      const TrackedObject& wanted = alone.next(scene.size, *sieve, points, results);
      const Track track = tracker.next(scene.view()).front();
      EXPECT_EQ(track.box, wanted.box) << frame;
      EXPECT_EQ(track.confidence, wanted.confidence) << frame;
    }
  }
}

TEST(Tracker, ACorrectionToAnotherSizeIsSearchedAndSaved) {
  const Size size{480, 360};
  const RealBox large{20, 20, 320, 300}, small{380, 60, 32, 30}, moved{40, 250, 32, 30};
  Tracker tracker;
  tracker.add(make_scene(size, {{large}}).view(), large);
  const GrayFrame other = make_scene(size, {{small, 3}});
  tracker.next(other.view());
  tracker.set(1, other.view(), small);
  EXPECT_EQ(tracker.last(1).box, small);
  EXPECT_EQ(tracker.next(make_scene(size, {}).view())[0].state, TrackState::kLost);
  for (int frame = 0; frame < 3; ++frame) tracker.next(make_scene(size, {{moved, 3}}).view());
  EXPECT_EQ(tracker.last(1).state, TrackState::kFound) << "the search alone can find it there";
  EXPECT_GT(overlap_of(tracker.last(1).box, moved), 0.6);
  Tracker loaded;
  EXPECT_EQ(loaded.add_saved(tracker.to_bytes()), std::vector{1});
  tracker.set(1, other.view(), {380, 60, 9, 8.5});
  EXPECT_EQ(loaded.add_saved(tracker.to_bytes()), std::vector{2}) << "the least box can be saved, too";
}

TEST(Tracker, ObjectsAreCorrectedAndRemoved) {
  Tracker tracker;
  const int first = tracker.add(both_at(0).view(), left_at(0)),
            second = tracker.add(both_at(0).view(), left_at(0));
  tracker.next(both_at(1).view());
  tracker.set(second, both_at(1).view(), right_at(1));
  std::vector<Track> tracks = tracker.next(both_at(2).view());
  EXPECT_GT(overlap_of(tracks[0].box, left_at(2)), 0.7);
  EXPECT_GT(overlap_of(tracks[1].box, right_at(2)), 0.7);
  tracker.remove(first);
  tracks = tracker.next(both_at(3).view());
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].id, second);
  EXPECT_EQ(tracker.add(both_at(3).view(), left_at(3)), 3) << "an id is not given twice";
  EXPECT_EQ(code_of([&] { tracker.remove(first); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { tracker.set(9, both_at(3).view(), left_at(3)); }), ErrorCode::kUsage);
}

// Frames in which the left object is away for a while, so that a saved object may be found, tracked or lost.
GrayFrame leaving_at(int frame) {
  return frame >= 12 && frame < 16 ? make_scene(kFrame, {{right_at(frame), 2}}) : both_at(frame);
}

TEST(Tracker, ASavedObjectGoesOnToTheBit) {
  for (const int saved_at : {0, 7, 13, 17}) {
    Tracker tracker({.seed = 3});
    tracker.add(leaving_at(0).view(), left_at(0));
    tracker.add(leaving_at(0).view(), right_at(0));
    for (int frame = 1; frame <= saved_at; ++frame) tracker.next(leaving_at(frame).view());
    Tracker other({.seed = 4});
    other.next(leaving_at(saved_at).view());
    EXPECT_EQ(other.add_saved(tracker.to_bytes(), leaving_at(saved_at).view()), (std::vector{1, 2}));
    Tracker alone({}, {.backend = BackendKind::kReference});
    EXPECT_EQ(alone.add_saved(tracker.to_bytes(std::vector{1}), leaving_at(saved_at).view()), std::vector{1});
    EXPECT_EQ(other.to_bytes(), tracker.to_bytes());
    EXPECT_EQ(alone.last(1), tracker.last(1));
    bool lost = false;
    for (int frame = saved_at + 1; frame < 24; ++frame) {
      const std::vector<Track> wanted = tracker.next(leaving_at(frame).view());
      EXPECT_EQ(other.next(leaving_at(frame).view()), wanted) << saved_at << " " << frame;
      EXPECT_EQ(alone.next(leaving_at(frame).view())[0], wanted[0]) << saved_at << " " << frame;
      lost = lost || wanted[0].state == TrackState::kLost;
    }
    EXPECT_TRUE(lost || saved_at > 13);
    EXPECT_NE(tracker.last(1).state, TrackState::kLost)
        << "found again, so that the search was compared, too";
    EXPECT_EQ(other.to_bytes(), tracker.to_bytes()) << "and both learnt the same";
  }
}

TEST(Tracker, ALoadedObjectIsSearchedElsewhere) {
  Tracker tracker;
  tracker.add(both_at(0).view(), left_at(0));
  for (int frame = 1; frame < 10; ++frame) tracker.next(both_at(frame).view());
  const RealBox box{150, 90, 32, 36};
  Tracker other;
  EXPECT_EQ(other.add(both_at(0).view(), right_at(0)), 1);
  EXPECT_EQ(other.add_saved(tracker.to_bytes()), std::vector{2});
  EXPECT_EQ(other.last(2), (Track{2, TrackState::kLost, {}, 0}));
  const GrayFrame empty = make_scene({240, 180}, {}), there = make_scene({240, 180}, {{box, 1}});
  EXPECT_EQ(other.next(empty.view())[1], (Track{2, TrackState::kLost, {}, 0}));
  for (int frame = 0; frame < 4; ++frame) other.next(there.view());
  EXPECT_EQ(other.last(2).state, TrackState::kFound);
  EXPECT_GT(overlap_of(other.last(2).box, box), 0.6);
  EXPECT_EQ(other.add(there.view(), box), 3);
}

TEST(Tracker, SavesFiles) {
  const TestFolder folder;
  const std::string path = folder.file("objects");
  Tracker tracker;
  tracker.add(both_at(0).view(), left_at(0));
  tracker.save(path);
  EXPECT_EQ(read_file(path, 1 << 21), tracker.to_bytes());
  Tracker other;
  EXPECT_EQ(other.load(path), std::vector{1});
  tracker.add(both_at(0).view(), right_at(0));
  tracker.save(path, std::vector{2, 1});
  other.add_saved(read_file(path, 1 << 22), both_at(0).view());
  EXPECT_EQ(other.last(2).box, tracker.last(2).box) << "in the order of the ids that were given";
  EXPECT_EQ(other.last(3).box, tracker.last(1).box);
  write_file(path, std::as_bytes(std::span("no objects")));
  try {
    other.load(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFormat);
    EXPECT_EQ(error.what(), path + ": these are no bytes of saved objects");
  }
  EXPECT_EQ(code_of([&] { other.load(folder.file("nothing")); }), ErrorCode::kIo);
}

// A loaded object begins as one that was lost, however long it is not there.
TEST(Tracker, ALoadedObjectIsNoSurerWhereItIsFoundAtOnce) {
  Tracker tracker;
  tracker.add(both_at(0).view(), left_at(0));
  for (int frame = 1; frame < 5; ++frame) tracker.next(both_at(frame).view());
  const std::vector<std::byte> bytes = tracker.to_bytes();
  Tracker at_once, later;
  at_once.add_saved(bytes);
  later.add_saved(bytes);
  later.next(make_scene(both_at(5).size, {}).view());
  const Track first = at_once.next(both_at(5).view())[0], second = later.next(both_at(5).view())[0];
  EXPECT_EQ(first.state, TrackState::kFound);
  EXPECT_EQ(first.box, second.box);
  EXPECT_EQ(first.confidence, second.confidence);
}

TEST(Tracker, RefusesAnotherFrameForASavedObject) {
  Tracker tracker;
  tracker.add(both_at(0).view(), left_at(0));
  const std::vector<std::byte> bytes = tracker.to_bytes();
  const GrayFrame other = make_scene({99, 99}, {});
  EXPECT_EQ(code_of([&] { tracker.add_saved(bytes, other.view()); }), ErrorCode::kUsage);
  Tracker fresh;
  EXPECT_EQ(code_of([&] { fresh.add_saved(bytes, other.view()); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { fresh.add_saved(bytes, GrayView{}); }), ErrorCode::kUsage);
  EXPECT_EQ(fresh.add(other.view(), {20, 20, 30, 30}), 1) << "what was refused leaves nothing behind";
  EXPECT_EQ(code_of([&] { tracker.to_bytes(std::vector{9}); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { tracker.last(9); }), ErrorCode::kUsage);
}

TEST(Tracker, AFrameOfAnotherSizeIsSearched) {
  Tracker tracker;
  tracker.add(both_at(0).view(), left_at(0));
  for (int frame = 1; frame < 10; ++frame) tracker.next(both_at(frame).view());
  const RealBox box{90, 60, 32, 36};
  TrackState state = TrackState::kLost;
  for (int frame = 0; frame < 6 && state == TrackState::kLost; ++frame) {
    const std::vector<Track> tracks = tracker.next(make_scene({240, 180}, {{box, 1}}).view());
    state = tracks[0].state;
    if (state == TrackState::kFound) {
      EXPECT_GT(overlap_of(tracks[0].box, box), 0.6);
    }
  }
  EXPECT_EQ(state, TrackState::kFound);
}

TEST(Tracker, RefusesBadBoxesAndFrames) {
  Tracker tracker;
  const GrayFrame frame = both_at(0);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kInfinite = std::numeric_limits<double>::infinity();
  for (const RealBox& box : {RealBox{10, 10, 1, 1}, RealBox{10, 10, 30, 7.9}, RealBox{500, 10, 30, 30},
                             RealBox{193, 10, 30, 30}, RealBox{-23, 10, 30, 30}, RealBox{kNan, 1, 30, 30},
                             RealBox{1, 1, kInfinite, 30}, RealBox{10, 10, -30, 30}})
    EXPECT_EQ(code_of([&] { tracker.add(frame.view(), box); }), ErrorCode::kUsage)
        << box.x << " " << box.width;
  EXPECT_EQ(tracker.add(make_scene({90, 80}, {{{20, 20, 32, 36}}}).view(), {20, 20, 32, 36}), 1)
      << "what was refused leaves nothing behind";
  tracker = Tracker();
  EXPECT_EQ(tracker.add(frame.view(), {-10, 40, 40, 30}), 1) << "a box may reach beyond the frame";
  EXPECT_EQ(code_of([&] { tracker.next(GrayView{}); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { tracker.add(make_scene({99, 99}, {}).view(), left_at(0)); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([] { Tracker({}, {.threads = -1}); }), ErrorCode::kUsage);
}

TEST(Tracker, StatesHaveNames) {
  EXPECT_STREQ(state_name(TrackState::kFound), "found");
  EXPECT_STREQ(state_name(TrackState::kTracked), "tracked");
  EXPECT_STREQ(state_name(TrackState::kLost), "lost");
}

}  // namespace
}  // namespace winnow
