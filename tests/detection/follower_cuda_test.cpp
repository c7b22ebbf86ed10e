// Tests how a device follows faces. Several videos together give what each gives alone on `reference`, with
// every kind of landmarks and every rule for points. A frame costs one graph and one wait.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <winnow/follower.h>

#include "base/device/device_for_test.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "session/corner_landmarks_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

FollowOptions loose() {
  FollowOptions options;
  options.search.min_neighbors = 1;
  return options;
}

// Frame `number` of a video: squares walk, one of them comes and goes, and every video is a little different.
GrayImage frame_of(int video, int number) {
  const Size size = video % 3 == 2 ? Size{320, 200} : Size{400, 240};
  std::vector<Box> squares = {{20 + 3 * ((number + 5 * video) % 60), 30 + video % 7, 48, 48}};
  if ((number + video) % 17 < 9) squares.push_back({200, 110 + video % 5, 60, 60});
  if (video % 5 == 4) squares.push_back({300 + 5 * number, 20 - number, 50, 50});  // leaves the frame
  if (video == 1 && number > 12) return sample::make_scene({300, 220}, squares);  // another size from here on
  return sample::make_scene(size, squares);
}

void expect_same(const std::vector<Followed>& got, const std::vector<Followed>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    EXPECT_EQ(got[f].id, wanted[f].id);
    EXPECT_EQ(got[f].state, wanted[f].state);
    EXPECT_EQ(got[f].box, wanted[f].box);
    EXPECT_EQ(got[f].score, wanted[f].score);
    EXPECT_EQ(got[f].shape, wanted[f].shape);
  }
}

struct Kind {
  const char* name;
  Landmarks landmarks;
  Between between = Between::kSteady;
};

Landmarks random_points(sample::LandmarkSizes sizes, bool fixed_point) {
  LandmarkModel model = sample::random_landmarks(sizes, fixed_point, 3);
  model.detector = "squares";  // so that presence counts
  return Landmarks(std::move(model));
}

std::vector<Kind> kinds() {
  sample::LandmarkSizes sure{
      .points = 68, .small = true, .turned = true, .confidence = true, .presence = true};
  return {{"corners", sample::corner_landmarks()},
          {"whole leaves with presence", random_points(sure, true)},
          {"the same, fits as they are", random_points(sure, true), Between::kFit},
          {"the same, carried", random_points(sure, true), Between::kCarry},
          {"leaves of floats", random_points({.points = 68}, false)},
          {"five points", random_points({.points = 5, .basis = 4, .confidence = true}, true)},
          {"one point", random_points({.points = 1}, true), Between::kFit}};
}

// 21 videos make batches of 16, 4 and 1 frames, of several sizes; some are searched, some are not.
TEST(FollowerCuda, ManyVideosAreFollowedAsEachAlone) {
  WINNOW_NEEDS_DEVICE();
  constexpr std::size_t kVideos = 21;
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    FollowOptions options = loose();
    options.between = kind.between;
    options.min_confidence = 0;
    Follower together(sample::square_finder(), kind.landmarks, options, {BackendKind::kCuda, 1});
    std::vector<Follower> alone;
    for (std::size_t i = 0; i < kVideos; ++i)
      alone.emplace_back(sample::square_finder(), kind.landmarks, options,
                         MachineOptions{BackendKind::kReference, 1});
    std::size_t followed = 0, tracked = 0;
    for (int number = 0; number < 30; ++number) {
      // The first calls have fewer videos; video 3 has an empty frame, and video 4 begins anew.
      const std::size_t count = number < 3 ? 5 : kVideos;
      std::vector<GrayImage> images;
      for (std::size_t i = 0; i < count; ++i) images.push_back(frame_of(static_cast<int>(i), number));
      std::vector<PictureView> views;
      for (const GrayImage& image : images) views.emplace_back(image.view());
      if (number == 14) views[3] = GrayView();
      if (number == 15) {
        together.restart(4);
        alone[4].restart();
      }
      std::vector<std::vector<Followed>> faces(count);
      together.next(views, faces);
      for (std::size_t i = 0; i < count; ++i) {
        SCOPED_TRACE("video " + std::to_string(i) + ", frame " + std::to_string(number));
        expect_same(faces[i], alone[i].next(views[i]));
        for (const Followed& face : faces[i]) tracked += face.state == FaceState::kTracked ? 1 : 0;
        followed += faces[i].size();
      }
    }
    EXPECT_GT(followed, 600U);
    EXPECT_GT(tracked, 100U);
  }
}

