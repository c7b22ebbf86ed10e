// Compares integral planes of levels on a device with the reference.
#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "base/device/device_for_test.h"
#include "scale/integral.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/level_planes_cuda.h"

namespace winnow {
namespace {

// Makes planes with tilted sums for all levels of a frame. The frame itself is the largest level.
TEST(LevelPlanesCuda, OfFrames) {
  WINNOW_NEEDS_DEVICE();
  const Size size{333, 251};
  const std::int64_t pitch = frame_pitch(size.width);
  constexpr int kFrames = 3;
  LevelPlan plan;
  for (const Size level : {size, Size{300, 200}, Size{128, 128}, Size{21, 20}}) {
    Level l;
    l.width = level.width;
    l.height = level.height;
    plan.levels.push_back(l);
  }
  std::mt19937 random(1);
  std::vector<std::uint8_t> frames(static_cast<std::size_t>(frame_bytes(size)) * kFrames);
  for (std::uint8_t& p : frames) p = static_cast<std::uint8_t>(random() >> 8);
  std::vector<LevelImage> images;
  std::int64_t level_bytes = 0;
  for (const Level& level : plan.levels) {
    const bool same = images.empty();
    images.push_back({same ? 0 : level_bytes, level.width, level.height,
                      static_cast<std::int32_t>(frame_pitch(level.width)), same});
    if (!same) level_bytes += frame_pitch(level.width) * level.height;
  }
  std::vector<std::uint8_t> levels(static_cast<std::size_t>(level_bytes) * kFrames);
  for (std::uint8_t& p : levels) p = static_cast<std::uint8_t>(random() >> 8);
  DeviceBuffer<std::uint8_t> frames_on_device, levels_on_device;
  DeviceBuffer<LevelImage> images_on_device;
  upload(std::span<const std::uint8_t>(frames), frames_on_device);
  upload(std::span<const std::uint8_t>(levels), levels_on_device);
  upload(std::span<const LevelImage>(images), images_on_device);
  const PyramidView view{frames_on_device.data(), levels_on_device.data(), images_on_device.data(),
                         frame_bytes(size), level_bytes};
  const PyramidView here{frames.data(), levels.data(), images.data(), view.frame_bytes, view.level_bytes};
  const CudaStream stream = make_stream();
  for (const bool square : {true, false}) {
    for (const bool tilted : {false, true}) {
      LevelPlanes planes;
      planes.plan(plan, square, tilted);
      const auto values = static_cast<std::size_t>(planes.first_row(plan.levels.size()) * planes.stride());
      std::vector<std::uint32_t> sums(values), squares(values);
      for (int frame = 0; frame < kFrames; ++frame) {
        planes.enqueue(view, frame, stream.get());
        check_cuda(
            cudaMemcpyAsync(sums.data(), planes.sum(), values * 4, cudaMemcpyDeviceToHost, stream.get()),
            "copying planes");
        if (square)
          check_cuda(cudaMemcpyAsync(squares.data(), planes.square(), values * 4, cudaMemcpyDeviceToHost,
                                     stream.get()),
                     "copying planes");
        check_cuda(cudaStreamSynchronize(stream.get()), "integral planes");
        for (std::size_t i = 0; i < images.size(); ++i) {
          const LevelImage& image = images[i];
          const std::uint8_t* from = here.pixels(frame, image);
          const std::size_t columns = static_cast<std::size_t>(image.width) + 1;
          const std::size_t rows = static_cast<std::size_t>(image.height) + 1;
          std::vector<std::uint32_t> wanted[3];
          const auto plane = [&](int k) {
            wanted[k].resize(columns * rows);
            return PlaneView{wanted[k].data(), image.width + 1, image.height + 1,
                             static_cast<std::ptrdiff_t>(columns * 4)};
          };
          integral_ref({from, image.width, image.height, image.same != 0 ? pitch : image.pitch},
                       {plane(0), plane(1), plane(2)});
          const auto check = [&](const char* name, const std::vector<std::uint32_t>& got, std::int32_t shift,
                                 const std::vector<std::uint32_t>& plane_wanted) {
            for (std::size_t y = 0; y < rows; ++y) {
              for (std::size_t x = 0; x < columns; ++x) {
                const auto at = static_cast<std::size_t>(
                    (planes.first_row(i) + static_cast<std::int64_t>(y)) * planes.stride() + shift);
                ASSERT_EQ(got[at + x], plane_wanted[y * columns + x])
                    << name << " of frame " << frame << ", level " << i << ", at " << x << ", " << y;
              }
            }
          };
          check("sum", sums, 0, wanted[0]);
          if (square) check("square", squares, 0, wanted[1]);
          if (tilted) check("tilted", sums, planes.tilted_at(), wanted[2]);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace winnow

#endif
