#include "scale/integral_cuda.h"

#include <algorithm>
#include <span>

namespace winnow {
namespace {

constexpr int kThreads = 256, kTiltedThreads = 1024;

struct PlanesJob {
  PyramidView pyramid;
  std::int32_t frame, levels, width, stride;
  const std::int64_t* first_rows;  // one more than levels
  std::uint32_t *sum, *square, *diagonals;
};

__device__ const std::uint8_t* image_row(const PlanesJob& job, const LevelImage& image, int row) {
  const std::uint8_t* pixels = image.same != 0
                                   ? job.pyramid.frames + job.frame * job.pyramid.frame_bytes
                                   : job.pyramid.levels + job.frame * job.pyramid.level_bytes + image.offset;
  return pixels + static_cast<std::int64_t>(row) * image.pitch;
}

// A warp a row: running sums along it.
__global__ void __launch_bounds__(kThreads) rows_kernel(const __grid_constant__ PlanesJob job) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (row >= job.first_rows[job.levels]) return;
  int level = 0;
  while (job.first_rows[level + 1] <= row) ++level;
  const LevelImage& image = job.pyramid.images[level];
  const auto y = static_cast<int>(row - job.first_rows[level]);  // row of the planes
  std::uint32_t* sum = job.sum + row * job.stride;
  std::uint32_t* square = job.square != nullptr ? job.square + row * job.stride : nullptr;
  std::uint32_t sum_before = 0, square_before = 0;
  for (int first = 0; first <= image.width; first += 32) {
    const int x = first + lane;  // column of the planes
    std::uint32_t p = y > 0 && x > 0 && x <= image.width ? image_row(job, image, y - 1)[x - 1] : 0, q = p * p;
    for (int step = 1; step < 32; step *= 2) {
      const std::uint32_t left = __shfl_up_sync(~0u, p, step), left_square = __shfl_up_sync(~0u, q, step);
      if (lane >= step) {
        p += left;
        q += left_square;
      }
    }
    if (x <= image.width) {
      sum[x] = sum_before + p;
      if (square != nullptr) square[x] = square_before + q;
    }
    sum_before += __shfl_sync(~0u, p, 31);
    square_before += __shfl_sync(~0u, q, 31);
  }
}

// A thread a column: adds each row to the next.
__global__ void __launch_bounds__(kThreads) columns_kernel(const __grid_constant__ PlanesJob job) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), level = static_cast<int>(blockIdx.y);
  const LevelImage& image = job.pyramid.images[level];
  if (x > image.width) return;
  for (std::uint32_t* plane : {job.sum, job.square}) {
    if (plane == nullptr) continue;
    std::uint32_t* at = plane + job.first_rows[level] * job.stride + x;
    std::uint32_t above = 0;
#pragma unroll 4
    for (int y = 0; y <= image.height; ++y, at += job.stride) *at = above += *at;
  }
}

// A block a level, row by row: what a row adds to the triangles lies on the two diagonals that end in it.
__global__ void __launch_bounds__(kTiltedThreads) tilted_kernel(const __grid_constant__ PlanesJob job) {
  const int level = static_cast<int>(blockIdx.x);
  const LevelImage& image = job.pyramid.images[level];
  std::uint32_t* plane = job.sum + job.first_rows[level] * job.stride + job.width;
  std::uint32_t* diagonals = job.diagonals + static_cast<std::int64_t>(level) * 4 * job.width;
  std::uint32_t* left[2] = {diagonals, diagonals + job.width};
  std::uint32_t* right[2] = {diagonals + 2 * job.width, diagonals + 3 * job.width};
  for (int x = static_cast<int>(threadIdx.x); x <= image.width; x += kTiltedThreads)
    left[0][x] = right[0][x] = plane[x] = 0;
  for (int y = 0; y < image.height; ++y) {
    __syncthreads();
    const std::uint8_t* pixels = image_row(job, image, y);
    const std::uint32_t *old_left = left[y & 1], *old_right = right[y & 1];
    std::uint32_t *new_left = left[y & 1 ^ 1], *new_right = right[y & 1 ^ 1];
    for (int x = static_cast<int>(threadIdx.x); x <= image.width; x += kTiltedThreads) {
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
  with_square_ = square;
  with_tilted_ = tilted;
  levels_ = static_cast<std::int32_t>(plan.levels.size());
  width_ = 0;
  rows_ = 0;
  first_rows_.clear();
  for (const Level& level : plan.levels) {
    first_rows_.push_back(rows_);
    rows_ += level.height + 1;
    width_ = std::max(width_, level.width + 1);
  }
  first_rows_.push_back(rows_);
  stride_ = width_ * (tilted ? 2 : 1);
  upload(std::span<const std::int64_t>(first_rows_), first_rows_on_device_);
  const auto values = static_cast<std::size_t>(rows_ * stride_);
  sum_.reserve(values);
  if (square) square_.reserve(values);
  if (tilted) diagonals_.reserve(static_cast<std::size_t>(levels_) * 4 * static_cast<std::size_t>(width_));
}

void LevelPlanes::enqueue(const PyramidView& pyramid, int frame, cudaStream_t stream) const {
  if (levels_ == 0) return;
  const PlanesJob job{pyramid,          frame,
                      levels_,          width_,
                      stride_,          first_rows_on_device_.data(),
                      sum_.data(),      with_square_ ? square_.data() : nullptr,
                      diagonals_.data()};
  constexpr int kRows = kThreads / 32;
  rows_kernel<<<static_cast<unsigned>((rows_ + kRows - 1) / kRows), kThreads, 0, stream>>>(job);
  const auto columns = static_cast<unsigned>((width_ + kThreads - 1) / kThreads);
  columns_kernel<<<dim3(columns, static_cast<unsigned>(levels_)), kThreads, 0, stream>>>(job);
  if (with_tilted_) tilted_kernel<<<static_cast<unsigned>(levels_), kTiltedThreads, 0, stream>>>(job);
  check_launch("launching the planes' kernels");
}

}  // namespace winnow
