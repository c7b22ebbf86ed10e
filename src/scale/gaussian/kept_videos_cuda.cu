#include "scale/gaussian/kept_videos_cuda.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/device/cuda_device.h"
#include "scale/frames/frame.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 64;  // blocks of threads for one frame

struct KeepJob {
  GaussianPyramidView from, to;
  const std::int32_t* places;  // null: frame i is kept at place i
};

// Each row of the grid copies all levels of one frame. Every level begins at a multiple of 16 bytes.
__global__ void __launch_bounds__(kThreads) keep_kernel(const __grid_constant__ KeepJob job) {
  const std::int64_t frame = blockIdx.y, place = job.places != nullptr ? job.places[frame] : frame;
  const auto first = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  for (int level = 0; level < job.from.count; ++level) {
    const GaussianLevelView &a = job.from.levels[level], &b = job.to.levels[level];
    const auto* const from = reinterpret_cast<const uint4*>(a.first + frame * a.frame_bytes);
    auto* const to = reinterpret_cast<uint4*>(const_cast<std::uint8_t*>(b.first) + place * b.frame_bytes);
    const std::int64_t pieces = a.frame_bytes / 16;
    for (std::int64_t i = first; i < pieces; i += static_cast<std::int64_t>(gridDim.x) * kThreads)
      to[i] = from[i];
  }
}

void keep(const KeepJob& job, int count, cudaStream_t stream) {
  const std::int64_t pieces = job.from.levels[0].frame_bytes / 16;
  const auto blocks = std::clamp<std::int64_t>((pieces + kThreads - 1) / kThreads, 1, kMostBlocks);
  keep_kernel<<<dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(count)), kThreads, 0, stream>>>(
      job);
  check_launch("launching the kernel that keeps frames");
}

// A version is unique in this process. So an object at the address of a destroyed one has other versions.
std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

void DeviceKeptVideos::plan(int places, cudaStream_t stream) {
  if (places <= places_) return;
  DeviceBuffer<std::uint8_t> frames(static_cast<std::size_t>(frame_bytes(picture_) * places));
  DeviceGaussianPyramid pyramid;
  pyramid.plan(picture_, levels_, places);
  if (places_ > 0) keep({view(), pyramid.view(frames.data()), nullptr}, places_, stream);
  check_cuda(cudaStreamSynchronize(stream), "moving kept frames");
  frames_ = std::move(frames);
  pyramid_ = std::move(pyramid);
  places_ = places;
  version_ = next_version();
}

void DeviceKeptVideos::enqueue(const GaussianPyramidView& from, const std::int32_t* places, int count,
                               cudaStream_t stream) const {
  keep({from, view(), places}, count, stream);
}

}  // namespace winnow
