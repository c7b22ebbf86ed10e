#include "scale/level_planes_cuda.h"

#include <algorithm>
#include <span>
#include <vector>

namespace winnow {
namespace {

constexpr int kThreads = 1024;

struct TiltedJob {
  PyramidView pyramid;
  std::int32_t frame, width, stride;
  const std::int64_t* first_rows;
  std::uint32_t *sum, *diagonals;
};

// One block of threads makes the tilted sums of a level, row by row. The rule is that of integral_ref.cpp: a
// sum is the sum one row higher plus the two diagonals that end in the new pixel, minus that pixel.
__global__ void __launch_bounds__(kThreads) tilted_kernel(const __grid_constant__ TiltedJob job) {
  const int level = static_cast<int>(blockIdx.x);
  const LevelImage& image = job.pyramid.images[level];
  std::uint32_t* plane = job.sum + job.first_rows[level] * job.stride + job.width;
  std::uint32_t* diagonals = job.diagonals + static_cast<std::int64_t>(level) * 4 * job.width;
  std::uint32_t* left[2] = {diagonals, diagonals + job.width};
  std::uint32_t* right[2] = {diagonals + 2 * job.width, diagonals + 3 * job.width};
  for (int x = static_cast<int>(threadIdx.x); x <= image.width; x += kThreads)
    left[0][x] = right[0][x] = plane[x] = 0;
  for (int y = 0; y < image.height; ++y) {
    __syncthreads();
    const std::uint8_t* pixels =
        job.pyramid.pixels(job.frame, image) + static_cast<std::int64_t>(y) * image.pitch;
    const std::uint32_t *old_left = left[y & 1], *old_right = right[y & 1];
    std::uint32_t *new_left = left[y & 1 ^ 1], *new_right = right[y & 1 ^ 1];
    for (int x = static_cast<int>(threadIdx.x); x <= image.width; x += kThreads) {
      const std::uint32_t p = x > 0 ? pixels[x - 1] : 0;
      const std::uint32_t l = p + (x > 0 ? old_left[x - 1] : 0);
      const std::uint32_t r = p + (x < image.width ? old_right[x + 1] : 0);
      new_left[x] = l;
      new_right[x] = r;
      plane[static_cast<std::int64_t>(y + 1) * job.stride + x] =
          plane[static_cast<std::int64_t>(y) * job.stride + x] + l + r - p;
    }
  }
}

}  // namespace

void LevelPlanes::plan(const LevelPlan& plan, bool square, bool tilted) {
  with_tilted_ = tilted;
  levels_ = static_cast<std::int32_t>(plan.levels.size());
  width_ = 0;
  first_rows_.assign(1, 0);
  std::vector<Size> sizes;
  for (const Level& level : plan.levels) {
    sizes.push_back({level.width, level.height});
    first_rows_.push_back(first_rows_.back() + level.height + 1);
    width_ = std::max(width_, level.width + 1);
  }
  constexpr int kFloor = 128 / sizeof(std::uint32_t);
  width_ = (width_ + kFloor - 1) / kFloor * kFloor;  // so no cache line of 128 bytes belongs to two rows
  stride_ = width_ * (tilted ? 2 : 1);
  upload(std::span<const std::int64_t>(first_rows_), first_rows_on_device_);
  std::vector<DeviceIntegral::Place> places;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    places.push_back({first_rows_[i] * stride_, stride_, width_});
  integral_.plan(sizes, places, square);
  const auto values = static_cast<std::size_t>(first_rows_.back() * stride_);
  sum_.reserve(values);
  if (square) square_.reserve(values);
  if (tilted) diagonals_.reserve(static_cast<std::size_t>(levels_) * 4 * static_cast<std::size_t>(width_));
}

void LevelPlanes::enqueue(const PyramidView& pyramid, int frame, cudaStream_t stream) const {
  integral_.enqueue(pyramid, frame, sum_.data(), square_.data(), stream);
  if (!with_tilted_ || levels_ == 0) return;
  const TiltedJob job{pyramid,          frame, width_, stride_, first_rows_on_device_.data(), sum_.data(),
                      diagonals_.data()};
  tilted_kernel<<<static_cast<unsigned>(levels_), kThreads, 0, stream>>>(job);
  check_launch("launching the tilted sums");
}

}  // namespace winnow
