#include <algorithm>
#include <span>

#include "base/device/cuda_uploads.h"
#include "scale/pyramid_cuda.h"
#include "scale/resize_rule.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;
constexpr int kWeightBits = 9;           // a weight is 0..256
constexpr int kRows = 16, kColumns = 2;  // rows and columns that a lane makes

// One thread finds one tap, and each row of the grid takes one list. Taps beyond the last column
// repeat the last column's tap. On the host, finding the 12,000 taps of a picture takes as long as a device's
// search of the picture.
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

// A warp makes kRows rows of 32 * kColumns columns; a block's warps lie one below the other. So lanes read
// neighbouring pixels, and the lower source row of one row is mostly the upper source row of the next. Blocks
// of threads are numbered from `first_block` on.
__global__ void __launch_bounds__(kThreads)
    pyramid_kernel(const std::uint8_t* frames, std::int64_t frame_bytes, int frame_pitch,
                   std::uint8_t* levels, std::int64_t level_bytes, const DevicePyramid::Job* jobs,
                   const DevicePyramid::Place* places, const std::uint32_t* taps, std::uint32_t first_block) {
  const DevicePyramid::Place place = places[first_block + blockIdx.x];
  const DevicePyramid::Job& job = jobs[place.job];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int last_row = job.rows.last,
            first_row = place.first_row + static_cast<int>(threadIdx.x / 32) * kRows;
  if (first_row >= last_row) return;
  // Each row is made up to a multiple of 4 columns, since readers load whole words. Lanes beyond the last of
  // these columns repeat that column.
  const int last_column = (job.image.width + 3) / 4 * 4 - 1, pitch = job.image.pitch;
  const std::uint8_t* from[kColumns];
  std::uint8_t* to[kColumns];
  std::uint32_t across[kColumns], below[kColumns];
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    const int column = min(place.first_column + 32 * c + lane, last_column);
    const std::uint32_t tap = taps[job.across + static_cast<std::uint32_t>(column)];
    // A right pixel with weight 0 may lie beyond the row. So a pair with this weight begins one pixel
    // earlier, and its right pixel has the whole weight.
    const std::uint32_t offset = offset_of(tap);
    const bool alone = weight_of(tap) == 0 && offset > 0;
    across[c] = alone ? 256 : static_cast<std::uint32_t>(weight_of(tap));
    from[c] = frames + blockIdx.y * frame_bytes + offset - (alone ? 1 : 0);
    to[c] = levels + blockIdx.y * level_bytes + job.image.offset +
            static_cast<std::int64_t>(first_row) * pitch + column;
  }
  const std::uint32_t row_tap =
      taps[job.down + static_cast<std::uint32_t>(min(first_row + lane % kRows, last_row - 1))];
  const auto find_row = [&](std::uint32_t row, std::uint32_t(&values)[kColumns]) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const std::uint8_t* at =
          from[c] + static_cast<std::uint64_t>(row) * static_cast<std::uint32_t>(frame_pitch);
      values[c] = resize_across(at[0], at[1], static_cast<int>(across[c]));
    }
  };
  std::uint32_t below_row = ~0u;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (first_row + i >= last_row) return;
    const std::uint32_t down = __shfl_sync(~0u, row_tap, i), row = offset_of(down);
    const int weight = weight_of(down);
    std::uint32_t above[kColumns];
    if (row == below_row) {
#pragma unroll
      for (int c = 0; c < kColumns; ++c) above[c] = below[c];
    } else {
      find_row(row, above);
    }
    below_row = weight > 0 ? row + 1 : row;
    find_row(below_row, below);
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      *to[c] = resize_down(above[c], below[c], weight);
      to[c] += pitch;
    }
  }
}

}  // namespace

