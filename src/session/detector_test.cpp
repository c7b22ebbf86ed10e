#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

using sample::make_scene;
using sample::square_finder;

ErrorCode refused(GrayView picture, const DetectOptions& options) {
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  try {
    detector.detect(picture, options);
  } catch (const Error& error) {
    EXPECT_FALSE(error.sentence().empty());
    return error.code();
  }
  ADD_FAILURE() << "was taken without an error";
  return ErrorCode::kIo;
}

void expect_same(const Detections& a, const Detections& b) {
  EXPECT_EQ(a.objects, b.objects);
  EXPECT_TRUE(a.counters.same_answer(b.counters));
  EXPECT_EQ(a.picture, b.picture);
}

std::int64_t rejected_later(const Counters& c) { return c.reached.front() - c.reached.back(); }

TEST(Detector, FindsTheSquaresOfAScene) {
  const GrayImage scene = make_scene({200, 150}, {{20, 30, 36, 36}, {120, 60, 48, 48}});
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    Detector detector(square_finder(), {backend, 1});
    DetectOptions options;
    options.min_neighbors = 1;
    const Detections found = detector.detect(scene.view(), options);
    ASSERT_EQ(found.objects.size(), 2u) << backend_name(backend);
    EXPECT_NEAR(found.objects[0].box.x + found.objects[0].box.width / 2, 38, 4);
    EXPECT_NEAR(found.objects[1].box.x + found.objects[1].box.width / 2, 144, 4);
    EXPECT_EQ(found.backend, backend_name(backend));
    EXPECT_EQ(found.picture, (Size{200, 150}));
    for (const Detection& object : found.objects) EXPECT_GT(object.neighbors, 1);
  }
}

TEST(Detector, OptionsAreChecked) {
  const GrayImage scene = make_scene({60, 60}, {});
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double factor : {1.0, 0.5, 0.0, -2.0, infinity, nan}) {
    DetectOptions options;
    options.scale_factor = factor;
    EXPECT_EQ(refused(scene.view(), options), ErrorCode::kUsage) << factor;
  }
  DetectOptions options;
  options.min_size = {-1, 0};
  EXPECT_EQ(refused(scene.view(), options), ErrorCode::kUsage);
  options = {};
  options.max_size = {0, -1};
  EXPECT_EQ(refused(scene.view(), options), ErrorCode::kUsage);
  options = {};
  options.min_score = nan;
  EXPECT_EQ(refused(scene.view(), options), ErrorCode::kUsage);
  options = {};
  options.scale_factor = 1.0000001;
  EXPECT_EQ(refused(scene.view(), options), ErrorCode::kLimit);
  const std::uint8_t pixel = 0;
  EXPECT_EQ(refused({&pixel, -1, 5, 0}, {}), ErrorCode::kUsage);
  EXPECT_EQ(refused({nullptr, 30, 30, 30}, {}), ErrorCode::kUsage);
  EXPECT_EQ(refused({&pixel, 65537, 1, 0}, {}), ErrorCode::kLimit);
  EXPECT_EQ(refused({&pixel, 1, 65537, 0}, {}), ErrorCode::kLimit);
  EXPECT_THROW(Detector(square_finder(), {BackendKind::kCpu, -1}), Error);
}

TEST(Detector, AfterAnErrorItGoesOn) {
  const GrayImage scene = make_scene({90, 80}, {{20, 20, 36, 36}});
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  const Detections before = detector.detect(scene.view());
  DetectOptions wrong;
  wrong.scale_factor = 1;
  EXPECT_THROW(detector.detect(scene.view(), wrong), Error);
  expect_same(detector.detect(scene.view()), before);
}

TEST(Detector, PicturesWithoutWindows) {
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    Detector detector(square_finder(), {backend, 1});
    const GrayImage small = make_scene({23, 40}, {});
    for (const GrayView picture :
         {GrayView{}, small.view().crop({0, 0, 1, 1}), std::as_const(small).view()}) {
      const Detections found = detector.detect(picture);
      EXPECT_TRUE(found.objects.empty());
      EXPECT_EQ(found.counters.windows, 0);
      EXPECT_EQ(found.counters.reached, (std::vector<std::int64_t>{0, 0, 0}));
    }
  }
}

