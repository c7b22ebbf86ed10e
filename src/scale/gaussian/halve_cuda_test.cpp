// Compares halves and Gaussian pyramids of frames on a device with the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "base/device/device_for_test.h"
#include "image/same_picture_for_test.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "scale/gaussian/halve.h"

#ifdef WINNOW_HAVE_CUDA

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/frames/frame_batch_cuda.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "scale/gaussian/halve_cuda.h"

namespace winnow {
namespace {

enum class Content { kNoise, kExtremes, kChecks, kWhite };

// Makes frames of one size. Bytes behind the rows are noise, and no half may depend on this noise.
std::vector<std::uint8_t> make_frames(Size size, int count, Content content, std::mt19937& random) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(frame_bytes(size) * count));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 8);
  if (content == Content::kNoise) return bytes;
  const auto pitch = static_cast<std::size_t>(frame_pitch(size.width));
  for (std::size_t y = 0; y < static_cast<std::size_t>(size.height * count); ++y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(size.width); ++x) {
      std::uint8_t& pixel = bytes[y * pitch + x];
      if (content == Content::kExtremes) pixel = pixel < 128 ? 0 : 255;
      if (content == Content::kChecks) pixel = (x + y) % 2 == 0 ? 0 : 255;
      if (content == Content::kWhite) pixel = 255;
    }
  }
  return bytes;
}

GrayView frame_of(const std::vector<std::uint8_t>& frames, Size size, int frame) {
  return {frames.data() + frame_bytes(size) * frame, size.width, size.height,
          static_cast<std::ptrdiff_t>(frame_pitch(size.width))};
}

using sample::expect_same;

void copy_to_device(const std::vector<std::uint8_t>& bytes, const DeviceBuffer<std::uint8_t>& buffer,
                    cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(buffer.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream),
             "copying frames");
}

constexpr std::uint8_t kUntouched = 0xA5;
constexpr std::size_t kBeyond = 64;  // bytes behind the halves that must stay as they are

// Halves frames of many sizes in the same buffers.
class OneStep {
 public:
  void compare(Size size, int count, Content content, std::mt19937& random) {
    SCOPED_TRACE(testing::Message() << count << " frames of " << size.width << "x" << size.height
                                    << ", content " << static_cast<int>(content));
    const std::vector<std::uint8_t> frames = make_frames(size, count, content, random);
    const Size small = halved(size);
    std::vector<std::uint8_t> halves(static_cast<std::size_t>(frame_bytes(small) * count) + kBeyond);
    frames_.reserve(frames.size());
    halves_.reserve(halves.size());
    copy_to_device(frames, frames_, stream_.get());
    check_cuda(cudaMemsetAsync(halves_.data(), kUntouched, halves.size(), stream_.get()), "clearing halves");
    halve_frames(frames_.data(), size, count, halves_.data(), stream_.get());
    check_cuda(
        cudaMemcpyAsync(halves.data(), halves_.data(), halves.size(), cudaMemcpyDeviceToHost, stream_.get()),
        "copying halves");
    check_cuda(cudaStreamSynchronize(stream_.get()), "halving frames");
    for (int frame = 0; frame < count; ++frame) {
      SCOPED_TRACE(testing::Message() << "frame " << frame);
      GrayImage wanted(small.width, small.height);
      halve_ref(frame_of(frames, size, frame), wanted.view(), row_);
      expect_same(frame_of(halves, small, frame), wanted.view());
      if (testing::Test::HasFailure()) return;
    }
    for (std::size_t i = halves.size() - kBeyond; i < halves.size(); ++i)
      ASSERT_EQ(halves[i], kUntouched) << "behind the halves";
  }

 private:
  CudaStream stream_ = make_stream();
  DeviceBuffer<std::uint8_t> frames_, halves_;
  HalveRow row_;
};

TEST(HalveCuda, SmallPictures) {
  WINNOW_NEEDS_DEVICE();
  OneStep step;
  std::mt19937 random(1);
  for (int height = 1; height <= 40; ++height) {
    for (int width = 1; width <= 40; ++width) {
      step.compare({width, height}, 2, (width + height) % 2 == 0 ? Content::kNoise : Content::kExtremes,
                   random);
      if (HasFailure()) return;
    }
  }
}

TEST(HalveCuda, LargePictures) {
  WINNOW_NEEDS_DEVICE();
  OneStep step;
  std::mt19937 random(2);
  for (const Size size : {Size{1280, 720}, {1283, 721}, {1919, 35}, {33, 1001}, {4099, 7}}) {
    for (const Content content : {Content::kNoise, Content::kExtremes, Content::kChecks, Content::kWhite}) {
      step.compare(size, 3, content, random);
      if (HasFailure()) return;
    }
  }
}

TEST(HalveCuda, NoFrames) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  halve_frames(nullptr, {5, 5}, 0, nullptr, stream.get());
  halve_frames(nullptr, {0, 5}, 3, nullptr, stream.get());
  check_cuda(cudaStreamSynchronize(stream.get()), "halving nothing");
}

