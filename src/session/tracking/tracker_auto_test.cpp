// Tests that a tracker with `auto` gives the tracks of one backend while its work goes from a processor to a
// device and back, also if the device fails in the middle of a frame. Here `reference` is the device.
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/tracker.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "session/tracking/tracked_videos.h"
#include "track/saved/object_bytes.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_steps.h"

namespace winnow {
namespace {

constexpr Size kFrame{200, 150};
constexpr DeviceStart kStart{[] { return true; }, [](int) {}, 0};

RealBox left_at(int frame) { return {20.0 + frame, 40 + 10 * std::sin(frame * 0.2), 32, 36}; }
RealBox right_at(int frame) { return {120.0, 20.0 + frame, 60, 55}; }
GrayFrame both_at(int frame) { return make_scene(kFrame, {{left_at(frame), 1}, {right_at(frame), 2}}); }

class TrackerAuto : public testing::Test {
 protected:
  TrackerAuto() { force_auto_backends(AutoBackends{BackendKind::kCpu, BackendKind::kReference, &kStart}); }
  ~TrackerAuto() override { force_auto_backends({}); }
  // Gives a session's device time to wake up.
  static void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
};

TEST_F(TrackerAuto, GivesTheTracksOfOneBackend) {
  Tracker tracker({}, {.threads = 2}), cpu({}, {.backend = BackendKind::kCpu, .threads = 1});
  EXPECT_EQ(tracker.backend(), BackendKind::kAuto);
  EXPECT_EQ(tracker.last_backend(), BackendKind::kCpu);
  EXPECT_EQ(cpu.backend(), BackendKind::kCpu);
  std::set<BackendKind> backends;
  int changes = 0, seen = 0;
  for (Tracker* each : {&tracker, &cpu}) {
    each->add(both_at(0).view(), left_at(0));
    each->add(both_at(0).view(), right_at(0));
  }
  for (int frame = 1; frame < 40; ++frame) {
    // The left object goes away and comes back. A frame has another size.
    const GrayFrame picture = frame == 30                 ? make_scene({230, 150}, {{left_at(30), 1}})
                              : frame >= 12 && frame < 15 ? make_scene(kFrame, {{right_at(frame), 2}})
                                                          : both_at(frame);
    const BackendKind before = tracker.last_backend();
    const std::vector<Track> tracks = tracker.next(picture.view());
    ASSERT_EQ(tracks, cpu.next(picture.view())) << frame;
    ASSERT_EQ(tracker.to_bytes(), cpu.to_bytes()) << frame;
    for (const Track& track : tracks) seen += track.state != TrackState::kLost ? 1 : 0;
    backends.insert(tracker.last_backend());
    changes += tracker.last_backend() != before ? 1 : 0;
    for (Tracker* each : {&tracker, &cpu}) {
      if (frame == 2) each->set(1, picture.view(), {left_at(2).x, left_at(2).y, 36, 36});
      if (frame == 3) each->add(picture.view(), {100, 90, 40, 40});
      if (frame == 20) each->remove(2);
    }
    if (frame == 1 || frame == 3) wait();
  }
  EXPECT_EQ(backends, (std::set<BackendKind>{BackendKind::kCpu, BackendKind::kReference}));
  EXPECT_GE(changes, 1);
  EXPECT_GT(seen, 40);
  EXPECT_EQ(tracker.note(), "");
}

TEST_F(TrackerAuto, ADeviceThatCannotStartLeavesTheFramesToTheProcessor) {
  static constexpr DeviceStart kBroken{
      [] { return true; }, [](int) { throw Error(ErrorCode::kBackend, "the driver is too old"); }, 0};
  force_auto_backends(AutoBackends{BackendKind::kCpu, BackendKind::kReference, &kBroken});
  Tracker tracker;
  tracker.add(both_at(0).view(), left_at(0));
  for (int frame = 1; frame < 4 || (frame < 1000 && tracker.note().empty()); ++frame) {
    tracker.next(both_at(std::min(frame, 3)).view());
    wait();
  }
  EXPECT_EQ(tracker.last(1).state, TrackState::kFound);
  EXPECT_EQ(tracker.note(), "the driver is too old");
  EXPECT_EQ(tracker.backend(), BackendKind::kCpu);
  EXPECT_EQ(tracker.last_backend(), BackendKind::kCpu);
}

// The call of a device that fails, counted from 0.
std::atomic<int> g_calls{0}, g_fails{-1};
ErrorCode g_code = ErrorCode::kDevice;
void call() {
  if (g_calls++ == g_fails) throw Error(g_code, "the device is gone");
}

class FailingFrames final : public SieveFrames {
 public:
  void keep(GrayView frame, const FlowRules& rules) override {
    call();
    frames_->keep(frame, rules);
  }
  void forget() override { frames_->forget(); }
  bool has_before() const override { return frames_->has_before(); }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    call();
    frames_->carry(points, rules, results);
  }
  std::unique_ptr<WindowSieve> make_sieve() override {
    call();
    return std::make_unique<Sieve>(frames_->make_sieve());
  }

