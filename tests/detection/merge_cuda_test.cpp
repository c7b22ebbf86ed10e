// Compares merge rules and borders on a device with `cpu`: batches, a large picture by rows, crowds, and
// pictures that lie on a device.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::crowd_finder;
using sample::expect_same;
using sample::make_scene;
using sample::square_finder;

struct Words {
  Merge merge;
  double border;
};
constexpr Words kWords[] = {{Merge::kMeanShift, 0},
                            {Merge::kGroups, 0.2},
                            {Merge::kMeanShift, 0.2},
                            {Merge::kSupport, 0},
                            {Merge::kSupport, 0.2}};

DetectOptions options_of(const Words& words) {
  DetectOptions options;
  options.min_neighbors = 1;
  options.merge = words.merge;
  options.border = words.border;
  return options;
}

TEST(MergeCuda, CallsOfEveryKindEqualTheCpu) {
  WINNOW_NEEDS_DEVICE();
  std::vector<GrayImage> images = sample::scenes(20, {181, 147});
  images.push_back(make_scene({23, 23}, {}));
  images.push_back(make_scene({97, 131}, {{0, 0, 97, 97}}));
  images.push_back(make_scene({2400, 1800}, {{20, 30, 36, 36}, {2300, 870, 60, 60}, {-6, 700, 40, 40}}));
  images.push_back(make_scene({1920, 1100}, {{20, 30, 36, 36}, {1880, 870, 40, 40}}));
  images.emplace_back(0, 0);
  const std::vector<GrayView> all = sample::views(images);
  for (const Words& words : kWords) {
    SCOPED_TRACE(testing::Message() << merge_name(words.merge) << ", border " << words.border);
    const DetectOptions options = options_of(words);
    std::vector<Detections> wanted, got;
    Detector(square_finder(), {BackendKind::kCpu, 1}).detect(all, options, wanted);
    for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
      MachineOptions machine{BackendKind::kCuda};
      machine.devices = devices;
      Detector cuda(square_finder(), machine);
      for (int round = 0; round < 3; ++round) {
        cuda.detect(all, options, got);
        for (std::size_t i = 0; i < all.size(); ++i) {
          SCOPED_TRACE(i);
          expect_same(wanted[i], got[i]);
          expect_same(wanted[i], cuda.detect(all[i], options));
        }
      }
      for (std::size_t i = 18; i < all.size(); ++i) cuda.enqueue(all[i], options);
      for (std::size_t i = 18; i < all.size(); ++i) expect_same(wanted[i], cuda.collect());
      // Merge rules alternate on pictures of one size, and the rules need different graphs.
      for (const Merge merge : {Merge::kGroups, Merge::kMeanShift, Merge::kSupport, Merge::kGroups}) {
        DetectOptions other = options;
        other.merge = merge;
        expect_same(Detector(square_finder(), {BackendKind::kCpu, 1}).detect(all[0], other),
                    cuda.detect(all[0], other));
      }
    }
  }
}

// More windows survive than a block of threads can group, and more than the device has room for at first.
TEST(MergeCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  const Cascade cascade = crowd_finder();
  const GrayImage scene = make_scene({128, 104}, {{20, 30, 36, 36}, {60, 20, 48, 48}});
  for (const Words& words : {kWords[0], kWords[1]}) {  // mean shift with a border would take half a minute
    DetectOptions options = options_of(words);
    options.scale_factor = 1.2;
    const Detections wanted = Detector(cascade, {BackendKind::kCpu, 1}).detect(scene.view(), options);
    EXPECT_GT(wanted.counters.reached.back(), 4096);
    Detector cuda(cascade, {BackendKind::kCuda});
    expect_same(wanted, cuda.detect(scene.view(), options));
  }
}

TEST(MergeCuda, PicturesOnADevice) {
  WINNOW_NEEDS_DEVICE();
  const GrayImage scene = make_scene({200, 150}, {{20, 30, 36, 36}, {120, 60, 48, 48}});
  DeviceBuffer<std::uint8_t> pixels;
  upload(std::span(scene.row(0), 200 * 150), pixels);
  const DevicePicture picture{pixels.data(), 200, 150, 200};
  Detector cuda(square_finder(), {BackendKind::kCuda});
  DetectOptions options = options_of({Merge::kMeanShift, 0});
  std::vector<Detections> results;
  cuda.detect(std::span(&picture, 1), options, results);
  expect_same(Detector(square_finder(), {BackendKind::kCpu, 1}).detect(scene.view(), options), results.at(0));
  options.border = 0.1;
  try {
    cuda.detect(std::span(&picture, 1), options, results);
    ADD_FAILURE() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
  options.border = 0;
  cuda.detect(std::span(&picture, 1), options, results);
  EXPECT_EQ(results.at(0).objects.size(), 2u);
}

}  // namespace
}  // namespace winnow

#endif