// Copies every level of every frame back, and compares with the pyramid of the host.
void expect_pyramids(const DeviceGaussianPyramid& pyramid, const std::uint8_t* frames_on_device,
                     const std::vector<std::uint8_t>& frames, Size size, int count, int levels,
                     cudaStream_t stream) {
  const GaussianPyramidView view = pyramid.view(frames_on_device);
  GaussianPyramid wanted;
  for (int frame = 0; frame < count; ++frame) {
    wanted.make(frame_of(frames, size, frame), levels, halve_ref);
    ASSERT_EQ(view.count, wanted.levels());
    ASSERT_EQ(pyramid.levels(), wanted.levels());
    for (int i = 0; i < view.count; ++i) {
      SCOPED_TRACE(testing::Message() << "frame " << frame << ", level " << i);
      const GaussianLevelView& level = view.levels[i];
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(level.pitch) *
                                      static_cast<std::size_t>(level.height));
      check_cuda(
          cudaMemcpyAsync(bytes.data(), level.row(frame, 0), bytes.size(), cudaMemcpyDeviceToHost, stream),
          "copying a level");
      check_cuda(cudaStreamSynchronize(stream), "making levels");
      expect_same({bytes.data(), level.width, level.height, level.pitch}, wanted.level(i));
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(GaussianPyramidCuda, BatchesOfManySizes) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  std::mt19937 random(3);
  DeviceGaussianPyramid pyramid;
  DeviceBuffer<std::uint8_t> on_device;
  for (const Size size : {Size{640, 480}, {131, 77}, {1, 1}, {1, 300}, {299, 1}, {33, 65}, {1283, 721}}) {
    for (const int levels : {1, 2, 4, 50}) {
      constexpr int kFrames = 3;
      SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << ", " << levels << " levels");
      pyramid.plan(size, levels, kFrames);
      const std::vector<std::uint8_t> frames = make_frames(size, kFrames, Content::kNoise, random);
      on_device.reserve(frames.size());
      copy_to_device(frames, on_device, stream.get());
      pyramid.enqueue(on_device.data(), kFrames, stream.get());
      expect_pyramids(pyramid, on_device.data(), frames, size, kFrames, levels, stream.get());
      if (HasFailure()) return;
    }
  }
}

// If fewer frames than planned are halved, the levels of the other frames stay as they are.
TEST(GaussianPyramidCuda, FewerFrames) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  std::mt19937 random(4);
  constexpr Size kSize{150, 90};
  DeviceGaussianPyramid pyramid;
  pyramid.plan(kSize, 3, 4);
  DeviceBuffer<std::uint8_t> on_device;
  std::vector<std::uint8_t> frames = make_frames(kSize, 4, Content::kNoise, random);
  on_device.reserve(frames.size());
  copy_to_device(frames, on_device, stream.get());
  pyramid.enqueue(on_device.data(), 4, stream.get());
  pyramid.enqueue(on_device.data(), 0, stream.get());
  expect_pyramids(pyramid, on_device.data(), frames, kSize, 4, 3, stream.get());
  const std::vector<std::uint8_t> newer = make_frames(kSize, 2, Content::kNoise, random);
  std::memcpy(frames.data(), newer.data(), newer.size());
  copy_to_device(newer, on_device, stream.get());
  pyramid.enqueue(on_device.data(), 2, stream.get());
  expect_pyramids(pyramid, on_device.data(), frames, kSize, 4, 3, stream.get());
}

class PyramidStep final : public FrameStep {
 public:
  explicit PyramidStep(const DeviceGaussianPyramid& pyramid) : pyramid_(pyramid) {}
  void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const override {
    pyramid_.enqueue(batch.view().frames, count, stream);
  }
  std::uint64_t version() const override { return 0; }

 private:
  const DeviceGaussianPyramid& pyramid_;
};

// Frames lie as in a `FrameBatch`. From run 1 on, a graph makes the levels of new frames without allocating.
TEST(GaussianPyramidCuda, GraphAfterGraph) {
  WINNOW_NEEDS_DEVICE();
  std::mt19937 random(5);
  constexpr Size kSize{333, 251};
  constexpr int kFrames = 2, kLevels = 4;
  const FrameWish wish{};
  FrameBatch batch;
  DeviceGaussianPyramid pyramid;
  pyramid.plan(kSize, kLevels, kFrames);
  batch.add(std::make_unique<PyramidStep>(pyramid));
  batch.plan(kSize, {&wish, 1}, kFrames);
  std::int64_t allocations = 0;
  for (int run = 0; run < 10; ++run) {
    SCOPED_TRACE(testing::Message() << "run " << run);
    const std::vector<std::uint8_t> frames = make_frames(kSize, kFrames, Content::kNoise, random);
    std::vector<PictureView> pictures;
    for (int frame = 0; frame < kFrames; ++frame) pictures.emplace_back(frame_of(frames, kSize, frame));
    batch.start(pictures, {}, kFrames);
    batch.wait();
    expect_pyramids(pyramid, batch.view().frames, frames, kSize, kFrames, kLevels, batch.stream());
    if (HasFailure()) return;
    if (run == 1) allocations = cuda_allocations();
  }
  EXPECT_EQ(cuda_allocations(), allocations);
}

}  // namespace
}  // namespace winnow

#endif
