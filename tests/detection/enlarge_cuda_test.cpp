// Tests searches of enlarged pictures on a device: batches, pictures on the device, large pictures by rows.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/hog.h>

#include "base/device/device_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "model/hog_models_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::expect_all;
using sample::expect_same;
using sample::texture;

std::vector<DetectorModel> models() {
  const HogShape small{{32, 48}, {16, 16}, {8, 8}, {8, 8}};
  std::vector<DetectorModel> list{sample::square_finder(), sample::soft_square_finder()};
  list.emplace_back(HogSvm(sample::random_hog(small, 21)));
  list.emplace_back(HogCascade(sample::hog_cascade({32, 48}, 4, 4, 12, 21)));
  return list;
}

DetectOptions enlarged(const DetectorModel& model) {
  DetectOptions options;
  options.enlarge = 2.1;
  options.min_neighbors = 1;
  options.min_score = model.kind() == "cascade" ? -1e6 : -0.5;
  return options;
}

TEST(EnlargeCuda, BatchesGiveTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  // Windows of texture pass a HOG model, and windows with squares pass a cascade. The last size is smaller
  // than the window of each model.
  for (const Size size : {Size{131, 97}, Size{29, 44}, Size{21, 22}}) {
    std::vector<GrayImage> pictures;
    for (int i = 0; i < 70; ++i)
      pictures.push_back(i % 2 == 0 ? texture(size.width, size.height, static_cast<std::uint64_t>(i))
                                    : sample::make_scene(size, {{2, 2, 18, 18}}));
    std::vector<PictureView> all;
    for (const GrayImage& picture : pictures) all.emplace_back(picture.view());
    for (const DetectorModel& model : models()) {
      SCOPED_TRACE(model.name() + " " + model.kind());
      Detector reference(model, {BackendKind::kReference, 1}), cuda(model, {BackendKind::kCuda, 1});
      std::vector<Detections> wanted;
      reference.detect(all, enlarged(model), wanted);
      for (const std::size_t batch : {1u, 7u, 64u}) expect_all(cuda, all, enlarged(model), wanted, batch);
    }
  }
}

TEST(EnlargeCuda, APictureOnTheDevice) {
  WINNOW_NEEDS_DEVICE();
  const GrayImage scene = sample::make_scene({131, 97}, {{20, 30, 18, 18}, {60, 50, 20, 20}});
  std::vector<std::uint8_t> bytes;
  for (int y = 0; y < scene.height(); ++y)
    bytes.insert(bytes.end(), scene.row(y), scene.row(y) + scene.width());
  DeviceBuffer<std::uint8_t> pixels;
  upload(std::span<const std::uint8_t>(bytes), pixels);
  const DevicePicture there{pixels.data(), scene.width(), scene.height(), scene.width(), 0, nullptr};
  Detector reference(sample::square_finder(), {BackendKind::kReference, 1}),
      cuda(sample::square_finder(), {BackendKind::kCuda, 1});
  const DetectOptions options = enlarged(reference.model());
  const Detections wanted = reference.detect(scene.view(), options);
  EXPECT_FALSE(wanted.objects.empty());
  std::vector<Detections> found;
  cuda.detect(std::span(&there, 1), options, found);
  expect_same(wanted, found.at(0));
}

// The picture is as large as pictures that a device searches by rows.
TEST(EnlargeCuda, ALargePictureByRows) {
  WINNOW_NEEDS_DEVICE();
  const Size size{2600, 1900};
  std::vector<Box> squares;
  for (int i = 0; i < 60; ++i) squares.push_back({40 * i + 5, (i * 397) % 1800, 15 + i / 3, 15 + i / 3});
  const GrayImage scene = sample::make_scene(size, squares);
  Detector cpu(sample::square_finder(), {BackendKind::kCpu, 2}),
      cuda(sample::square_finder(), {BackendKind::kCuda, 1});
  DetectOptions options;
  options.enlarge = 2.1;
  const Detections wanted = cpu.detect(scene.view(), options);
  EXPECT_GT(wanted.objects.size(), 20u);
  expect_same(wanted, cuda.detect(scene.view(), options));
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