 private:
  class Sieve final : public WindowSieve {
   public:
    explicit Sieve(std::unique_ptr<WindowSieve> sieve) : sieve_(std::move(sieve)) {}
    void begin(const ObjectGrid& grid, const LearntObject& object) override {
      call();
      sieve_->begin(grid, object);
    }
    std::span<const LikelyWindow> finish(const ObjectGrid& grid, const LearntObject& object, int threads,
                                         ObjectFrame& frame) override {
      call();
      return sieve_->finish(grid, object, threads, frame);
    }

   private:
    std::unique_ptr<WindowSieve> sieve_;
  };
  std::unique_ptr<SieveFrames> frames_ = make_sieve_frames_ref(1, 0);
};

// Two objects, marked in frame 0.
TrackedVideos two_objects(AutoEngine<TrackEngine> engines) {
  TrackedVideos videos(std::move(engines));
  for (const int id : {1, 2}) {
    ObjectTracker tracker(videos.steps(), 1);
    EXPECT_TRUE(tracker.mark(both_at(0).view(), id == 1 ? left_at(0) : right_at(0)));
    videos.keep_first(0, both_at(0).view());
    videos.objects().push_back({id, 0, std::move(tracker)});
  }
  return videos;
}

std::vector<std::byte> state_of(const TrackedVideos& videos) {
  std::vector<SavedObject> saved;
  for (const TrackedVideos::Object& object : videos.objects())
    saved.push_back({object.tracker.object(), object.tracker.place(), kFrame});
  return write_objects(saved);
}

constexpr int kFrames = 6;
void next(TrackedVideos& videos, int frame) {
  const GrayFrame picture = both_at(frame);
  const GrayView view = picture.view();
  videos.next({&view, 1});
}

TEST(TrackedVideos, ADeviceMayFailAtAnyCall) {
  TrackedVideos cpu = two_objects(make_track_engines({.backend = BackendKind::kCpu, .threads = 2}));
  std::vector<std::vector<std::byte>> wanted{{}};
  for (int frame = 1; frame < kFrames; ++frame) {
    next(cpu, frame);
    wanted.push_back(state_of(cpu));
  }
  BackendTable failing = find_backend(BackendKind::kReference);
  ObjectSteps steps = *failing.objects;
  steps.make_frames = [](int, int) -> std::unique_ptr<SieveFrames> {
    return std::make_unique<FailingFrames>();
  };
  failing.objects = &steps;
  for (const int threads : {1, 3}) {
    failing.threads = threads == 1 ? [](int) { return 1; } : [](int) { return 3; };
    int failed = 0, by_device = 0;
    for (g_fails = 0;; ++g_fails) {
      g_calls = 0;
      const MachineOptions machine{.threads = threads};
      TrackedVideos videos = two_objects(AutoEngine<TrackEngine>(
          std::make_unique<TrackEngine>(find_backend(BackendKind::kCpu), machine), &kStart, {0},
          [&failing, machine] { return std::make_unique<TrackEngine>(failing, machine); }));
      for (int frame = 1; frame < kFrames; ++frame) {
        const int calls = g_calls;
        next(videos, frame);
        ASSERT_EQ(state_of(videos), wanted[static_cast<std::size_t>(frame)])
            << "frame " << frame << ", call " << g_fails;
        const bool is_device = &videos.last_engine() != &videos.engines().first();
        EXPECT_EQ(is_device, g_calls > calls && videos.engines().note().empty()) << frame;
        by_device += is_device ? 1 : 0;
        while (videos.engines().is_waking()) std::this_thread::yield();
      }
      if (g_calls <= g_fails) {
        EXPECT_EQ(videos.engines().note(), "");
        break;
      }
      ++failed;
      EXPECT_EQ(videos.engines().note(), "the device is gone");
      EXPECT_FALSE(videos.engines().may_have_device());
      EXPECT_EQ(&videos.last_engine(), &videos.engines().first());
    }
    EXPECT_GT(failed, 15) << "three frames of a device have so many calls at least";
    EXPECT_GT(by_device, 10);
  }
}

// An error that is not the device's ends the frame: objects are lost, and are found again.
TEST(TrackedVideos, ObjectsAreFoundAgainAfterAnotherError) {
  BackendTable failing = find_backend(BackendKind::kReference);
  ObjectSteps steps = *failing.objects;
  steps.make_frames = [](int, int) -> std::unique_ptr<SieveFrames> {
    return std::make_unique<FailingFrames>();
  };
  failing.objects = &steps;
  g_code = ErrorCode::kLimit;
  g_fails = -1;
  TrackedVideos videos =
      two_objects(AutoEngine<TrackEngine>(std::make_unique<TrackEngine>(failing, MachineOptions{})));
  next(videos, 1);
  for (const int call : {0, 2, 5}) {
    g_calls = 0;
    g_fails = call;
    EXPECT_THROW(next(videos, 2), Error);
    for (const TrackedVideos::Object& object : videos.objects())
      EXPECT_EQ(object.tracker.last().state, ObjectState::kLost);
    g_fails = -1;
    for (int frame = 3; frame < 6; ++frame) next(videos, frame);
    for (const TrackedVideos::Object& object : videos.objects())
      EXPECT_NE(object.tracker.last().state, ObjectState::kLost) << call;
  }
  g_code = ErrorCode::kDevice;
}

}  // namespace
}  // namespace winnow
