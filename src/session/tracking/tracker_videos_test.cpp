// Tests that the objects of several videos are followed together as they are alone.
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/tracker.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#include "backend/auto_backends.h"
#include "track/tld/object_scene_for_test.h"

namespace winnow {
namespace {

// Videos of different sizes, whose objects lie on different levels. In each an object goes away for a while.
constexpr Size kSizes[] = {{200, 150}, {170, 190}, {150, 130}};
constexpr std::size_t kVideos = 3;
RealBox place_at(std::size_t video, int frame) {
  const double side = video == 1 ? 56 : 32;
  return {20.0 + frame + 5 * static_cast<double>(video), 40 + 10 * std::sin(frame * 0.2), side, side + 4};
}
RealBox second_at(int frame) { return {120.0, 20.0 + frame, 40, 30}; }
GrayFrame scene_at(std::size_t video, int frame) {
  std::vector<Shown> shown;
  if (frame < 8 + static_cast<int>(video) || frame >= 11)
    shown.push_back({place_at(video, frame), 1 + video});
  if (video == 0) shown.push_back({second_at(frame), 7});
  return make_scene(kSizes[video], shown);
}

// The frame of a video in a call; -1: none. Video 1 pauses now and then, and video 2 begins later.
int frame_in(std::size_t video, int call) {
  if (video == 1) return call % 4 == 2 ? -1 : call - (call + 1) / 4;
  if (video == 2) return call < 3 ? -1 : call - 3;
  return call;
}

template <class Call>
ErrorCode code_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kIo;  // no error
}

constexpr int kCalls = 18;
using Tracks = std::vector<std::vector<std::vector<Track>>>;  // of each call and video

// Follows these videos together. Ids count within a video.
Tracks follow(const std::set<std::size_t>& videos, const MachineOptions& machine, int* changes = nullptr) {
  Tracker tracker({.seed = 3}, machine);
  std::vector<int> ids[kVideos];
  Tracks all;
  for (int call = 0; call < kCalls; ++call) {
    std::vector<GrayFrame> frames;
    std::vector<GrayView> views(kVideos);
    frames.reserve(kVideos);
    for (const std::size_t video : videos) {
      const int frame = frame_in(video, call);
      if (frame >= 0) views[video] = frames.emplace_back(scene_at(video, frame)).view();
    }
    while (!views.empty() && views.back().empty()) views.pop_back();
    std::vector<std::vector<Track>> tracks(views.size(), std::vector<Track>(2));
    const BackendKind before = tracker.last_backend();
    tracker.next(views, tracks);
    if (changes != nullptr) *changes += tracker.last_backend() != before ? 1 : 0;
    tracks.resize(kVideos);
    for (std::size_t video = 0; video < kVideos; ++video) {
      for (Track& track : tracks[video])
        for (std::size_t i = 0; i < ids[video].size(); ++i)
          if (track.id == ids[video][i]) {
            track.id = static_cast<int>(i);
            break;
          }
    }
    all.push_back(tracks);
    for (const std::size_t video : videos) {
      const int number = static_cast<int>(video), frame = frame_in(video, call);
      if (frame < 0) continue;
      if (frame == 0) ids[video].push_back(tracker.add(views[video], place_at(video, 0), number));
      if (frame == 2 && video == 0) ids[0].push_back(tracker.add(views[0], second_at(2), 0));
      if (frame == 3 && video == 1) tracker.set(ids[1][0], views[1], {30, 40, 50, 60});
    }
    if (changes != nullptr && (call == 1 || call == 4))
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  return all;
}

TEST(TrackerVideos, TogetherAsAlone) {
  Tracks wanted(kCalls, std::vector<std::vector<Track>>(kVideos));
  int seen = 0, lost = 0;
  for (std::size_t video = 0; video < kVideos; ++video) {
    const Tracks alone = follow({video}, {.backend = BackendKind::kCpu, .threads = 1});
    for (std::size_t call = 0; call < alone.size(); ++call) {
      for (std::size_t other = 0; other < kVideos; ++other)
        EXPECT_TRUE(other == video || alone[call][other].empty());
      wanted[call][video] = alone[call][video];
      for (const Track& track : alone[call][video]) ++(track.state == TrackState::kLost ? lost : seen);
    }
  }
  EXPECT_GT(seen, 40);
  EXPECT_GT(lost, 2);
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    for (const int threads : {1, 2, 5}) {
      const Tracks got = follow({0, 1, 2}, {.backend = backend, .threads = threads});
      for (std::size_t call = 0; call < got.size(); ++call)
        ASSERT_EQ(got[call], wanted[call]) << call << ", " << threads << " threads";
      if (backend == BackendKind::kReference) break;
    }
  }
}

TEST(TrackerVideos, ChangeTheBackendOneByOne) {
  static constexpr DeviceStart kStart{[] { return true; }, [](int) {}, 0};
  const Tracks wanted = follow({0, 1, 2}, {.backend = BackendKind::kCpu});
  force_auto_backends(AutoBackends{BackendKind::kCpu, BackendKind::kReference, &kStart});
  int changes = 0;
  const Tracks got = follow({0, 1, 2}, {.threads = 2}, &changes);
  force_auto_backends({});
  for (std::size_t call = 0; call < got.size(); ++call) ASSERT_EQ(got[call], wanted[call]) << call;
  EXPECT_GE(changes, 1);
}

TEST(TrackerVideos, BeginAnew) {
  Tracker tracker;
  EXPECT_EQ(tracker.add(scene_at(0, 0).view(), place_at(0, 0)), 1);
  EXPECT_EQ(tracker.add(scene_at(1, 0).view(), place_at(1, 0), 1), 2);
  EXPECT_EQ(tracker.add(scene_at(0, 0).view(), second_at(0)), 3) << "ids are those of the tracker";
  const std::vector<std::byte> bytes = tracker.to_bytes(std::vector{2});
  tracker.restart();
  EXPECT_THROW(tracker.last(1), Error);
  EXPECT_THROW(tracker.set(3, scene_at(0, 0).view(), second_at(0)), Error);
  EXPECT_EQ(tracker.last(2).box, place_at(1, 0));
  const GrayFrame left = scene_at(2, 0), right = scene_at(1, 1);
  const GrayView frames[] = {left.view(), right.view()};
  std::vector<std::vector<Track>> tracks(2);
  tracker.next(frames, tracks);
  EXPECT_TRUE(tracks[0].empty()) << "the new video has another size, and no objects";
  ASSERT_EQ(tracks[1].size(), 1u);
  EXPECT_EQ(tracks[1][0].state, TrackState::kFound);
  EXPECT_EQ(tracker.add_saved(bytes, scene_at(1, 0).view(), 5), std::vector{4});
  EXPECT_EQ(tracker.add_saved(bytes, 6), std::vector{5});
  EXPECT_EQ(tracker.last(4).box, place_at(1, 0));
  EXPECT_EQ(tracker.last(5).state, TrackState::kLost);
  EXPECT_EQ(tracker.next(left.view()), std::vector<Track>()) << "objects of other videos wait";
  tracker.restart(5);
  EXPECT_EQ(tracker.add(left.view(), place_at(2, 0), 5), 6) << "the new video may have another size";
  tracker.restart(99);
}

TEST(TrackerVideos, RefusesOtherNumbersAndLists) {
  Tracker tracker;
  const GrayFrame frame = scene_at(0, 0), other = scene_at(1, 0);
  std::vector<std::vector<Track>> tracks(1);
  const GrayView frames[] = {frame.view(), other.view()};
  EXPECT_THROW(tracker.next(frames, tracks), Error);
  EXPECT_THROW(tracker.add(frame.view(), place_at(0, 0), -1), Error);
  EXPECT_THROW(tracker.restart(-1), Error);
  tracker.add(frame.view(), place_at(0, 0));
  EXPECT_EQ(code_of([&] { tracker.add_saved(tracker.to_bytes(), -1); }), ErrorCode::kUsage);
  EXPECT_THROW(tracker.add(other.view(), place_at(1, 0)), Error) << "this is no frame of video 0";
  EXPECT_THROW(tracker.add_saved(tracker.to_bytes(), other.view(), 1), Error) << "saved in another size";
  EXPECT_EQ(tracker.add(other.view(), place_at(1, 0), 1), 2);
}

}  // namespace
}  // namespace winnow
