#include <algorithm>
#include <span>

#include "scale/pyramid_cuda.h"
#include "scale/resize_rule.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;
constexpr int kWeightBits = 9;  // 0..256

// A thread a tap, a row of blocks a list. Those beyond the last column are the last. (On the host 12,000 taps
// of a picture take as long as a device takes to search it.)
__global__ void __launch_bounds__(kThreads)
    taps_kernel(const DevicePyramid::TapList* lists, std::uint32_t* taps) {
  const DevicePyramid::TapList list = lists[blockIdx.y];
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= list.count) return;
  const ResizeTap tap =
      resize_tap(min(static_cast<int>(i), list.target_size - 1), list.source_size, list.target_size);
  taps[list.first + i] =
      static_cast<std::uint32_t>(tap.offset) << kWeightBits | static_cast<std::uint32_t>(tap.weight);
}

__device__ int weight_of(std::uint32_t tap) { return static_cast<int>(tap & ((1u << kWeightBits) - 1)); }
__device__ std::uint32_t offset_of(std::uint32_t tap) { return tap >> kWeightBits; }

// A thread makes four pixels of a row. `job_of`: whose share each block is; blocks are numbered from
// `first_block` on.
__global__ void __launch_bounds__(kThreads)
    pyramid_kernel(const std::uint8_t* frames, std::int64_t frame_bytes, int frame_pitch,
                   std::uint8_t* levels, std::int64_t level_bytes, const DevicePyramid::Job* jobs,
                   const std::uint16_t* job_of, const std::uint32_t* taps, std::uint32_t first_block) {
  const std::uint32_t block = first_block + blockIdx.x;
  const DevicePyramid::Job job = jobs[job_of[block]];
  const std::uint32_t unit = (block - job.first_block) * kThreads + threadIdx.x;
  const std::uint32_t in_rows = unit / job.quads, quad = unit - in_rows * job.quads;
  const std::uint32_t row = in_rows + static_cast<std::uint32_t>(job.rows.first);
  if (row >= static_cast<std::uint32_t>(job.rows.last)) return;
  const std::uint32_t down = taps[job.down + row];
  const int weight = weight_of(down);
  const std::uint8_t* top =
      frames + blockIdx.y * frame_bytes + static_cast<std::int64_t>(offset_of(down)) * frame_pitch;
  const std::uint8_t* bottom = weight > 0 ? top + frame_pitch : top;
  const uint4 four = *reinterpret_cast<const uint4*>(taps + job.across + quad * 4);
  const std::uint32_t across[4] = {four.x, four.y, four.z, four.w};
  std::uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t left = offset_of(across[i]), right = left + (weight_of(across[i]) > 0 ? 1 : 0);
    const std::uint32_t pixel =
        resize_down(resize_across(top[left], top[right], weight_of(across[i])),
                    resize_across(bottom[left], bottom[right], weight_of(across[i])), weight);
    word |= pixel << (8 * i);
  }
  *reinterpret_cast<std::uint32_t*>(levels + blockIdx.y * level_bytes + job.image.offset +
                                    static_cast<std::int64_t>(row) * job.image.pitch + quad * 4) = word;
}

}  // namespace

void DevicePyramid::plan(Size picture, const LevelPlan& plan, int batch, std::span<const Wave> waves) {
  std::vector<LevelImage> images;
  std::vector<TapList> lists;
  std::uint32_t taps = 0, longest = 0;
  const auto add_list = [&](int source_size, int target_size, std::uint32_t count) {
    lists.push_back({taps, count, source_size, target_size});
    longest = std::max(longest, count);
    taps += (count + 3) / 4 * 4;
    return lists.back().first;
  };
  struct Taps {
    std::uint32_t across, down;
  };
  std::vector<Taps> taps_of;
  frame_pitch_ = static_cast<std::int32_t>(frame_pitch(picture.width));
  frame_bytes_ = winnow::frame_bytes(picture);
  level_bytes_ = 0;
  for (const Level& level : plan.levels) {
    const bool same = level.width == picture.width && level.height == picture.height;
    images.push_back(
        {same ? 0 : level_bytes_, level.width, 0, static_cast<std::int32_t>(frame_pitch(level.width)), same});
    taps_of.push_back({});
    if (same) continue;
    // Four columns at a time are read.
    const auto columns = static_cast<std::uint32_t>((level.width + 3) / 4 * 4);
    taps_of.back() = {add_list(picture.width, level.width, columns),
                      add_list(picture.height, level.height, static_cast<std::uint32_t>(level.height))};
    level_bytes_ += std::int64_t{images.back().pitch} * level.height;
  }
  const Wave all = whole_levels(plan, [](const Level& level) { return level.height; });
  if (waves.empty()) waves = {&all, 1};
  for (const Wave& wave : waves) {
    for (const auto& [level, rows] : wave) {
      LevelImage& image = images[static_cast<std::size_t>(level)];
      image.height = std::max(image.height, rows.last);
    }
  }
  std::vector<Job> jobs;
  std::vector<std::uint16_t> job_of;
  blocks_.clear();
  for (const Wave& wave : waves) {
    for (const auto& [level, rows] : wave) {
      const LevelImage& image = images[static_cast<std::size_t>(level)];
      if (image.same) continue;
      const Taps& of = taps_of[static_cast<std::size_t>(level)];
      const auto quads = static_cast<std::uint32_t>((image.width + 3) / 4);
      const auto number = static_cast<std::uint16_t>(jobs.size());
      jobs.push_back({image, rows, static_cast<std::uint32_t>(job_of.size()), quads, of.across, of.down});
      const std::int64_t units = std::int64_t{quads} * (rows.last - rows.first);
      job_of.resize(job_of.size() + static_cast<std::size_t>((units + kThreads - 1) / kThreads), number);
    }
    blocks_.end_wave(job_of.size());
  }
  upload(std::span<const LevelImage>(images), images_);
  upload(std::span<const Job>(jobs), jobs_);
  upload(std::span<const std::uint16_t>(job_of), job_of_);
  levels_.reserve(static_cast<std::size_t>(level_bytes_ * batch));
  if (lists.empty()) return;
  upload(std::span<const TapList>(lists), tap_lists_);
  taps_.reserve(taps);
  taps_kernel<<<dim3((longest + kThreads - 1) / kThreads, static_cast<unsigned>(lists.size())), kThreads, 0,
                cudaStreamLegacy>>>(tap_lists_.data(), taps_.data());
  check_launch("the taps' kernel");
  check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "finding taps");
}

void DevicePyramid::enqueue(const std::uint8_t* frames, int batch, cudaStream_t stream, int wave) const {
  const WaveItems blocks = blocks_.of(wave);
  if (blocks.count == 0 || batch == 0) return;
  pyramid_kernel<<<dim3(blocks.count, static_cast<unsigned>(batch)), kThreads, 0, stream>>>(
      frames, frame_bytes_, frame_pitch_, levels_.data(), level_bytes_, jobs_.data(), job_of_.data(),
      taps_.data(), blocks.first);
  check_launch("the pyramid's kernel");
}

}  // namespace winnow
