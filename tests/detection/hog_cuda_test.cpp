// Tests a detector of HOG SVMs on a device: batches, colour, options that change, crowds, and allocations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_models_for_test.h"
#include "session/answers_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::colored;
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
  Detector reference(model, {BackendKind::kReference, 1}), cpu(model, {BackendKind::kCpu, 2}),
      cuda(model, {BackendKind::kCuda, 1});
  for (const int kind : {0, 1, 2}) {  // all grey, all in colour, some in colour
    SCOPED_TRACE(kind);
    const auto all = pictures.views([&](std::size_t i) { return kind == 1 || (kind == 2 && i * 7 % 5 < 2); });
    for (const bool raw : {false, true}) {
      DetectOptions options;
      options.min_neighbors = 1;
      options.raw = raw;
      std::vector<Detections> wanted, of_cpu;
      reference.detect(all, options, wanted);
      cpu.detect(all, options, of_cpu);
      std::size_t objects = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        expect_same(wanted[i], of_cpu[i]);
        objects += wanted[i].objects.size();
      }
      EXPECT_GE(objects, raw ? 1000u : 70u);
      for (const std::size_t batch : {1, 7, 64, 70}) expect_all(cuda, all, options, wanted, batch);
    }
  }
}

// Padding, two steps and locations, in batches.
TEST(DetectorHogCuda, WindowsOutsideInBatches) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  const Pictures pictures(70, {131, 117});
  Detector reference(model, {BackendKind::kReference, 1}), cpu(model, {BackendKind::kCpu, 2}),
      cuda(model, {BackendKind::kCuda, 1});
  const auto all = pictures.views([](std::size_t i) { return i * 7 % 5 < 2; });
  DetectOptions padded, uneven, places;
  padded.padding = {24, 8};
  uneven.step = {4, 12};
  uneven.padding = {5, 3};
  places.min_neighbors = 0;
  places.clip = false;
  places.padding = {9, 9};
  places.locations = {{0, 0}, {-9, 4}, {108, 78}, {17, 5}, {0, 0}};
  for (const DetectOptions& options : {padded, uneven, places}) {
    std::vector<Detections> wanted, of_cpu;
    reference.detect(all, options, wanted);
    cpu.detect(all, options, of_cpu);
    for (std::size_t i = 0; i < all.size(); ++i) expect_same(wanted[i], of_cpu[i]);
    for (const std::size_t batch : {1, 7, 64}) expect_all(cuda, all, options, wanted, batch);
  }
}

// Options change between searches of one plan. Its graphs must not keep the old options.
TEST(DetectorHogCuda, OptionsThatChange) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  const Pictures pictures(7, {150, 120});
  const auto all = pictures.views([](std::size_t) { return true; });
  Detector reference(model, {BackendKind::kReference, 1}), cuda(model, {BackendKind::kCuda, 1});
  const double scores[] = {-std::numeric_limits<double>::infinity(), -0.7, 0.4};
  for (int round = 0; round < 24; ++round) {
    DetectOptions options;
    options.min_score = scores[round / 2 % 3];
    options.gray = round / 6 % 2 == 1;
    options.min_neighbors = round / 4 % 3;
    options.step = round >= 18 ? Size{16, 16} : Size{};
    std::vector<Detections> wanted;
    reference.detect(all, options, wanted);
    SCOPED_TRACE(round);
    expect_all(cuda, all, options, wanted, 7);
    cuda.enqueue(all[3], options);
    expect_same(wanted[3], cuda.collect());
  }
}

// Nearly every window is a survivor, in grey and in colour. There are more than a block of threads groups,
// and more than there is room for at first.
TEST(DetectorHogCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  Detector cpu(model, {BackendKind::kCpu, 1}), cuda(model, {BackendKind::kCuda, 1});
  for (const Size size : {Size{150, 140}, Size{640, 480}}) {
    const Pictures pictures(5, size);
    const auto all = pictures.views([](std::size_t i) { return i % 2 == 0; });
    for (const int min_neighbors : {0, 2}) {
      DetectOptions options;
      options.scale_factor = 1.05;
      options.min_score = -1e5;
      options.min_neighbors = min_neighbors;
      std::vector<Detections> wanted;
      cpu.detect(all, options, wanted);
      EXPECT_EQ(wanted[0].counters.reached.back(), wanted[0].counters.windows);
      EXPECT_GT(wanted[0].counters.windows, size.width > 200 ? 20000 : 1000);
      expect_all(cuda, all, options, wanted, 5);
    }
  }
}

// Sizes alternate; some pictures have no windows, and one is as large as those that cascades search by rows.
TEST(DetectorHogCuda, PicturesOfManySizesInOneCall) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  std::vector<Pictures> pictures;
  for (const Size size :
       {Size{32, 48}, Size{31, 48}, Size{1, 1}, Size{97, 131}, Size{2100, 2050}, Size{211, 64}})
    pictures.emplace_back(2, size);
  std::vector<PictureView> all;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Pictures& of : pictures)
      all.push_back(i == 0 ? PictureView(of.gray[i].view(), of.color[i].view())
                           : PictureView(of.gray[i].view()));
  }
  all.emplace_back();
  DetectOptions options;
  options.scale_factor = 1.5;
  Detector cpu(model, {BackendKind::kCpu, 1});
  std::vector<Detections> wanted;
  cpu.detect(all, options, wanted);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
    MachineOptions machine{BackendKind::kCuda};
    machine.devices = devices;
    Detector cuda(model, machine);
    for (const std::size_t batch : {all.size(), std::size_t{1}})
      expect_all(cuda, all, options, wanted, batch);
  }
}

TEST(DetectorHogCuda, PinnedColoursAndPicturesOnTheDevice) {
  WINNOW_NEEDS_DEVICE();
  const HogSvm model = small_model();
  const Size size{133, 101};
  const Pictures pictures(3, size);
  std::vector<Rgb> ring;  // all colours, with rows longer than the pictures
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
  for (const bool color : {false, true}) {
    const auto all = pictures.views([&](std::size_t) { return color; });
    Detector cuda(small_model(), {BackendKind::kCuda, 1});
    std::vector<Detections> results;
    cuda.detect(all, {}, results);
    const std::int64_t before = cuda_allocations();
    for (int i = 0; i < 5; ++i) cuda.detect(all, {}, results);
    EXPECT_EQ(cuda_allocations(), before);
  }
}

TEST(DetectorHogCuda, AutoTakesTheDevice) {
  WINNOW_NEEDS_DEVICE();
  EXPECT_EQ(Detector(small_model()).backend(), BackendKind::kCuda);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
