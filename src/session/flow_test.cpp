// Tests `Flow`: pairs of pictures and frames of a video on every backend, and what it refuses.
#include <winnow/flow.h>

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <cmath>
#include <limits>

#include "track/flow/flow_scenes_for_test.h"

namespace winnow {
namespace {

using sample::FlowScene;

std::vector<LandmarkPoint> points_of(const FlowScene& scene) {
  std::vector<LandmarkPoint> points;
  for (const FlowPlace& place : scene.points)
    if (!std::isnan(place.x)) points.push_back({place.x, place.y});  // NaN never equals itself
  return points;
}

FlowScene scene_with_points() {
  FlowScene scene = sample::flow_scene(160, 120, 53, 38, 5);
  sample::add_points(scene, 150, 3);
  return scene;
}

std::vector<BackendKind> backends_here() {
  std::vector<BackendKind> kinds;
  for (const BackendInfo& backend : list_backends())
    if (backend.available) kinds.push_back(backend.kind);
  return kinds;
}

TEST(Flow, EveryBackendGivesTheSamePoints) {
  const FlowScene scene = scene_with_points();
  const std::vector<LandmarkPoint> points = points_of(scene);
  const FlowOptions options{.back = true, .ncc = true};
  const std::vector<FlowPoint> wanted =
      Flow({.backend = BackendKind::kReference}).track(scene.before(), scene.now(), points, options);
  ASSERT_EQ(wanted.size(), points.size());
  for (const BackendKind backend : backends_here()) {
    Flow flow({.backend = backend, .threads = 3});
    EXPECT_EQ(flow.backend(), backend);
    EXPECT_EQ(flow.track(scene.before(), scene.now(), points, options), wanted) << backend_name(backend);
  }
}

TEST(Flow, MeasuresComeOnlyIfAskedFor) {
  FlowScene scene = scene_with_points();
  const std::vector<LandmarkPoint> points = {{80, 60}};
  Flow flow({.backend = BackendKind::kCpu});
  const FlowPoint plain = flow.track(scene.before(), scene.now(), points)[0];
  EXPECT_TRUE(plain.found);
  EXPECT_NEAR(plain.x, 80 + 53. / 16 - 60. / 64, 0.1);
  EXPECT_NEAR(plain.y, 60 + 38. / 16, 0.1);
  EXPECT_GT(plain.error, 0);
  EXPECT_EQ(plain.back_distance, 0);
  EXPECT_EQ(plain.ncc, 0);
  FlowPoint more = flow.track(scene.before(), scene.now(), points, {.back = true, .ncc = true})[0];
  EXPECT_GT(more.back_distance, 0);
  EXPECT_LT(more.back_distance, 0.1);
  EXPECT_GT(more.ncc, 0.9);
  more.back_distance = more.ncc = 0;
  EXPECT_EQ(more, plain);
}

TEST(Flow, OptionsReachTheSearch) {
  const FlowScene scene = scene_with_points();
  const std::vector<LandmarkPoint> points = points_of(scene);
  const auto compare = [&](const FlowOptions& options, const FlowRules& rules) {
    const std::vector<FlowResult> wanted = sample::carried(flow_ref, scene, rules);
    const std::vector<FlowPoint> found =
        Flow({.backend = BackendKind::kCpu}).track(scene.before(), scene.now(), points, options);
    std::size_t at = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (std::isnan(scene.points[i].x)) continue;
      EXPECT_EQ(found[at].x, wanted[i].place.x) << i;
      EXPECT_EQ(found[at].y, wanted[i].place.y) << i;
      EXPECT_EQ(found[at].ncc, wanted[i].ncc) << i;
      EXPECT_EQ(found[at++].found, wanted[i].found != 0) << i;
    }
  };
  compare({.levels = 2}, {.levels = 2});
  compare({.window = {9, 15}}, {.width = 9, .height = 15});
  compare({.window = {9, 9}, .ncc = true, .ncc_window = {11, 13}},
          {.width = 9, .height = 9, .ncc = true, .ncc_width = 11, .ncc_height = 13});
  compare({.iterations = 2}, {.iterations = 2});
  compare({.eps = 0.25}, {.eps_square = 0.0625});
  compare({.min_eigen = 0.125}, {.min_eigen = 0.125F});
}

// In a video the pyramid of each frame is made once. The answers are those of pairs of pictures, even if
// options change.
TEST(Flow, FramesOfAVideo) {
  std::vector<FlowScene> scenes;
  for (int i = 0; i < 4; ++i) scenes.push_back(sample::flow_scene(160, 120, 9 * i, -6 * i, 5));
  const std::vector<LandmarkPoint> points = points_of(scene_with_points());
  const std::vector<FlowOptions> options = {
      {.levels = 1}, {}, {.levels = 2, .window = {9, 9}}, {.levels = 4}};
  for (const BackendKind backend : backends_here()) {
    Flow video({.backend = backend}), pairs({.backend = backend});
    std::vector<FlowPoint> found(3);
    EXPECT_FALSE(video.next(scenes[0].now(), points, options[0], found));
    EXPECT_TRUE(found.empty());
    for (std::size_t i = 1; i < scenes.size(); ++i) {
      EXPECT_TRUE(video.next(scenes[i].now(), points, options[i], found));
      EXPECT_EQ(found, pairs.track(scenes[i - 1].now(), scenes[i].now(), points, options[i]))
          << backend_name(backend) << ", " << i;
    }
  }
}

TEST(Flow, AFrameOfAnotherSizeOrACutHasNoFrameBefore) {
  const FlowScene scene = sample::flow_scene(60, 50, 3, 2, 5), other = sample::flow_scene(61, 50, 3, 2, 5);
  const std::vector<LandmarkPoint> points = {{30, 25}};
  for (const BackendKind backend : backends_here()) {
    Flow flow({.backend = backend});
    std::vector<FlowPoint> found;
    EXPECT_FALSE(flow.next(scene.before(), points, {}, found));
    EXPECT_FALSE(flow.next(other.before(), points, {}, found));
    EXPECT_TRUE(flow.next(other.now(), points, {}, found));
    EXPECT_TRUE(flow.next(other.now(), {}, {}, found));
    EXPECT_TRUE(found.empty());
    flow.forget();
    EXPECT_FALSE(flow.next(other.before(), points, {}, found));
    EXPECT_EQ(flow.track(scene.before(), scene.now(), points).size(), 1U);
    EXPECT_FALSE(flow.next(scene.before(), points, {}, found));
  }
}

TEST(Flow, HostilePointsAndPictures) {
  constexpr double kMost = std::numeric_limits<double>::max(),
                   kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<LandmarkPoint> points = {{kNan, 0},        {0, kNan},     {INFINITY, 3}, {3, -INFINITY},
                                             {kMost, -kMost},  {-1e9, 2e9},   {0, 0},        {-0.5, -0.5},
                                             {2147483648., 0}, {0, -16777217}};
  for (const BackendKind backend : backends_here()) {
    Flow flow({.backend = backend});
    for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 3}, Size{40, 2}, Size{64, 48}}) {
      const FlowScene scene = sample::flow_scene(size.width, size.height, 5, 5, 4);
      for (const int levels : {1, 16}) {
        const std::vector<FlowPoint> found =
            flow.track(scene.before(), scene.now(), points, {.levels = levels, .back = true, .ncc = true});
        ASSERT_EQ(found.size(), points.size());
        for (std::size_t i = 0; i < 6; ++i) EXPECT_FALSE(found[i].found) << i;
      }
    }
    EXPECT_TRUE(
        flow.track(sample::flow_scene(9, 9, 0, 0, 1).before(), sample::flow_scene(9, 9, 0, 0, 1).now(), {})
            .empty());
  }
}