TEST(Detector, SeveralPicturesInOneCall) {
  std::vector<GrayImage> scenes;
  scenes.push_back(make_scene({120, 90}, {{20, 30, 36, 36}}));
  scenes.push_back(make_scene({33, 40}, {}));
  scenes.push_back(make_scene({120, 90}, {{60, 30, 40, 40}}));
  scenes.push_back(make_scene({10, 10}, {}));
  std::vector<GrayView> views;
  for (const GrayImage& scene : scenes) views.push_back(scene.view());
  Detector detector(square_finder(), {BackendKind::kCpu, 2});
  std::vector<Detections> results(7);  // more results than pictures, with old contents
  results[0].objects.resize(3);
  detector.detect(views, {}, results);
  ASSERT_EQ(results.size(), views.size());
  for (std::size_t i = 0; i < views.size(); ++i) {
    SCOPED_TRACE(i);
    Detector alone(square_finder(), {BackendKind::kReference});
    expect_same(results[i], alone.detect(views[i]));
  }
}

// The first call has more picture sizes than the detector keeps plans. Some sizes occur twice, in mixed
// order. The next call has fewer sizes.
TEST(Detector, PicturesOfManySizesInOneCall) {
  std::vector<GrayImage> scenes;
  for (int i = 0; i < 150; ++i) {
    const int size = i * 37 % 100;  // fifty sizes occur twice
    scenes.push_back(make_scene({40 + size, 30 + size % 7 * 9}, {{i % 5, i % 3, 36, 36}}));
  }
  std::vector<GrayView> views;
  for (const GrayImage& scene : scenes) views.push_back(scene.view());
  std::vector<Detections> wanted;
  Detector reference(square_finder(), {BackendKind::kReference});
  for (const GrayView view : views) wanted.push_back(reference.detect(view));
  Detector cpu(square_finder(), {BackendKind::kCpu, 1});
  std::vector<Detections> results;
  for (Detector* detector : {&reference, &cpu}) {
    for (const std::size_t count : {150, 9, 150}) {
      detector->detect(std::span(views).first(count), {}, results);
      ASSERT_EQ(results.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        SCOPED_TRACE(i);
        expect_same(results[i], wanted[i]);
        EXPECT_EQ(results[i].picture, views[i].size());
      }
    }
  }
}

TEST(Detector, ColourAndGreyMustHaveOneSize) {
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  const GrayImage gray(60, 60);
  const RgbImage color(59, 60);
  EXPECT_THROW(detector.detect(PictureView(gray.view(), color.view())), Error);
}

TEST(Detector, AViewWithAStrideIsAsGoodAsACopy) {
  const GrayImage scene = make_scene({200, 150}, {{60, 50, 36, 36}});
  const GrayView crop = scene.view().crop({41, 33, 97, 81});
  GrayImage copy(crop.width, crop.height);
  for (int y = 0; y < crop.height; ++y)
    std::memcpy(copy.row(y), crop.row(y), static_cast<std::size_t>(crop.width));
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  const Detections of_copy = detector.detect(copy.view());
  expect_same(detector.detect(crop), of_copy);
  // A picture stored from the last row to the first.
  GrayImage upside_down(crop.width, crop.height);
  for (int y = 0; y < crop.height; ++y) {
    std::memcpy(upside_down.row(crop.height - 1 - y), crop.row(y), static_cast<std::size_t>(crop.width));
  }
  expect_same(detector.detect({upside_down.row(crop.height - 1), crop.width, crop.height, -crop.width}),
              of_copy);
}

