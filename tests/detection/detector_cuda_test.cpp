// Tests the detector on a device: batches, crowds, errors, and allocations.
#include <gtest/gtest.h>

#include <random>
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
using sample::expect_all;
using sample::expect_same;
using sample::make_scene;
using sample::scenes;
using sample::square_detector;
using sample::square_finder;
using sample::views;

TEST(DetectorCuda, BatchesOfEverySizeGiveTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<GrayImage> images = scenes(131, {181, 147});
  const std::vector<GrayView> all = views(images);
  Detector reference = square_detector(BackendKind::kReference), cuda = square_detector(BackendKind::kCuda);
  for (const bool raw : {false, true}) {
    DetectOptions options;
    options.min_neighbors = 1;
    options.raw = raw;
    std::vector<Detections> wanted;
    reference.detect(all, options, wanted);
    for (const std::size_t batch : {1, 2, 7, 64, 131}) expect_all(cuda, all, options, wanted, batch);
  }
}

// The regions have odd corners, so that their rows begin anywhere in memory.
TEST(DetectorCuda, ARegionIsACropMovedBack) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<GrayImage> images = scenes(9, {181, 147});
  const std::vector<GrayView> all = views(images);
  Detector reference = square_detector(BackendKind::kReference), cuda = square_detector(BackendKind::kCuda);
  std::vector<DeviceBuffer<std::uint8_t>> buffers;
  std::vector<DevicePicture> on_device;
  for (const GrayImage& image : images) {
    buffers.emplace_back(std::size_t{181} * 147);
    check_cuda(cudaMemcpy2D(buffers.back().data(), 181, image.row(0),
                            static_cast<std::size_t>(image.view().stride), 181, 147, cudaMemcpyHostToDevice),
               "making a picture on the device");
    on_device.push_back({buffers.back().data(), 181, 147, 181, 0, nullptr});
  }
  DetectOptions options;
  options.min_neighbors = 1;
  for (const Box& region : {Box{7, 3, 133, 121}, Box{-5, 11, 160, 500}}) {
    options.region = region;
    std::vector<Detections> wanted, got;
    reference.detect(all, options, wanted);
    std::size_t objects = 0;
    for (const bool pictures_on_device : {false, true}) {
      if (pictures_on_device) {
        cuda.detect(std::span<const DevicePicture>(on_device), options, got);
      } else {
        cuda.detect(all, options, got);
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "picture " << i << ", on a device: " << pictures_on_device);
        expect_same(wanted[i], got[i]);
        EXPECT_EQ(got[i].picture, (Size{181, 147}));
        objects += got[i].objects.size();
      }
    }
    EXPECT_GT(objects, 9u);
    cuda.enqueue(on_device[4], options);
    cuda.enqueue(all[5], options);
    expect_same(wanted[4], cuda.collect());
    expect_same(wanted[5], cuda.collect());
  }
}

// Uses every device of the machine; a single device is used twice.
TEST(DetectorCuda, DevicesShareABatch) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<GrayImage> images = scenes(131, {181, 147});
  const std::vector<GrayView> all = views(images);
  MachineOptions options{BackendKind::kCuda};
  for (int device = 1; device < static_cast<int>(cuda_devices().size()); ++device)
    options.devices.push_back(device);
  if (options.devices.size() == 1) options.devices.push_back(0);
  Detector reference = square_detector(BackendKind::kReference), cuda(square_finder(), options);
  std::vector<Detections> wanted, got;
  reference.detect(all, {}, wanted);
  for (int round = 0; round < 3; ++round) {
    cuda.detect(all, {}, got);
    for (std::size_t i = 0; i < all.size(); ++i) expect_same(wanted[i], got[i]);
  }
}

// Searches two pictures in turn, in waves as rows arrive. Until a row arrives, the device holds that row of
// the other picture, whose squares lie elsewhere.
void expect_alternating(const Cascade& cascade, Size size, std::span<const GrayImage> scenes) {
  SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << ", " << cascade.model().card.name);
  DetectOptions detect;
  detect.scale_factor = 1.4;
  Detector cpu(cascade, {BackendKind::kCpu, 1});
  std::vector<Detections> wanted;
  for (const GrayImage& scene : scenes) {
    wanted.push_back(cpu.detect(scene.view(), detect));
    EXPECT_GE(wanted.back().objects.size(), 4u);
  }
  EXPECT_NE(wanted[0].objects, wanted[1].objects);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
    MachineOptions options{BackendKind::kCuda};
    options.devices = devices;
    Detector cuda(cascade, options);
    for (const std::size_t i : {0, 1, 0, 1}) expect_same(wanted[i], cuda.detect(scenes[i].view(), detect));
  }
}

std::vector<GrayImage> two_scenes(Size size) {
  const int right = size.width - 100, below = size.height - 100, middle = size.height / 2;
  std::vector<GrayImage> scenes;
  scenes.push_back(make_scene(
      size, {{20, 30, 36, 36}, {500, middle - 20, 60, 60}, {right, 800, 48, 48}, {40, below, 80, 80}}));
  scenes.push_back(make_scene(
      size, {{right, 60, 60, 60}, {700, 900, 48, 48}, {600, middle, 36, 36}, {right, below, 80, 80}}));
  return scenes;
}

