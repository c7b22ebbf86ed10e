// Tests that sessions with `auto` give the answers of one backend while their work goes from a processor to a
// device and back. Here the backend `reference` is the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/face_finder.h>
#include <winnow/flow.h>
#include <winnow/follower.h>
#include <winnow/landmarker.h>

#include "backend/auto_backends.h"
#include "session/corner_landmarks_for_test.h"
#include "session/scene_for_test.h"
#include "session/walk_for_test.h"

namespace winnow {
namespace {

const MachineOptions kCpu{BackendKind::kCpu, 2};
constexpr DeviceStart kStart{[] { return true; }, [](int) {}, 0};

class AutoTest : public testing::Test {
 protected:
  AutoTest() { force_auto_backends(AutoBackends{BackendKind::kCpu, BackendKind::kReference, &kStart}); }
  ~AutoTest() override { force_auto_backends({}); }
  // Gives a session's device time to wake up.
  static void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

  MachineOptions chosen{BackendKind::kAuto, 2};
};

TEST_F(AutoTest, ADetectorGivesTheSameAnswers) {
  Detector detector(sample::square_finder(), chosen), cpu(sample::square_finder(), kCpu);
  EXPECT_EQ(detector.backend(), BackendKind::kAuto);
  std::set<std::string> backends;
  std::vector<GrayImage> scenes;
  for (int i = 0; i < 40; ++i)
    scenes.push_back(sample::make_scene({120 + i % 3 * 16, 100}, {{10 + i, 20, 36, 36}}));
  std::vector<GrayView> views;
  for (const GrayImage& scene : scenes) views.push_back(scene.view());
  std::vector<Detections> found, wanted;
  for (int round = 0; round < 6; ++round) {
    for (const GrayView& view : views) {
      const Detections one = detector.detect(view);
      EXPECT_EQ(one.objects, cpu.detect(view).objects);
      backends.insert(one.backend);
    }
    detector.detect(views, {}, found);
    cpu.detect(views, {}, wanted);
    for (std::size_t i = 0; i < views.size(); ++i) {
      EXPECT_EQ(found[i].objects, wanted[i].objects);
      EXPECT_EQ(found[i].counters.reached, wanted[i].counters.reached);
    }
    wait();
  }
  EXPECT_EQ(backends, (std::set<std::string>{"cpu", "reference"}));
  EXPECT_EQ(detector.note(), "");
}

TEST_F(AutoTest, StartedSearchesAreTheDevices) {
  Detector detector(sample::square_finder(), chosen);
  const GrayImage scene = sample::make_scene({120, 100}, {{20, 30, 48, 48}});
  for (int i = 0; i < 3; ++i) detector.enqueue(scene.view());
  EXPECT_EQ(detector.pending(), 3);
  EXPECT_THROW(detector.detect(scene.view()), Error) << "searches are pending";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(detector.collect().backend, std::string("reference"));
  EXPECT_EQ(detector.pending(), 0);
  EXPECT_FALSE(detector.detect(scene.view()).objects.empty());
}

TEST_F(AutoTest, FlowGoesOnWhereTheOtherBackendStopped) {
  Flow flow(chosen), cpu(kCpu);
  std::vector<LandmarkPoint> points;
  for (int i = 0; i < 6; ++i) points.push_back({40. + 9 * i, 60. + 8 * i});
  std::vector<FlowPoint> found, wanted;
  FlowOptions options;
  options.back = true;
  for (int frame = 0; frame < 30; ++frame) {
    const GrayImage picture = sample::walk_frame({240, 180}, {{}}, frame);
    EXPECT_EQ(flow.next(picture.view(), points, options, found), frame > 0);
    cpu.next(picture.view(), points, options, wanted);
    ASSERT_EQ(found.size(), wanted.size()) << frame;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].x, wanted[i].x) << frame;
      EXPECT_EQ(found[i].y, wanted[i].y) << frame;
      EXPECT_EQ(found[i].found, wanted[i].found) << frame;
    }
    if (frame == 3) wait();
    if (frame == 20) {
      flow.forget();
      cpu.forget();
      EXPECT_FALSE(flow.next(picture.view(), points, options, found));
      cpu.next(picture.view(), points, options, wanted);
    }
  }
}

std::vector<Followed> followed(Follower& follower, int frame, bool again = false) {
  const GrayImage picture = sample::walk_frame({240, 180}, {{}, {150, 20, -1, 1, 9, 14}}, frame);
  if (again) follower.restart();
  return follower.next(picture.view());
}

