// Tests a detector of HOG SVMs on a device: batches, colour, options that change, crowds, and allocations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "hog_device_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_models_for_test.h"
#include "session/answers_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::colored;
using sample::EveryBackend;
using sample::expect_all;
using sample::expect_same;
using sample::random_hog;
using sample::texture;

const HogShape kSmall{{32, 48}, {16, 16}, {8, 8}, {8, 8}, 9, false, true, 0, 0.2};

HogSvm small_model() { return HogSvm(random_hog(kSmall, 21)); }

// Pictures of one size in grey and colour.
struct Pictures {
  std::vector<GrayImage> gray;
  std::vector<RgbImage> color;

  Pictures(int count, Size size) {
    for (int i = 0; i < count; ++i) {
      gray.push_back(texture(size.width, size.height, static_cast<std::uint64_t>(100 + i)));
      color.push_back(colored(size, static_cast<std::uint64_t>(500 + i)));
    }
  }
  // `with_color(i)`: whether picture i has colour.
  template <class With>
  std::vector<PictureView> views(With with_color) const {
    std::vector<PictureView> list;
    for (std::size_t i = 0; i < gray.size(); ++i)
      list.push_back(with_color(i) ? PictureView(gray[i].view(), color[i].view())
                                   : PictureView(gray[i].view()));
    return list;
  }
};

TEST(DetectorHogCuda, BatchesOfEverySizeGiveTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  const Pictures pictures(70, {131, 117});
  EveryBackend detectors(model);
  for (const int kind : {0, 1, 2}) {  // all grey, all in colour, some in colour
    SCOPED_TRACE(kind);
    const auto all = pictures.views([&](std::size_t i) { return kind == 1 || (kind == 2 && i * 7 % 5 < 2); });
    for (const bool raw : {false, true}) {
      DetectOptions options;
      options.min_neighbors = 1;
      options.raw = raw;
      EXPECT_GE(detectors.expect_one_answer(all, options, {1, 7, 64, 70}), raw ? 1000u : 70u);
    }
  }
}

// Searches batches with padding, with a different step for each direction, and at listed locations.
TEST(DetectorHogCuda, WindowsOutsideInBatches) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  const Pictures pictures(70, {131, 117});
  EveryBackend detectors(model);
  const auto all = pictures.views([](std::size_t i) { return i * 7 % 5 < 2; });
  DetectOptions padded, uneven, places;
  padded.padding = {24, 8};
  uneven.step = {4, 12};
  uneven.padding = {5, 3};
  places.min_neighbors = 0;
  places.clip = false;
  places.padding = {9, 9};
  places.locations = {{0, 0}, {-9, 4}, {108, 78}, {17, 5}, {0, 0}};
  for (const DetectOptions& options : {padded, uneven, places})
    detectors.expect_one_answer(all, options, {1, 7, 64});
}

TEST(DetectorHogCuda, OptionsThatChange) {
  WINNOW_NEEDS_DEVICE();
  const Pictures pictures(7, {150, 120});
  sample::expect_options_change(small_model(), pictures.views([](std::size_t) { return true; }),
                                {-std::numeric_limits<double>::infinity(), -0.7, 0.4});
}

TEST(DetectorHogCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  Detector cpu(model, {BackendKind::kCpu, 1}), cuda(model, {BackendKind::kCuda, 1});
  for (const Size size : {Size{150, 140}, Size{640, 480}}) {
    const Pictures pictures(5, size);
    DetectOptions options;
    options.scale_factor = 1.05;
    sample::expect_crowd(cpu, cuda, pictures.views([](std::size_t i) { return i % 2 == 0; }), options);
  }
}

TEST(DetectorHogCuda, PicturesOfManySizesInOneCall) {
  WINNOW_NEEDS_DEVICE();
  std::vector<Pictures> pictures;
  for (const Size size : sample::kAlternating) pictures.emplace_back(2, size);
  std::vector<PictureView> all;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Pictures& of : pictures)
      all.push_back(i == 0 ? PictureView(of.gray[i].view(), of.color[i].view())
                           : PictureView(of.gray[i].view()));
  }
  all.emplace_back();
  sample::expect_many_sizes(small_model(), all);
}

TEST(DetectorHogCuda, PinnedColoursAndPicturesOnTheDevice) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  const Size size{133, 101};
  const Pictures pictures(3, size);
  std::vector<Rgb> ring;  // the colours of all pictures, in rows with padding
  const std::ptrdiff_t row = size.width + 5;
  for (const RgbImage& color : pictures.color) {
    for (int y = 0; y < size.height; ++y) {
      ring.insert(ring.end(), color.row(y), color.row(y) + size.width);
      ring.resize(ring.size() + 5);
    }
  }
  std::vector<PictureView> all;
  for (std::size_t i = 0; i < pictures.gray.size(); ++i)
    all.emplace_back(pictures.gray[i].view(),
                     RgbView{ring.data() + static_cast<std::ptrdiff_t>(i) * row * size.height, size.width,
                             size.height, row * 3});
  Detector reference(model, {BackendKind::kReference, 1}), cuda(model, {BackendKind::kCuda, 1});
  std::vector<Detections> wanted, of_gray, got;
  reference.detect(all, {}, wanted);
  reference.detect(pictures.views([](std::size_t) { return false; }), {}, of_gray);
  {
    const PinnedMemory pinned(std::as_bytes(std::span(ring)));
    EXPECT_TRUE(pinned.held());
    for (int round = 0; round < 3; ++round) expect_all(cuda, all, {}, wanted, 3);
  }
  expect_all(cuda, all, {}, wanted, 3);
  std::vector<DeviceBuffer<std::uint8_t>> buffers;
  std::vector<DevicePicture> on_device;
  for (const GrayImage& gray : pictures.gray) {
    buffers.emplace_back();
    upload(std::span<const std::uint8_t>(gray.row(0), static_cast<std::size_t>(size.width * size.height)),
           buffers.back());
    on_device.push_back({buffers.back().data(), size.width, size.height, size.width, 0, nullptr});
  }
  for (int round = 0; round < 3; ++round) {
    cuda.detect(std::span<const DevicePicture>(on_device), {}, got);
    for (std::size_t i = 0; i < got.size(); ++i) expect_same(of_gray[i], got[i]);
  }
}

TEST(DetectorHogCuda, MemoryIsAskedForOnce) {
  WINNOW_NEEDS_DEVICE();
  const Pictures pictures(20, {200, 150});
  for (const bool color : {false, true})
    sample::expect_memory_once(small_model(), pictures.views([&](std::size_t) { return color; }));
}

TEST(DetectorHogCuda, AutoMayTakeTheDevice) {
  WINNOW_NEEDS_DEVICE();
  EXPECT_EQ(Detector(small_model()).backend(), BackendKind::kAuto);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
