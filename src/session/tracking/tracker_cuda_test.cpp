// Compares the tracks of a device with those of the processor.
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/tracker.h>

#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "backend/auto_backends.h"
#include "base/device/device_for_test.h"
#include "track/tld/object_scene_for_test.h"

namespace winnow {
namespace {

RealBox small_at(int frame) { return {30.0 + 2 * frame, 60 + 20 * std::sin(frame * 0.2), 32, 36}; }
RealBox large_at(int frame) { return {190.0 - frame, 70.0 + frame, 120, 110}; }
constexpr Size kFrame{400, 300};

// Objects go away for some frames.
GrayFrame scene_at(int frame) {
  std::vector<Shown> shown;
  if (frame < 14 || frame >= 18) shown.push_back({large_at(frame), 2});
  if (frame < 10 || frame >= 14) shown.push_back({small_at(frame), 1});
  return make_scene(kFrame, shown);
}

// Follows two objects and a third that comes later; one is corrected, one removed, and a frame has another
// size.
std::vector<std::vector<Track>> follow(const MachineOptions& machine) {
  Tracker tracker({.seed = 3}, machine);
  tracker.add(scene_at(0).view(), small_at(0));
  tracker.add(scene_at(0).view(), large_at(0));
  std::vector<std::vector<Track>> all;
  for (int frame = 1; frame < 36; ++frame) {
    all.push_back(tracker.next(frame == 30 ? make_scene({420, 310}, {{small_at(30), 1}}).view()
                                           : scene_at(frame).view()));
    if (frame == 5) tracker.add(scene_at(5).view(), {200, 190, 45, 60});
    if (frame == 8) tracker.set(1, scene_at(8).view(), {small_at(8).x, small_at(8).y, 40, 36});
    if (frame == 24) tracker.remove(3);
  }
  return all;
}

TEST(TrackerCuda, GivesTheTracksOfTheProcessor) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<std::vector<Track>> wanted = follow({.backend = BackendKind::kCpu, .threads = 1});
  for (const int threads : {1, 3}) {
    const std::vector<std::vector<Track>> got = follow({.backend = BackendKind::kCuda, .threads = threads});
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], wanted[i]) << "frame " << i + 1;
  }
}

TEST(TrackerCuda, TwoTrackersShareADevice) {
  WINNOW_NEEDS_DEVICE();
  Tracker first({}, {.backend = BackendKind::kCuda}), second({}, {.backend = BackendKind::kCuda}),
      wanted({}, {.backend = BackendKind::kCpu});
  EXPECT_EQ(first.backend(), BackendKind::kCuda);
  for (Tracker* tracker : {&first, &second, &wanted}) tracker->add(scene_at(0).view(), small_at(0));
  for (int frame = 1; frame < 10; ++frame) {
    const GrayFrame scene = scene_at(frame);
    const std::vector<Track> tracks = wanted.next(scene.view());
    EXPECT_EQ(first.next(scene.view()), tracks) << frame;
    EXPECT_EQ(second.next(scene.view()), tracks) << frame;
  }
}

TEST(TrackerCuda, AutoGivesTheTracksOfTheProcessor) {
  WINNOW_NEEDS_DEVICE();
  static const DeviceStart kAtOnce{[] { return true; }, start_of(BackendKind::kCuda)->wake, 0};
  force_auto_backends(AutoBackends{BackendKind::kCpu, BackendKind::kCuda, &kAtOnce});
  Tracker tracker, wanted({}, {.backend = BackendKind::kCpu});
  force_auto_backends({});
  EXPECT_EQ(tracker.backend(), BackendKind::kAuto);
  for (Tracker* each : {&tracker, &wanted}) {
    each->add(scene_at(0).view(), small_at(0));
    each->add(scene_at(0).view(), large_at(0));
  }
  std::set<BackendKind> backends;
  for (int frame = 1; frame < 36; ++frame) {
    const GrayFrame scene = scene_at(frame);
    ASSERT_EQ(tracker.next(scene.view()), wanted.next(scene.view())) << frame;
    backends.insert(tracker.last_backend());
    if (frame == 1) std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  EXPECT_TRUE(backends.contains(BackendKind::kCuda)) << tracker.note();
}

TEST(TrackerCuda, IsRefusedWithoutADevice) {
  try {
    EXPECT_EQ(Tracker({}, {.backend = BackendKind::kCuda}).backend(), BackendKind::kCuda);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBackend);
    EXPECT_NE(sample::no_device(), "") << error.what();
  }
}

}  // namespace
}  // namespace winnow