TEST(Flow, NonsenseIsRefused) {
  const FlowScene scene = sample::flow_scene(50, 40, 3, 2, 5), other = sample::flow_scene(51, 40, 3, 2, 5);
  const std::vector<LandmarkPoint> points = {{30, 25}};
  Flow flow({.backend = BackendKind::kCpu});
  std::vector<FlowPoint> found;
  const auto refusal = [&](GrayView before, GrayView after, const FlowOptions& options) {
    try {
      flow.track(before, after, points, options, found);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const GrayView a = scene.before(), b = scene.now();
  EXPECT_EQ(refusal(a, b, {}), "");
  EXPECT_EQ(refusal(a, other.now(), {}), "the two pictures for flow must have the same size");
  EXPECT_EQ(refusal({}, b, {}), "a picture for flow must have pixels");
  EXPECT_EQ(refusal(a, {a.data, 50, 0, 50}, {}), "a picture for flow must have pixels");
  EXPECT_EQ(refusal({nullptr, 5, 5, 5}, b, {}), "a picture without pixels");
  EXPECT_EQ(refusal({a.data, 70000, 1, 70000}, b, {}), "a picture's sides must not exceed 65536 pixels");
  for (const int levels : {0, -1, 17})
    EXPECT_EQ(refusal(a, b, {.levels = levels}), "the levels of flow must be from 1 to 16");
  for (const Size window : {Size{21, 20}, Size{1, 21}, Size{33, 21}, Size{21, -3}, Size{21, 33}})
    EXPECT_EQ(refusal(a, b, {.window = window}), "a window for flow must have odd sides from 3 to 31 pixels");
  for (const Size window : {Size{11, 0}, Size{0, 11}, Size{11, 12}, Size{1, 11}, Size{11, 33}})
    EXPECT_EQ(refusal(a, b, {.ncc_window = window}),
              "a window for ncc must have odd sides from 3 to 31 pixels");
  for (const int iterations : {0, 101})
    EXPECT_EQ(refusal(a, b, {.iterations = iterations}), "the iterations of flow must be from 1 to 100");
  for (const double eps : {-0.01, 10.5, std::nan("")})
    EXPECT_EQ(refusal(a, b, {.eps = eps}), "eps of flow must be a number from 0 to 10");
  for (const double eigen : {-1e-9, std::nan("")})
    EXPECT_EQ(refusal(a, b, {.min_eigen = eigen}), "min_eigen of flow must be 0 or more");
  EXPECT_FALSE(flow.next(a, points, {}, found));
  EXPECT_NE(refusal(a, other.now(), {}), "");
  EXPECT_THROW(flow.next({}, points, {}, found), Error);
  EXPECT_TRUE(flow.next(b, points, {}, found)) << "the frame before was lost";
  EXPECT_THROW(flow.next(a, points, {.levels = 0}, found), Error);
  EXPECT_THROW(Flow({.threads = -1}), Error);
  EXPECT_THROW(Flow({.devices = {}}), Error);
}

}  // namespace
}  // namespace winnow