TEST(DetectorCuda, ManyWavesOfALargePicture) {
  WINNOW_NEEDS_DEVICE();
  expect_alternating(square_finder(), {5003, 3601}, two_scenes({5003, 3601}));
}

// A wave begins while another ends. Only the first size has rows that fill whole cache lines.
TEST(DetectorCuda, WavesSideBySide) {
  WINNOW_NEEDS_DEVICE();
  for (const Size size : {Size{1920, 1080}, Size{1411, 1603}}) {
    const std::vector<GrayImage> scenes = two_scenes(size);
    expect_alternating(square_finder(), size, scenes);
    expect_alternating(sample::soft_square_finder(), size, scenes);
  }
}

// Several devices divide a large picture by rows. One device that is listed several times also divides the
// picture.
TEST(DetectorCuda, ALargePictureIsSharedByRows) {
  WINNOW_NEEDS_DEVICE();
  std::vector<int> all;
  for (const CudaDeviceInfo& device : cuda_devices()) all.push_back(device.number);
  Detector cpu = square_detector(BackendKind::kCpu);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}, {0, 0, 0, 0}, all}) {
    MachineOptions options{BackendKind::kCuda};
    options.devices = devices;
    Detector cuda(square_finder(), options);
    for (const Size size : {Size{2400, 1800}, Size{2501, 1777}, Size{320, 240}, Size{1500, 3100}}) {
      const GrayImage scene = make_scene(size, {{20, 30, 36, 36},
                                                {size.width - 100, size.height / 2 - 30, 60, 60},
                                                {40, size.height - 90, 80, 80}});
      for (const bool raw : {false, true}) {
        DetectOptions detect;
        detect.raw = raw;
        SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << " on " << devices.size());
        const Detections wanted = cpu.detect(scene.view(), detect);
        EXPECT_GT(wanted.objects.size(), 0u);
        expect_same(wanted, cuda.detect(scene.view(), detect));
        // A call has fewer pictures than there are devices, as many, or more.
        for (const std::size_t count : {2, 4}) {
          const std::vector<GrayView> pictures(count, scene.view());
          std::vector<Detections> results;
          cuda.detect(pictures, detect, results);
          for (const Detections& result : results) expect_same(wanted, result);
        }
      }
    }
  }
}

TEST(DetectorCuda, SizesThatAlternate) {
  WINNOW_NEEDS_DEVICE();
  std::vector<GrayImage> images;
  images.push_back(make_scene({200, 150}, {{20, 30, 36, 36}}));
  images.push_back(make_scene({23, 23}, {}));
  images.push_back(make_scene({97, 131}, {{40, 30, 40, 40}}));
  images.push_back(make_scene({640, 480}, {{300, 200, 96, 96}}));
  images.push_back(GrayImage(0, 0));
  images.push_back(make_scene({200, 150}, {{90, 60, 36, 36}}));
  Detector reference = square_detector(BackendKind::kReference), cuda = square_detector(BackendKind::kCuda);
  for (int round = 0; round < 2; ++round) {
    for (const GrayImage& image : images)
      expect_same(reference.detect(image.view()), cuda.detect(image.view()));
  }
}

// One call has pictures of many sizes in mixed order: some sizes once, some often, some without windows, and
// one large picture. One device searches the call, first alone and then listed twice.
TEST(DetectorCuda, PicturesOfManySizesInOneCall) {
  WINNOW_NEEDS_DEVICE();
  std::vector<GrayImage> images;
  for (int i = 0; i < 190; ++i) {
    const int size = i % 3 == 0 ? 0 : i * 37 % 100;
    images.push_back(make_scene({40 + 2 * size, 30 + size % 7 * 20}, {{i % 5, i % 3, 36, 36}}));
  }
  images.push_back(GrayImage(20, 20));
  images.push_back(make_scene({2400, 1800}, {{20, 30, 36, 36}, {2300, 870, 60, 60}}));
  images.push_back(GrayImage(0, 0));
  const std::vector<GrayView> all = views(images);
  std::vector<Detections> wanted, got;
  square_detector(BackendKind::kCpu).detect(all, {}, wanted);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
    MachineOptions options{BackendKind::kCuda};
    options.devices = devices;
    Detector cuda(square_finder(), options);
    for (const std::size_t first : {0, 100, 0}) {
      cuda.detect(std::span(all).subspan(first), {}, got);
      for (std::size_t i = first; i < all.size(); ++i) {
        SCOPED_TRACE(i);
        expect_same(wanted[i], got[i - first]);
      }
    }
  }
}

