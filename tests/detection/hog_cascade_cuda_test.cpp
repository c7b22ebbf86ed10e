// Tests a detector of cascades of HOG blocks on a device: batches, options that change, crowds, pictures on
// the device, and allocations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "hog_device_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "session/answers_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::EveryBackend;
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
  EveryBackend detectors(small_model());
  for (const bool raw : {false, true}) {
    DetectOptions options;
    options.min_neighbors = 1;
    options.min_score = -2;
    options.raw = raw;
    EXPECT_GE(detectors.expect_one_answer(all, options, {1, 7, 64, 70}), raw ? 1000u : 70u);
  }
}

TEST(DetectorHogCascadeCuda, OptionsThatChange) {
  WINNOW_NEEDS_DEVICE();
  const auto pictures = pictures_of(7, {150, 120});
  sample::expect_options_change(small_model(), views_of(pictures),
                                {-std::numeric_limits<double>::infinity(), -2, 1});
}

TEST(DetectorHogCascadeCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  HogCascadeModel model = small_model().model();
  for (HogBlockStage& stage : model.stages) stage.min_sum = -1'000'000;
  Detector cpu(HogCascade(model), {BackendKind::kCpu, 1}), cuda(HogCascade(model), {BackendKind::kCuda, 1});
  for (const Size size : {Size{150, 140}, Size{640, 480}}) {
    const auto pictures = pictures_of(5, size);
    sample::expect_crowd(cpu, cuda, views_of(pictures), {});
  }
}

TEST(DetectorHogCascadeCuda, PicturesOfManySizesInOneCall) {
  WINNOW_NEEDS_DEVICE();
  std::vector<GrayImage> pictures;
  for (int i = 0; i < 2; ++i) {
    for (const Size size : sample::kAlternating)
      pictures.push_back(texture(size.width, size.height, static_cast<std::uint64_t>(40 + i)));
  }
  auto all = views_of(pictures);
  all.emplace_back();
  sample::expect_many_sizes(small_model(), all);
}

// The device replaces the pixels of its frames by their roots, but never the caller's pixels.
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
  sample::expect_memory_once(small_model(), views_of(pictures));
}

TEST(DetectorHogCascadeCuda, AutoMayTakeTheDevice) {
  WINNOW_NEEDS_DEVICE();
  EXPECT_EQ(Detector(small_model()).backend(), BackendKind::kAuto);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
