#include "faces/primitive_time_cuda.h"

#include <cstddef>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "primitives/compact_cuda.h"
#include "primitives/reduce_cuda.h"
#include "scale/frames/frame.h"
#include "scale/integral_cuda.h"

namespace bench {
using namespace winnow;

namespace {

template <class T>
void copy_back(const T* from, std::size_t count, T* to) {
  check_cuda(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost), "copying");
}

// Copies the rows of a plane to the host, without the padding of the rows.
void copy_rows(const std::uint32_t* from, std::int64_t stride, const PlaneView& to) {
  check_cuda(cudaMemcpy2D(to.data, static_cast<std::size_t>(to.stride), from,
                          static_cast<std::size_t>(stride) * sizeof(std::uint32_t),
                          static_cast<std::size_t>(to.width) * sizeof(std::uint32_t),
                          static_cast<std::size_t>(to.height), cudaMemcpyDeviceToHost),
             "copying planes");
}

}  // namespace

double time_device_sum(std::span<const std::uint32_t> values, int repeat, std::uint64_t& sum) {
  require_cuda_device(0);
  const CudaStream stream = make_stream();
  DeviceBuffer<std::uint32_t> in;
  DeviceBuffer<std::uint64_t> out(1);
  upload(values, in);
  DeviceReduce reduce;
  reduce.plan(values.size());
  const double us = median_us(repeat, stream.get(), [&] {
    reduce.enqueue_sum({in.data(), values.size()}, out.data(), stream.get());
  });
  copy_back(out.data(), 1, &sum);
  return us;
}

double time_device_compaction(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                              int repeat, std::vector<std::int64_t>& living) {
  require_cuda_device(0);
  const CudaStream stream = make_stream();
  DeviceBuffer<std::int64_t> in, out(windows.size());
  DeviceBuffer<std::uint64_t> mask_on_device, kept(1);
  upload(windows, in);
  upload(mask, mask_on_device);
  DeviceCompact compact;
  compact.plan(windows.size());
  const double us = median_us(repeat, stream.get(), [&] {
    compact.enqueue({in.data(), windows.size()}, {mask_on_device.data(), mask.size()},
                    {out.data(), windows.size()}, kept.data(), stream.get());
  });
  std::uint64_t count = 0;
  copy_back(kept.data(), 1, &count);
  living.resize(static_cast<std::size_t>(count));
  copy_back(out.data(), living.size(), living.data());
  return us;
}

double time_device_integral(GrayView picture, int repeat, const IntegralPlanes& planes) {
  require_cuda_device(0);
  const CudaStream stream = make_stream();
  const bool square = planes.square.data != nullptr;
  const std::int64_t stride = (picture.width + 1 + 31) / 32 * 32;
  const auto values = static_cast<std::size_t>(stride) * static_cast<std::size_t>(picture.height + 1);
  std::vector<std::uint8_t> staged(static_cast<std::size_t>(frame_bytes(picture.size())));
  stage_rows(picture, {0, picture.height}, staged.data());
  DeviceBuffer<std::uint8_t> pixels;
  DeviceBuffer<LevelImage> images;
  DeviceBuffer<std::uint32_t> sum(values), squares(square ? values : 1);
  upload(std::span<const std::uint8_t>(staged), pixels);
  const LevelImage image{0, picture.width, picture.height,
                         static_cast<std::int32_t>(frame_pitch(picture.width)), 1};
  upload(std::span(&image, 1), images);
  const PyramidView view{pixels.data(), nullptr, images.data(), frame_bytes(picture.size()), 0};
  const Size size = picture.size();
  const DeviceIntegral::Place place{0, stride, stride};
  DeviceIntegral integral;
  integral.plan(std::span(&size, 1), std::span(&place, 1), square);
  const double us = median_us(repeat, stream.get(),
                              [&] { integral.enqueue(view, 0, sum.data(), squares.data(), stream.get()); });
  copy_rows(sum.data(), stride, planes.sum);
  if (square) copy_rows(squares.data(), stride, planes.square);
  return us;
}

}  // namespace bench
