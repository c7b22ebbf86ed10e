// Tests a detector of cascades of HOG blocks on a device: batches, options that change, crowds, pictures on
// the device, and allocations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "session/answers_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::expect_all;
using sample::expect_same;
using sample::texture;

HogCascade small_model() { return HogCascade(sample::hog_cascade({32, 48}, 4, 4, 12, 21)); }

std::vector<GrayImage> pictures_of(int count, Size size) {
  std::vector<GrayImage> list;
  for (int i = 0; i < count; ++i)
    list.push_back(texture(size.width, size.height, static_cast<std::uint64_t>(100 + i)));
  return list;
}

std::vector<PictureView> views_of(const std::vector<GrayImage>& pictures) {
  std::vector<PictureView> list;
  for (const GrayImage& picture : pictures) list.emplace_back(picture.view());
  return list;
}

TEST(DetectorHogCascadeCuda, BatchesOfEverySizeGiveTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  const auto pictures = pictures_of(70, {131, 117});
  const auto all = views_of(pictures);
  Detector reference(small_model(), {BackendKind::kReference, 1}), cpu(small_model(), {BackendKind::kCpu, 2}),
      cuda(small_model(), {BackendKind::kCuda, 1});
  for (const bool raw : {false, true}) {
    DetectOptions options;
    options.min_neighbors = 1;
    options.min_score = -2;
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

// Options change between searches of one plan. Its graphs must not keep the old options.
TEST(DetectorHogCascadeCuda, OptionsThatChange) {
  WINNOW_NEEDS_DEVICE();
  const auto pictures = pictures_of(7, {150, 120});
  const auto all = views_of(pictures);
  Detector reference(small_model(), {BackendKind::kReference, 1}),
      cuda(small_model(), {BackendKind::kCuda, 1});
  const double scores[] = {-std::numeric_limits<double>::infinity(), -2, 1};
  for (int round = 0; round < 24; ++round) {
    DetectOptions options;
    options.min_score = scores[round / 2 % 3];
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

// Every window is a survivor: more than a block of threads groups, and more than there is room for at first.
TEST(DetectorHogCascadeCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  HogCascadeModel model = small_model().model();
  for (HogBlockStage& stage : model.stages) stage.min_sum = -1'000'000;
  Detector cpu(HogCascade(model), {BackendKind::kCpu, 1}), cuda(HogCascade(model), {BackendKind::kCuda, 1});
  for (const Size size : {Size{150, 140}, Size{640, 480}}) {
    const auto pictures = pictures_of(5, size);
    const auto all = views_of(pictures);
    for (const int min_neighbors : {0, 2}) {
      DetectOptions options;
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

TEST(DetectorHogCascadeCuda, PicturesOfManySizesInOneCall) {
  WINNOW_NEEDS_DEVICE();
  std::vector<GrayImage> pictures;
  for (int i = 0; i < 2; ++i) {
    for (const Size size :
         {Size{32, 48}, Size{31, 48}, Size{1, 1}, Size{97, 131}, Size{2100, 2050}, Size{211, 64}})
      pictures.push_back(texture(size.width, size.height, static_cast<std::uint64_t>(40 + i)));
  }
  auto all = views_of(pictures);
  all.emplace_back();
  DetectOptions options;
  options.scale_factor = 1.5;
  Detector cpu(small_model(), {BackendKind::kCpu, 1});
  std::vector<Detections> wanted;
  cpu.detect(all, options, wanted);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
    MachineOptions machine{BackendKind::kCuda};
    machine.devices = devices;
    Detector cuda(small_model(), machine);
    for (const std::size_t batch : {all.size(), std::size_t{1}})
      expect_all(cuda, all, options, wanted, batch);
  }
}

// The roots replace the pixels of frames, but never the caller's pixels.
TEST(DetectorHogCascadeCuda, PinnedPicturesAndPicturesOnTheDevice) {
  WINNOW_NEEDS_DEVICE();
  const Size size{144, 101};
  const auto bytes = static_cast<std::size_t>(size.width * size.height);
  const auto pictures = pictures_of(3, size);
  const auto all = views_of(pictures);
  DetectOptions options;
  options.min_score = -2;
  Detector reference(small_model(), {BackendKind::kReference, 1}),
      cuda(small_model(), {BackendKind::kCuda, 1});
  std::vector<Detections> wanted, got;
  reference.detect(all, options, wanted);
  PinnedBuffer<std::uint8_t> ring(3 * bytes);
  std::vector<PictureView> pinned;
  std::vector<DeviceBuffer<std::uint8_t>> buffers;
  std::vector<DevicePicture> on_device;
  std::vector<std::uint8_t> before;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for (int y = 0; y < size.height; ++y)
      std::copy_n(pictures[i].row(y), size.width, ring.data() + i * bytes + y * size.width);
    pinned.emplace_back(GrayView{ring.data() + i * bytes, size.width, size.height, size.width});
    buffers.emplace_back();
    upload(std::span<const std::uint8_t>(ring.data() + i * bytes, bytes), buffers.back());
    on_device.push_back({buffers.back().data(), size.width, size.height, size.width, 0, nullptr});
  }
  before.assign(ring.data(), ring.data() + 3 * bytes);
  for (int round = 0; round < 3; ++round) {
    expect_all(cuda, pinned, options, wanted, 3);
    cuda.detect(std::span<const DevicePicture>(on_device), options, got);
    for (std::size_t i = 0; i < got.size(); ++i) expect_same(wanted[i], got[i]);
    expect_all(cuda, all, options, wanted, 3);
  }
  EXPECT_TRUE(std::equal(before.begin(), before.end(), ring.data()));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<std::uint8_t> after(bytes);
    check_cuda(cudaMemcpy(after.data(), buffers[i].data(), bytes, cudaMemcpyDeviceToHost), "copying back");
    EXPECT_TRUE(
        std::equal(after.begin(), after.end(), before.begin() + static_cast<std::ptrdiff_t>(i * bytes)));
  }
}

TEST(DetectorHogCascadeCuda, MemoryIsAskedForOnce) {
  WINNOW_NEEDS_DEVICE();
  const auto pictures = pictures_of(20, {200, 150});
  const auto all = views_of(pictures);
  Detector cuda(small_model(), {BackendKind::kCuda, 1});
  std::vector<Detections> results;
  cuda.detect(all, {}, results);
  const std::int64_t before = cuda_allocations();
  for (int i = 0; i < 5; ++i) cuda.detect(all, {}, results);
  EXPECT_EQ(cuda_allocations(), before);
}

TEST(DetectorHogCascadeCuda, AutoTakesTheDevice) {
  WINNOW_NEEDS_DEVICE();
  EXPECT_EQ(Detector(small_model()).backend(), BackendKind::kCuda);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