TEST(Detector, OneCascadeInSeveralThreads) {
  const GrayImage scene = make_scene({160, 120}, {{20, 30, 36, 36}, {90, 40, 48, 48}});
  const Cascade cascade = square_finder();
  const Detections wanted = Detector(cascade, {BackendKind::kReference}).detect(scene.view());
  std::vector<Detections> got(2);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < got.size(); ++i) {
    threads.emplace_back([&cascade, &scene, &result = got[i], i] {
      Detector detector(cascade, {BackendKind::kCpu, static_cast<int>(1 + i)});
      for (int frame = 0; frame < 5; ++frame) detector.detect(scene.view(), {}, result);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Detections& result : got) expect_same(result, wanted);
}

TEST(Detector, Moves) {
  const GrayImage scene = make_scene({90, 80}, {{20, 20, 36, 36}});
  Detector first(square_finder(), {BackendKind::kCpu, 1});
  const Detections wanted = first.detect(scene.view());
  Detector second(std::move(first));
  expect_same(second.detect(scene.view()), wanted);
  Detector third(square_finder(), {BackendKind::kReference});
  third = std::move(second);
  EXPECT_EQ(third.backend(), BackendKind::kCpu);
  expect_same(third.detect(scene.view()), wanted);
  // A detector that was moved from can get a new value.
  first = Detector(square_finder(), {BackendKind::kReference});
  expect_same(first.detect(scene.view()), wanted);
  Cascade cascade = third.cascade();
  const Cascade taken = std::move(cascade);
  EXPECT_EQ(taken.window(), (Size{24, 24}));
}

TEST(Detector, MinimumScoreAndRaw) {
  const GrayImage scene = make_scene({120, 90}, {{20, 30, 36, 36}});
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  DetectOptions options;
  options.raw = true;
  const Detections all = detector.detect(scene.view(), options);
  ASSERT_GT(all.objects.size(), 3u);
  EXPECT_EQ(static_cast<std::int64_t>(all.objects.size()), all.counters.reached.back());
  double least = 1e9, most = -1e9;
  for (const Detection& object : all.objects) {
    EXPECT_EQ(object.neighbors, 1);
    least = std::min(least, object.score);
    most = std::max(most, object.score);
  }
  ASSERT_LT(least, most);
  options.min_score = most;
  std::vector<Detection> wanted;
  for (const Detection& object : all.objects) {
    if (object.score >= most) wanted.push_back(object);
  }
  EXPECT_EQ(detector.detect(scene.view(), options).objects, wanted);
  EXPECT_LT(wanted.size(), all.objects.size());
  options.min_score = std::nextafter(most, 1e9);
  EXPECT_TRUE(detector.detect(scene.view(), options).objects.empty());
  // A group has the largest score of its members.
  options = {};
  options.min_neighbors = 1;
  options.min_score = most;
  EXPECT_EQ(detector.detect(scene.view(), options).objects.size(), 1u);
  // `group_boxes` makes the same objects from the raw objects.
  options.min_score = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(group_boxes(all.objects, 1), detector.detect(scene.view(), options).objects);
}

TEST(Detector, RawBoxesAreClippedToThePicture) {
  // A window of 24 pixels at scale 1.03^n, rounded, may extend beyond the picture.
  const GrayImage scene = make_scene({61, 61}, {{8, 8, 48, 48}});
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  DetectOptions options;
  options.raw = true;
  options.scale_factor = 1.03;
  for (const Detection& object : detector.detect(scene.view(), options).objects) {
    EXPECT_GE(object.box.x, 0);
    EXPECT_GE(object.box.y, 0);
    EXPECT_LE(object.box.x + object.box.width, 61);
    EXPECT_LE(object.box.y + object.box.height, 61);
  }
}

TEST(Detector, CountersAddUp) {
  const GrayImage scene = make_scene({150, 110}, {{20, 30, 36, 36}});
  for (const int threads : {1, 2}) {
    Detector detector(square_finder(), {BackendKind::kCpu, threads});
    const Counters c = detector.detect(scene.view()).counters;
    ASSERT_EQ(c.reached.size(), 3u);
    EXPECT_EQ(c.windows, c.skipped + c.flat + c.reached[0]);
    EXPECT_GT(c.skipped, 0);
    EXPECT_GT(c.flat, 0);
    EXPECT_GE(c.reached[0], c.reached[1]);
    EXPECT_GE(c.reached[1], c.reached[2]);
    EXPECT_GT(rejected_later(c), 0);
    EXPECT_GE(c.weak, c.reached[0]);
  }
}

TEST(Detector, BackendsByName) {
  const bool device = sample::no_device().empty();
  EXPECT_EQ(Detector(square_finder()).backend(), device ? BackendKind::kAuto : BackendKind::kCpu);
  Detector reference(square_finder(), {BackendKind::kReference, 4});
  EXPECT_EQ(reference.backend(), BackendKind::kReference);
  EXPECT_EQ(reference.threads(), 1);
  EXPECT_EQ(reference.simd(), "");
  try {
    Detector cuda(square_finder(), {BackendKind::kCuda});
    EXPECT_TRUE(device);
    EXPECT_EQ(cuda.backend(), BackendKind::kCuda);
  } catch (const Error& error) {
    EXPECT_FALSE(device);
    EXPECT_EQ(error.code(), ErrorCode::kBackend);
    EXPECT_NE(error.sentence().find("cuda"), std::string::npos);
  }
  EXPECT_GE(Detector(square_finder(), {BackendKind::kCpu, 0}).threads(), 1);
}

TEST(Detector, ADetectorNeedsADevice) {
  MachineOptions options{BackendKind::kCpu};
  options.devices.clear();
  EXPECT_THROW(Detector(square_finder(), options), Error);
}

TEST(Detector, EverySimdTargetIsTheOneThatRuns) {
  const GrayImage scene = make_scene({120, 90}, {{20, 30, 36, 36}});
  const Detections wanted = Detector(square_finder(), {BackendKind::kReference}).detect(scene.view());
  for (const std::string& target : list_simd_targets()) {
    force_simd_target(target);
    Detector detector(square_finder(), {BackendKind::kCpu, 1});
    EXPECT_EQ(detector.simd(), target);
    expect_same(detector.detect(scene.view()), wanted);
  }
  force_simd_target("");
  EXPECT_EQ(Detector(square_finder(), {BackendKind::kCpu, 1}).simd(), list_simd_targets().front());
}

TEST(Detector, SizesAndOptionsThatChangeBackAndForth) {
  const GrayImage large = make_scene({170, 130}, {{20, 30, 36, 36}}),
                  small = make_scene({70, 64}, {{9, 9, 40, 40}});
  Detector detector(square_finder(), {BackendKind::kCpu, 2});
  DetectOptions coarse;
  coarse.scale_factor = 1.6;
  coarse.min_size = {30, 30};
  const Detections of_large = detector.detect(large.view()), of_small = detector.detect(small.view());
  const Detections of_coarse = detector.detect(large.view(), coarse);
  // A picture of the same width and another height has the same columns in each level, and other rows.
  const Detections of_lower = detector.detect(large.view().crop({0, 0, 170, 91}));
  Detections result;
  for (int i = 0; i < 3; ++i) {
    detector.detect(large.view(), {}, result);
    expect_same(result, of_large);
    detector.detect(small.view(), {}, result);
    expect_same(result, of_small);
    detector.detect(large.view(), coarse, result);
    expect_same(result, of_coarse);
    detector.detect(large.view().crop({0, 0, 170, 91}), {}, result);
    expect_same(result, of_lower);
  }
  Detector fresh(square_finder(), {BackendKind::kReference});
  expect_same(fresh.detect(large.view(), coarse), of_coarse);
  expect_same(fresh.detect(large.view().crop({0, 0, 170, 91})), of_lower);
}

TEST(GroupBoxes, ChecksItsArguments) {
  EXPECT_THROW(group_boxes({}, 1, -0.1), Error);
  EXPECT_THROW(group_boxes({}, 1, std::nan("")), Error);
  EXPECT_THROW(group_boxes({}, 1, 4.1), Error);
  constexpr int kFar = 1 << 28;
  const std::vector<Detection> far(3, {{kFar, -kFar, kFar, kFar}, 1, 1});
  EXPECT_EQ(group_boxes(far, 2, 4).size(), 1u);
  for (const Box& box : {Box{kFar + 1, 0, 9, 9}, Box{0, -kFar - 1, 9, 9}, Box{0, 0, kFar + 1, 9},
                         Box{0, 0, 9, -1}, Box{std::numeric_limits<int>::min(), 0, 9, 9}}) {
    EXPECT_THROW(group_boxes(std::vector<Detection>{{box, 1, 1}}, 1), Error);
  }
  EXPECT_TRUE(group_boxes({}, 1).empty());
}

// Pinned memory changes how pictures get to a device, but it changes no answer on any backend.
TEST(Detector, PicturesInPinnedMemory) {
  const GrayImage scene = make_scene({120, 100}, {{20, 30, 48, 48}});
  const std::vector<Detection> before = Detector(square_finder()).detect(scene.view()).objects;
  ASSERT_FALSE(before.empty());
  const PinnedMemory pinned(std::as_bytes(std::span(scene.row(0), 120 * 100)));
  EXPECT_EQ(pinned.held(), sample::no_device().empty());
  EXPECT_EQ(Detector(square_finder()).detect(scene.view()).objects, before);
  EXPECT_FALSE(PinnedMemory(std::span<const std::byte>{}).held());
}

}  // namespace
}  // namespace winnow
