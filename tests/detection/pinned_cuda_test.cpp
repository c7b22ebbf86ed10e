// Tests pictures in pinned memory, which a device copies directly.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using sample::expect_all;
using sample::expect_same;
using sample::make_scene;
using sample::scenes;
using sample::square_detector;
using sample::square_finder;
using sample::views;

// Pinned pictures, with and without padding between rows, alone and in one call with pictures that are not
// pinned. The same pictures are searched again after they are no longer pinned.
TEST(PinnedCuda, PicturesAreFetchedWhereTheyLie) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<GrayImage> images = scenes(70, {181, 147});
  const Size room{192, 160};
  std::vector<std::uint8_t> ring(images.size() * static_cast<std::size_t>(room.width * room.height), 77);
  std::vector<GrayView> others = views(images), pinned;
  for (std::size_t i = 0; i < images.size(); ++i) {
    std::uint8_t* const at = ring.data() + i * static_cast<std::size_t>(room.width * room.height);
    const std::ptrdiff_t stride = i % 2 == 0 ? 181 : room.width;
    for (int y = 0; y < 147; ++y) std::copy_n(images[i].row(y), 181, at + y * stride);
    pinned.push_back({at, 181, 147, stride});
  }
  std::vector<GrayView> mixed = pinned;
  mixed[3] = others[3];
  Detector reference = square_detector(BackendKind::kReference), cuda = square_detector(BackendKind::kCuda);
  DetectOptions options;
  options.min_neighbors = 1;
  std::vector<Detections> wanted, got;
  reference.detect(others, options, wanted);
  {
    PinnedMemory memory(std::as_bytes(std::span(ring)));
    EXPECT_TRUE(memory.held());
    const PinnedMemory again(std::as_bytes(std::span(ring).first(10000)));
    EXPECT_TRUE(again.held());
    for (const std::size_t batch : {1, 7, 70}) {
      SCOPED_TRACE(batch);
      expect_all(cuda, pinned, options, wanted, batch);
      expect_all(cuda, mixed, options, wanted, batch);
      expect_all(cuda, others, options, wanted, batch);
    }
    // A new picture in the same memory, as from a camera.
    std::copy_n(images[9].row(0), 181 * 147, ring.data());
    cuda.detect(std::span(pinned).first(1), options, got);
    expect_same(wanted[9], got.front());
    std::copy_n(images[0].row(0), 181 * 147, ring.data());
    PinnedMemory moved = std::move(memory);
    EXPECT_FALSE(memory.held());
    expect_all(cuda, pinned, options, wanted, 64);
  }
  expect_all(cuda, pinned, options, wanted, 64);
}

// A large picture by rows, on one device, and on one device that is listed twice. Each listed device copies
// its own rows.
TEST(PinnedCuda, ALargePictureByRows) {
  WINNOW_NEEDS_DEVICE();
  DetectOptions coarse;
  coarse.scale_factor = 1.5;
  for (const Size size : {Size{2401, 1800}, Size{1931, 1087}}) {
    const GrayImage scene = make_scene(size, {{20, 30, 36, 36}, {size.width - 101, 870, 60, 60}});
    const auto pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
    const PinnedMemory memory(std::as_bytes(std::span(scene.row(0), pixels)));
    Detector reference = square_detector(BackendKind::kReference);
    const Detections wanted = reference.detect(scene.view(), coarse);
    EXPECT_FALSE(wanted.objects.empty());
    for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
      MachineOptions options{BackendKind::kCuda};
      options.devices = devices;
      Detector cuda(square_finder(), options);
      for (int round = 0; round < 2; ++round) expect_same(wanted, cuda.detect(scene.view(), coarse));
    }
  }
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