TEST_F(AutoTest, AFollowerKeepsItsFaces) {
  const Landmarks landmarks = sample::corner_landmarks();
  FollowOptions options;
  options.detect_every = 4;
  Follower follower(sample::square_finder(), landmarks, options, chosen),
      cpu(sample::square_finder(), landmarks, options, kCpu);
  EXPECT_EQ(follower.backend(), BackendKind::kAuto);
  std::set<BackendKind> backends;
  std::set<int> ids;
  for (int frame = 0; frame < 50; ++frame) {
    const std::vector<Followed> faces = followed(follower, frame, frame == 40);
    const std::vector<Followed> wanted = followed(cpu, frame, frame == 40);
    ASSERT_EQ(faces.size(), wanted.size()) << frame;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      EXPECT_EQ(faces[i].id, wanted[i].id) << frame;
      EXPECT_EQ(faces[i].state, wanted[i].state) << frame;
      EXPECT_EQ(faces[i].box, wanted[i].box) << frame;
      EXPECT_EQ(faces[i].shape.points, wanted[i].shape.points) << frame;
      EXPECT_EQ(faces[i].shape.confidence, wanted[i].shape.confidence) << frame;
      ids.insert(faces[i].id);
    }
    backends.insert(follower.last_backend());
    if (frame % 10 == 2) wait();
  }
  EXPECT_GE(ids.size(), 2u);
  EXPECT_EQ(backends, (std::set<BackendKind>{BackendKind::kCpu, BackendKind::kReference}));
}

TEST_F(AutoTest, FacesAndPointsAreTheSame) {
  const Landmarks landmarks = sample::corner_landmarks();
  FaceFinder finder(sample::square_finder(), landmarks, chosen),
      cpu(sample::square_finder(), landmarks, kCpu);
  Landmarker landmarker(landmarks, chosen), fitter(landmarks, kCpu);
  const GrayImage scene = sample::make_scene({160, 120}, {{20, 30, 48, 48}, {100, 40, 36, 36}});
  const std::vector<Box> boxes{{18, 28, 52, 52}, {98, 38, 40, 40}};
  for (int i = 0; i < 12; ++i) {
    const FoundFaces found = finder.find(scene.view()), wanted = cpu.find(scene.view());
    EXPECT_EQ(found.found.objects, wanted.found.objects);
    ASSERT_EQ(found.shapes.size(), wanted.shapes.size());
    for (std::size_t s = 0; s < found.shapes.size(); ++s)
      EXPECT_EQ(found.shapes[s].points, wanted.shapes[s].points);
    const std::vector<Shape> shapes = landmarker.fit(scene.view(), boxes);
    const std::vector<Shape> fitted = fitter.fit(scene.view(), boxes);
    for (std::size_t s = 0; s < boxes.size(); ++s) EXPECT_EQ(shapes[s].points, fitted[s].points);
    if (i < 3) wait();
  }
}

TEST_F(AutoTest, VideosThatPauseAreHandedOverOneByOne) {
  const Landmarks landmarks = sample::corner_landmarks();
  FollowOptions options;
  options.detect_every = 5;
  Follower follower(sample::square_finder(), landmarks, options, chosen),
      cpu(sample::square_finder(), landmarks, options, kCpu);
  std::vector<GrayImage> pictures(2);
  int second = 0;
  std::set<BackendKind> backends;
  for (int call = 0; call < 60; ++call) {
    // The second video pauses in call 1, when the device takes over, and goes on there in call 2.
    const std::size_t count = call % 3 == 1 ? 1 : 2;
    pictures[0] = sample::walk_frame({240, 180}, {{}}, call);
    if (count == 2) pictures[1] = sample::walk_frame({200, 160}, {{30, 30, 1, 1}}, second++);
    std::vector<PictureView> views;
    for (std::size_t i = 0; i < count; ++i) views.emplace_back(pictures[i].view());
    std::vector<std::vector<Followed>> faces(count), wanted(count);
    follower.next(views, faces);
    cpu.next(views, wanted);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(faces[i].size(), wanted[i].size()) << call;
      for (std::size_t f = 0; f < faces[i].size(); ++f) {
        EXPECT_EQ(faces[i][f].id, wanted[i][f].id) << call;
        EXPECT_EQ(faces[i][f].box, wanted[i][f].box) << call;
        EXPECT_EQ(faces[i][f].shape.points, wanted[i][f].shape.points) << call;
      }
    }
    backends.insert(follower.last_backend());
    if (call == 0) wait();
  }
  EXPECT_EQ(backends.size(), 2u);
}

TEST_F(AutoTest, ADeviceThatCannotStartLeavesStartedSearchesToTheProcessor) {
  static constexpr DeviceStart kBroken{
      [] { return true; }, [](int) { throw Error(ErrorCode::kBackend, "the driver is too old"); }, 0};
  force_auto_backends(AutoBackends{BackendKind::kCpu, BackendKind::kReference, &kBroken});
  Detector detector(sample::square_finder(), chosen);
  const GrayImage scene = sample::make_scene({120, 100}, {{20, 30, 48, 48}});
  detector.enqueue(scene.view());
  EXPECT_EQ(detector.pending(), 1);
  EXPECT_EQ(detector.collect().backend, std::string("cpu"));
  EXPECT_EQ(detector.note(), "the driver is too old");
  EXPECT_EQ(detector.backend(), BackendKind::kCpu);
}

}  // namespace
}  // namespace winnow