void DevicePyramid::plan(Size picture, std::span<const LevelPlan* const> plans, int batch,
                         std::span<const Wave> waves) {
  struct Made {
    LevelImage image;
    int height;
    std::uint32_t across, down;  // index of the first column's tap, and of the first row's tap
  };
  std::vector<Made> made;
  std::vector<std::size_t> number_of;  // the index in `made` of each level of each plan
  std::vector<TapList> lists;
  std::uint32_t taps = 0, longest = 0;
  const auto add_list = [&](int source_size, int target_size, std::uint32_t count) {
    lists.push_back({taps, count, source_size, target_size});
    longest = std::max(longest, count);
    taps += (count + 3) / 4 * 4;
    return lists.back().first;
  };
  frame_pitch_ = static_cast<std::int32_t>(frame_pitch(picture.width));
  frame_bytes_ = winnow::frame_bytes(picture);
  level_bytes_ = 0;
  first_image_.clear();
  for (const LevelPlan* plan : plans) {
    first_image_.push_back(number_of.size());
    for (const Level& level : plan->levels) {
      const auto twin = std::find_if(made.begin(), made.end(), [&](const Made& other) {
        return other.image.width == level.width && other.height == level.height;
      });
      // With waves there is one plan, and waves name its levels by number, so every level is made.
      if (twin != made.end() && waves.empty()) {
        number_of.push_back(static_cast<std::size_t>(twin - made.begin()));
        continue;
      }
      number_of.push_back(made.size());
      const bool same = level.width == picture.width && level.height == picture.height;
      Made next{{same ? 0 : level_bytes_, level.width, 0, static_cast<std::int32_t>(frame_pitch(level.width)),
                 same},
                level.height,
                0,
                0};
      if (!same) {
        const auto columns = static_cast<std::uint32_t>((level.width + 3) / 4 * 4);
        next.across = add_list(picture.width, level.width, columns);
        next.down = add_list(picture.height, level.height, static_cast<std::uint32_t>(level.height));
        level_bytes_ += std::int64_t{next.image.pitch} * level.height;
      }
      made.push_back(next);
    }
  }
  Wave all;
  for (const Made& level : made) all.push_back({static_cast<int>(all.size()), {0, level.height}});
  if (waves.empty()) waves = {&all, 1};
  for (const Wave& wave : waves) {
    for (const auto& [level, rows] : wave) {
      LevelImage& image = made[static_cast<std::size_t>(level)].image;
      image.height = std::max(image.height, rows.last);
    }
  }
  std::vector<LevelImage> images;
  for (const std::size_t number : number_of) images.push_back(made[number].image);
  std::vector<Job> jobs;
  std::vector<Place> places;
  blocks_.clear();
  for (const Wave& wave : waves) {
    for (const auto& [level, rows] : wave) {
      const Made& of = made[static_cast<std::size_t>(level)];
      const LevelImage& image = of.image;
      if (image.same) continue;
      const auto number = static_cast<std::int32_t>(jobs.size());
      jobs.push_back({image, rows, of.across, of.down});
      for (int row = rows.first; row < rows.last; row += kRows * (kThreads / 32)) {
        for (int column = 0; column < image.width; column += 32 * kColumns)
          places.push_back({number, column, row});
      }
    }
    blocks_.end_wave(places.size());
  }
  upload(std::span<const LevelImage>(images), images_);
  upload(std::span<const Job>(jobs), jobs_);
  upload(std::span<const Place>(places), places_);
  levels_.reserve(static_cast<std::size_t>(level_bytes_ * batch));
  if (lists.empty()) return;
  upload(std::span<const TapList>(lists), tap_lists_);
  taps_.reserve(taps);
  taps_kernel<<<dim3((longest + kThreads - 1) / kThreads, static_cast<unsigned>(lists.size())), kThreads, 0,
                upload_stream()>>>(tap_lists_.data(), taps_.data());
  check_launch("the taps' kernel");
  end_uploads("finding taps");
}

void DevicePyramid::enqueue(const std::uint8_t* frames, int batch, cudaStream_t stream, int wave) const {
  const WaveItems blocks = blocks_.of(wave);
  if (blocks.count == 0 || batch == 0) return;
  pyramid_kernel<<<dim3(blocks.count, static_cast<unsigned>(batch)), kThreads, 0, stream>>>(
      frames, frame_bytes_, frame_pitch_, levels_.data(), level_bytes_, jobs_.data(), places_.data(),
      taps_.data(), blocks.first);
  check_launch("the pyramid's kernel");
}

}  // namespace winnow