// Nearly every window passes the only stage. In the larger pictures, more windows survive than a device can
// group, or than it has room for at first.
TEST(DetectorCuda, Crowds) {
  WINNOW_NEEDS_DEVICE();
  const Cascade cascade = crowd_finder();
  Detector reference(cascade, {BackendKind::kReference, 1}), cuda(cascade, {BackendKind::kCuda});
  for (const Size size : {Size{110, 90}, Size{160, 120}, Size{500, 400}}) {
    const GrayImage scene = make_scene(size, {{20, 30, 36, 36}, {60, 20, 48, 48}});
    for (const int min_neighbors : {0, 3}) {
      DetectOptions options;
      options.min_neighbors = min_neighbors;
      const Detections wanted = reference.detect(scene.view(), options);
      EXPECT_GT(wanted.counters.reached.back(), 1000);
      expect_same(wanted, cuda.detect(scene.view(), options));
    }
  }
}

// In a large picture, more windows survive than the share of each device has room for at first.
TEST(DetectorCuda, ALargeCrowd) {
  WINNOW_NEEDS_DEVICE();
  const Cascade cascade = crowd_finder();
  GrayImage scene(2300, 1900);  // patches of any brightness, so that no window is flat
  std::mt19937 random(3);
  for (int y = 0; y < scene.height(); ++y) {
    for (int x = 0; x < scene.width(); ++x) {
      scene.row(y)[x] = y % 32 != 0   ? scene.row(y - 1)[x]
                        : x % 32 != 0 ? scene.row(y)[x - 1]
                                      : static_cast<std::uint8_t>(random() % 256);
    }
  }
  DetectOptions options;
  options.min_neighbors = 0;
  options.min_size = {200, 200};
  Detector cpu(cascade, {BackendKind::kCpu, 1});
  const Detections wanted = cpu.detect(scene.view(), options);
  EXPECT_GT(wanted.objects.size(), 150'000u);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
    MachineOptions on_devices{BackendKind::kCuda};
    on_devices.devices = devices;
    Detector cuda(cascade, on_devices);
    const Detections got = cuda.detect(scene.view(), options);
    EXPECT_TRUE(wanted.objects == got.objects);
    EXPECT_TRUE(wanted.counters.same_answer(got.counters));
  }
}

TEST(DetectorCuda, MinimumScoreAndNeighbours) {
  WINNOW_NEEDS_DEVICE();
  const GrayImage scene = make_scene({300, 200}, {{20, 30, 36, 36}, {120, 60, 48, 48}, {200, 100, 60, 60}});
  Detector reference = square_detector(BackendKind::kReference), cuda = square_detector(BackendKind::kCuda);
  for (const int neighbors : {0, 1, 2, 5, 20}) {
    for (const double score : {-1e9, 1.0, 3.0}) {
      DetectOptions options;
      options.min_neighbors = neighbors;
      options.min_score = score;
      expect_same(reference.detect(scene.view(), options), cuda.detect(scene.view(), options));
    }
  }
}

TEST(DetectorCuda, MemoryIsAskedForOnce) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<GrayImage> images = scenes(40, {320, 240});
  const std::vector<GrayView> all = views(images);
  Detector cuda = square_detector(BackendKind::kCuda);
  std::vector<Detections> results;
  cuda.detect(all, {}, results);
  const std::int64_t before = cuda_allocations();
  for (int i = 0; i < 5; ++i) cuda.detect(all, {}, results);
  EXPECT_EQ(cuda_allocations(), before);
  const GrayImage large = make_scene({2400, 1800}, {{20, 30, 36, 36}});
  cuda.detect(large.view());
  const std::int64_t with_large = cuda_allocations();
  for (int i = 0; i < 3; ++i) cuda.detect(large.view());
  EXPECT_EQ(cuda_allocations(), with_large);
}

TEST(DetectorCuda, ADeviceThatIsNotThere) {
  WINNOW_NEEDS_DEVICE();
  for (const int device : {-1, 99}) {
    try {
      MachineOptions options{BackendKind::kCuda};
      options.devices = {device};
      Detector detector(square_finder(), options);
      FAIL() << "device " << device << " was found";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBackend);
    }
  }
}

// If a picture needs more memory than the device has, the search fails. The detector then refuses all work,
// and other detectors continue.
TEST(DetectorCuda, OutOfMemory) {
  WINNOW_NEEDS_DEVICE();
  Detector cuda = square_detector(BackendKind::kCuda);
  std::vector<void*> taken;
  std::size_t chunk = std::size_t{1} << 33;
  while (chunk >= (std::size_t{1} << 20)) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, chunk) == cudaSuccess) {
      taken.push_back(memory);
    } else {
      chunk /= 2;
    }
  }
  cudaGetLastError();
  const GrayImage large = make_scene({4000, 3000}, {});
  ErrorCode code = ErrorCode::kUsage;
  try {
    cuda.detect(large.view());
  } catch (const Error& error) {
    code = error.code();
    EXPECT_NE(error.sentence().find("memory"), std::string::npos) << error.sentence();
  }
  for (void* memory : taken) cudaFree(memory);
  EXPECT_EQ(code, ErrorCode::kDevice);
  const GrayImage scene = make_scene({200, 150}, {{20, 30, 36, 36}});
  EXPECT_THROW(cuda.detect(scene.view()), Error);
  Detector reference = square_detector(BackendKind::kReference), other = square_detector(BackendKind::kCuda);
  expect_same(reference.detect(scene.view()), other.detect(scene.view()));
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