// Each video belongs to one device, and is followed there as alone.
TEST(FollowerCuda, SeveralDevicesFollowAsReference) {
  WINNOW_NEEDS_DEVICE();
  MachineOptions machine{BackendKind::kCuda, 1, {}};
  for (const CudaDeviceInfo& device : cuda_devices())
    if (device.usable) machine.devices.push_back(device.number);
  if (machine.devices.size() < 2) GTEST_SKIP() << "needs two devices";
  const Landmarks points = random_points({.points = 68, .confidence = true, .presence = true}, true);
  FollowOptions options = loose();
  options.min_confidence = 0;
  for (const bool region : {false, true}) {
    if (region) options.search.region = {0, 0, 290, 190};
    Follower together(sample::square_finder(), points, options, machine);
    std::vector<Follower> alone;
    for (std::size_t i = 0; i < 5; ++i)
      alone.emplace_back(sample::square_finder(), points, options,
                         MachineOptions{BackendKind::kReference, 1});
    for (int number = 0; number < 12; ++number) {
      std::vector<GrayImage> images;
      for (int i = 0; i < 5; ++i) images.push_back(frame_of(i, number));
      std::vector<PictureView> views;
      for (const GrayImage& image : images) views.emplace_back(image.view());
      std::vector<std::vector<Followed>> faces(5);
      together.next(views, faces);
      for (std::size_t i = 0; i < 5; ++i) expect_same(faces[i], alone[i].next(views[i]));
    }
  }
}

// Once every kind of frame has come, nothing more is allocated on the device or pinned.
TEST(FollowerCuda, ALongVideoAllocatesOnce) {
  WINNOW_NEEDS_DEVICE();
  FollowOptions options = loose();
  options.gap = 12;
  Follower follower(sample::square_finder(), sample::corner_landmarks(), options, {BackendKind::kCuda, 1});
  std::vector<GrayImage> images;
  for (int number = 0; number < 60; ++number) images.push_back(frame_of(0, number));
  std::int64_t before = 0;
  for (std::size_t number = 0; number < 10'000; ++number) {
    follower.next(images[number % images.size()].view());
    if (number == 200) before = cuda_allocations();
  }
  EXPECT_EQ(cuda_allocations(), before);
}

// If there is a region, the pipeline does not carry points. Search, points, flow and fits come one after the
// other.
TEST(FollowerCuda, ARegionIsFollowedAsOnReference) {
  WINNOW_NEEDS_DEVICE();
  FollowOptions options = loose();
  options.search.region = {0, 0, 330, 200};
  const Landmarks points = random_points({.points = 68, .confidence = true}, true);
  Follower device(sample::square_finder(), points, options, {BackendKind::kCuda, 1}),
      wanted(sample::square_finder(), points, options, {BackendKind::kReference, 1});
  for (int number = 0; number < 14; ++number) {
    const GrayImage frame = frame_of(0, number);
    expect_same(device.next(frame.view()), wanted.next(frame.view()));
  }
}

}  // namespace
}  // namespace winnow

#if __has_include(<cupti.h>)

#include "base/device/driver_calls_for_test.h"

namespace winnow {
namespace {

using sample::Asked;
using sample::count;
using sample::DriverCalls;

TEST(FollowerCuda, OneGraphAndOneWaitAFrame) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  for (const std::size_t videos : {1U, 4U}) {
    SCOPED_TRACE(videos);
    FollowOptions options = loose();
    options.detect_every = 3;
    Follower follower(sample::square_finder(), sample::corner_landmarks(), options, {BackendKind::kCuda, 1});
    std::vector<std::vector<Followed>> faces(videos);
    const auto follow = [&](int number) {
      std::vector<GrayImage> images;
      for (std::size_t i = 0; i < videos; ++i)
        images.push_back(sample::make_scene({400, 240}, {{20 + 2 * number, 40, 48, 48}}));
      std::vector<PictureView> views;
      for (const GrayImage& image : images) views.emplace_back(image.view());
      calls.clear();
      follower.next(views, faces);
    };
    for (int number = 0; number < 9; ++number)
      follow(number);  // makes plans and graphs for both kinds of frames
    for (int number = 9; number < 15; ++number) {
      follow(number);
      const Asked asked = count(calls, {"cuEventRecord"});
      EXPECT_EQ(asked.graphs, 1);
      EXPECT_EQ(asked.waits, 1) << "the host looked at something in between";
      EXPECT_EQ(asked.launches + asked.copies, 0) << "they are in the graph";
      ASSERT_EQ(faces[0].size(), 1U);
      EXPECT_EQ(faces[0][0].state, number % 3 == 0 ? FaceState::kFound : FaceState::kTracked);
    }
  }
}

}  // namespace
}  // namespace winnow

#endif
#endif
