// Tests the detector on a device with cascades that take other paths on the device: soft cascades, long
// cascades, and several at once.
#include <gtest/gtest.h>

#include <vector>

#include <winnow/detector.h>

#include "base/device/device_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using sample::expect_same;
using sample::long_square_finder;
using sample::make_scene;
using sample::scenes;
using sample::soft_square_finder;
using sample::square_finder;
using sample::views;

// Searches with a soft cascade in graphs, in batches and by rows. A device keeps other counters for soft
// cascades.
TEST(DetectorCuda, ASoftCascadeGivesTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  std::vector<GrayImage> images = scenes(70, {181, 147});
  const std::vector<GrayView> all = views(images);
  Detector reference(soft_square_finder(), {BackendKind::kReference, 1});
  Detector cuda(soft_square_finder(), {BackendKind::kCuda, 1});
  DetectOptions options;
  options.min_neighbors = 1;
  std::vector<Detections> wanted, got;
  reference.detect(all, options, wanted);
  std::size_t objects = 0;
  for (int round = 0; round < 2; ++round) {
    cuda.detect(all, options, got);
    for (std::size_t i = 0; i < all.size(); ++i) {
      SCOPED_TRACE(i);
      expect_same(wanted[i], got[i]);
      objects += got[i].objects.size();
    }
  }
  EXPECT_GT(objects, 0u);
  MachineOptions twice{BackendKind::kCuda};
  twice.devices = {0, 0};
  Detector split(soft_square_finder(), twice);
  const GrayImage large = make_scene({2400, 1800}, {{20, 30, 36, 36}, {2300, 870, 60, 60}});
  DetectOptions coarse;
  coarse.scale_factor = 1.5;
  expect_same(reference.detect(large.view(), coarse), split.detect(large.view(), coarse));
}

// If pictures are few, windows that pass the first 256 weak classifiers are judged outside their tiles. The
// crowd has more such windows than a device has room for.
TEST(DetectorCuda, LongWindows) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<GrayImage> images = scenes(8, {121, 97});
  const std::vector<GrayView> all = views(images);
  for (const bool crowd : {false, true}) {
    SCOPED_TRACE(crowd ? "crowd" : "squares");
    const Cascade cascade =
        crowd ? long_square_finder(-400.f, 0.5f) : long_square_finder(-1.75f, 0.7080078125f);
    Detector reference(cascade, {BackendKind::kReference, 1}), cuda(cascade, {BackendKind::kCuda, 1});
    DetectOptions options;
    options.min_neighbors = 1;
    std::vector<Detections> wanted, got;
    reference.detect(all, options, wanted);
    for (const Detections& one : wanted) {
      const std::int64_t long_ones = one.counters.reached[257], survivors = one.counters.reached.back();
      EXPECT_GT(long_ones, crowd ? 512 : 0);
      EXPECT_GT(survivors, 0);
      EXPECT_LT(survivors, long_ones);
    }
    for (const std::size_t batch : {1, 8, 3, 8}) {  // the second batch of eight uses a graph
      cuda.detect(std::span(all).first(batch), options, got);
      for (std::size_t i = 0; i < batch; ++i) {
        SCOPED_TRACE(testing::Message() << "batch " << batch << ", picture " << i);
        expect_same(wanted[i], got[i]);
      }
    }
  }
}

// The tiles of these cascades need different amounts of a block's memory. The limit of a block's memory is
// set per kernel, not per cascade.
TEST(DetectorCuda, CascadesSideBySide) {
  WINNOW_NEEDS_DEVICE();
  const GrayImage scene = make_scene({181, 147}, {{20, 30, 36, 36}, {60, 20, 80, 80}});
  for (const std::vector<int>& order : {std::vector{1, 3, 2}, std::vector{3, 1, 2}}) {
    std::vector<Detector> cuda;
    for (const int factor : order)
      cuda.emplace_back(square_finder(factor), MachineOptions{BackendKind::kCuda, 1});
    for (std::size_t i = 0; i < order.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "windows of " << 24 * order[i]);
      Detector reference(square_finder(order[i]), {BackendKind::kReference, 1});
      expect_same(reference.detect(scene.view()), cuda[i].detect(scene.view()));
    }
  }
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
