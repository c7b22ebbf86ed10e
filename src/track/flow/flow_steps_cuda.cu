// Carries points on a device, as track/flow/flow_steps_cuda.h declares; its opening comment holds here.
//
// All threads of a block search together, and each has the same sums. Each thread holds some of the window's
// pixels in registers: the earlier picture's patch and slopes, and four neighbours in the later picture.
// Pixels come through shared memory. Pixels outside of a picture are mirrored there.
#include <cuda_runtime.h>

#include "base/device/cuda_device.h"
#include "base/device/warp_cuda.cuh"
#include "track/flow/flow_steps_cuda.h"
#include "track/flow/flow_walk.h"

namespace winnow {
namespace {

constexpr int kMargin = 3;  // pixels copied around a window of the later picture; short steps stay inside
constexpr int kFirstSide = kMostFlowWindow + 3, kWholeSide = kMostFlowWindow + 1,
              kTileSide = kMostFlowWindow + 1 + 2 * kMargin;
constexpr int kMostLevels = 16;
constexpr int kMostSums = 6;
constexpr int kLanes = 32;  // of a warp
constexpr int kRowsAtOnce = 4;

// A level of both pictures.
struct FlowLevel {
  const std::uint8_t* pixels[2];
  std::int64_t frame_bytes[2];
  std::int32_t pitch[2];
  std::int32_t width, height;
};

struct FlowWork {
  FlowLevel levels[kMostLevels];
  std::int32_t level_count;
  FlowRules rules;
  DeviceFlowLists points;
  FlowResult* results;
};

template <int kWarps>
struct FlowShared {
  std::uint32_t
      whole[kWholeSide * kWholeSide];  // slopes of whole pixels: x in the lower half, y in the upper
  std::uint8_t first[kFirstSide * kFirstSide];
  std::uint8_t tile[kTileSide * kTileSide];
  std::int64_t sums[2][kMostSums][kWarps];
};

// Twin of `flow_mean<kFlowPatchShift>`. `quad`: the four neighbours in the order of the weights.
__device__ std::int32_t patch_of(std::uint32_t quad, std::uint32_t top, std::uint32_t bottom) {
  std::int32_t sum = 1 << (kFlowPatchShift - 1);
  asm("dp2a.lo.s32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(top), "r"(quad));
  asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(bottom), "r"(quad));
  return sum >> kFlowPatchShift;
}
__device__ std::uint32_t pair_of(std::int32_t lower, std::int32_t upper) {
  return (static_cast<std::uint32_t>(lower) & 0xFFFF) | static_cast<std::uint32_t>(upper) << 16;
}
__device__ std::int32_t lower_of(std::uint32_t pair) { return static_cast<std::int16_t>(pair & 0xFFFF); }
__device__ std::int32_t upper_of(std::uint32_t pair) { return static_cast<std::int32_t>(pair) >> 16; }

__device__ int lane_number() { return static_cast<int>(threadIdx.x) % kLanes; }
__device__ int warp_number() { return static_cast<int>(threadIdx.x) / kLanes; }

struct PixelRows {
  const std::uint8_t* first;
  std::int32_t pitch, width, height;
};

// Copies a block of pixels of a picture. The rows of the copy follow one another without a gap. A lane takes
// a column, and loads several rows before it stores any.
template <int kWarps>
__device__ void copy_block(const PixelRows& from, const Box& block, std::uint8_t* to) {
  for (int column = lane_number(); column < block.width; column += kLanes) {
    const std::uint8_t* const top = from.first + mirrored(block.x + column, from.width);
    for (int first = warp_number(); first < block.height; first += kRowsAtOnce * kWarps) {
      std::uint8_t values[kRowsAtOnce];
#pragma unroll
      for (int k = 0; k < kRowsAtOnce; ++k) {
        const int row = min(first + k * kWarps, block.height - 1);
        values[k] = top[static_cast<std::int64_t>(mirrored(block.y + row, from.height)) * from.pitch];
      }
#pragma unroll
      for (int k = 0; k < kRowsAtOnce; ++k)
        if (first + k * kWarps < block.height) to[(first + k * kWarps) * block.width + column] = values[k];
    }
  }
}

// The windows of a block of kWarps warps. Thread t has pixels t, t + threads, ... of the window, kSlots at
// most. `kOwnNcc`: `ncc` may have a window of its own. Kernels without that code need fewer registers.
template <int kWarps, int kSlots, bool kOwnNcc>
class BlockWindows {
 public:
  static constexpr int kThreads = kLanes * kWarps;

  __device__ BlockWindows(const FlowWork& work, int frame_before, int frame_now, FlowShared<kWarps>& shared)
      : work_(work),
        shared_(shared),
        frame_before_(frame_before),
        frame_now_(frame_now),
        area_(work.rules.width * work.rules.height) {
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      const int i = static_cast<int>(threadIdx.x) + slot * kThreads, y = i / work.rules.width;
      places_[slot] = i < area_ ? pair_of(i - y * work.rules.width, y) : 0;
    }
  }

  __device__ int levels() const { return work_.level_count; }
  __device__ int width(int level) const { return work_.levels[level].width; }
  __device__ int height(int level) const { return work_.levels[level].height; }
  __device__ void turn() { before_ = 1 - before_; }

  __device__ FlowSums open(int level, const FlowCorner& at) {
    const int columns = work_.rules.width + 3;
    wait();
    copy(level, before_, at.x - 1, at.y - 1, columns, work_.rules.height + 3, shared_.first);
    has_tile_ = has_quads_ = false;
    wait();
    make_slopes(level, at);
    wait();
    const std::uint32_t top = pair_of(at.weight[0], at.weight[1]),
                        bottom = pair_of(at.weight[2], at.weight[3]);
    const int whole = work_.rules.width + 1;
    std::int32_t sums[3] = {};
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      patch_[slot] = 0;
      slopes_[slot] = 0;
      if (!has_pixel(slot)) continue;
      const int x = lower_of(places_[slot]), y = upper_of(places_[slot]);
      patch_[slot] = patch_of(quad(shared_.first + (y + 1) * columns + x + 1, columns), top, bottom);
      const std::uint32_t* const from = shared_.whole + y * whole + x;
      const std::uint32_t a = from[0], b = from[1], c = from[whole], d = from[whole + 1];
      const std::int32_t slope_x = flow_mean<kFlowSlopeShift>(at.weight, lower_of(a), lower_of(b),
                                                              lower_of(c), lower_of(d)),
                         slope_y = flow_mean<kFlowSlopeShift>(at.weight, upper_of(a), upper_of(b),
                                                              upper_of(c), upper_of(d));
      slopes_[slot] = pair_of(slope_x, slope_y);
      sums[0] += slope_x * slope_x;
      sums[1] += slope_x * slope_y;
      sums[2] += slope_y * slope_y;
    }
    std::int64_t all[3];
    add_up(sums, all);
    return {all[0], all[1], all[2]};
  }

  __device__ FlowPull pull(int level, const FlowCorner& at) {
    read_quads(level, at);
    const std::uint32_t top = pair_of(at.weight[0], at.weight[1]),
                        bottom = pair_of(at.weight[2], at.weight[3]);
    std::int32_t sums[2] = {};
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      // A slot without a pixel has the neighbours of pixel 0, and slopes of 0.
      const std::int32_t difference = patch_of(quads_[slot], top, bottom) - patch_[slot];
      sums[0] += difference * lower_of(slopes_[slot]);
      sums[1] += difference * upper_of(slopes_[slot]);
    }
    std::int64_t all[2];
    add_up(sums, all);
    return {all[0], all[1]};
  }

  __device__ FlowLikeness likeness(const FlowCorner& before, const FlowCorner& now) {
    read_quads(0, now);
    const std::uint32_t top = pair_of(now.weight[0], now.weight[1]),
                        bottom = pair_of(now.weight[2], now.weight[3]);
    std::int32_t sums[6] = {};
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      if (!has_pixel(slot)) continue;
      const std::int32_t first = patch_[slot], other = patch_of(quads_[slot], top, bottom);
      sums[0] += abs(other - first);
      sums[1] += first;
      sums[2] += other;
      sums[3] += first * first;
      sums[4] += other * other;
      sums[5] += first * other;
    }
    std::int64_t all[6];
    add_up(sums, all);
    if constexpr (kOwnNcc)
      if (flow_ncc_differs(work_.rules)) return correlated(before, now, all[0]);
    return {all[0], all[1], all[2], all[3], all[4], all[5]};
  }

 private:
  static __device__ void wait() {
    if constexpr (kWarps == 1) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  __device__ bool has_pixel(int slot) const {
    return static_cast<int>(threadIdx.x) + slot * kThreads < area_;
  }

  static __device__ std::uint32_t quad(const std::uint8_t* from, int pitch) {
    return static_cast<std::uint32_t>(from[0]) | static_cast<std::uint32_t>(from[1]) << 8 |
           static_cast<std::uint32_t>(from[pitch]) << 16 | static_cast<std::uint32_t>(from[pitch + 1]) << 24;
  }

  __device__ void copy(int level, int picture, int x, int y, int columns, int rows, std::uint8_t* to) const {
    const FlowLevel& from = work_.levels[level];
    const std::int64_t frame = picture == 0 ? frame_before_ : frame_now_;
    copy_block<kWarps>({from.pixels[picture] + frame * from.frame_bytes[picture], from.pitch[picture],
                        from.width, from.height},
                       {x, y, columns, rows}, to);
  }

  // Sums over the window of `ncc`, which may have more pixels than the threads have slots.
  __device__ FlowLikeness correlated(const FlowCorner& before, const FlowCorner& now,
                                     std::int64_t difference) {
    const Size window = flow_ncc_window(work_.rules);
    const FlowCorner a = flow_ncc_corner(before, work_.rules), b = flow_ncc_corner(now, work_.rules);
    const int columns = window.width + 1, rows = window.height + 1;
    wait();
    copy(0, before_, a.x, a.y, columns, rows, shared_.first);
    copy(0, 1 - before_, b.x, b.y, columns, rows, shared_.tile);
    wait();
    const auto patch = [&](const std::uint8_t* from, const FlowCorner& at) {
      return patch_of(quad(from, columns), pair_of(at.weight[0], at.weight[1]),
                      pair_of(at.weight[2], at.weight[3]));
    };
    std::int32_t sums[5] = {};
    for (int i = static_cast<int>(threadIdx.x); i < window.width * window.height; i += kThreads) {
      const int y = i / window.width, pixel = y * columns + i - y * window.width;
      const std::int32_t first = patch(shared_.first + pixel, a), other = patch(shared_.tile + pixel, b);
      sums[0] += first;
      sums[1] += other;
      sums[2] += first * first;
      sums[3] += other * other;
      sums[4] += first * other;
    }
    std::int64_t all[5];
    add_up(sums, all);
    return {difference, all[0], all[1], all[2], all[3], all[4]};
  }

  // Slopes of whole pixels; 0 outside of the picture.
  __device__ void make_slopes(int level, const FlowCorner& at) const {
    const int columns = work_.rules.width + 3, whole = work_.rules.width + 1, rows = work_.rules.height + 1;
    for (int x = lane_number(); x < whole; x += kLanes) {
      const bool is_column = at.x + x >= 0 && at.x + x < width(level);
      for (int y = warp_number(); y < rows; y += kWarps) {
        const bool is_inside = is_column && at.y + y >= 0 && at.y + y < height(level);
        const std::uint8_t* const a = shared_.first + y * columns + x;
        const std::uint8_t *const b = a + columns, *const c = b + columns;
        const std::int32_t slope_x = scharr(a[2], b[2], c[2]) - scharr(a[0], b[0], c[0]),
                           slope_y = scharr(c[0], c[1], c[2]) - scharr(a[0], a[1], a[2]);
        shared_.whole[y * whole + x] = is_inside ? pair_of(slope_x, slope_y) : 0;
      }
    }
  }

  // Reads the four neighbours of each of this thread's pixels in the later picture.
  __device__ void read_quads(int level, const FlowCorner& at) {
    if (has_quads_ && at.x == quads_x_ && at.y == quads_y_) return;
    const int columns = work_.rules.width + 1 + 2 * kMargin, rows = work_.rules.height + 1 + 2 * kMargin;
    if (!has_tile_ || at.x < tile_x_ || at.x > tile_x_ + 2 * kMargin || at.y < tile_y_ ||
        at.y > tile_y_ + 2 * kMargin) {
      tile_x_ = at.x - kMargin;
      tile_y_ = at.y - kMargin;
      wait();
      copy(level, 1 - before_, tile_x_, tile_y_, columns, rows, shared_.tile);
      wait();
      has_tile_ = true;
    }
    const std::uint8_t* const from = shared_.tile + (at.y - tile_y_) * columns + at.x - tile_x_;
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      quads_[slot] = quad(from + upper_of(places_[slot]) * columns + lower_of(places_[slot]), columns);
    }
    quads_x_ = at.x;
    quads_y_ = at.y;
    has_quads_ = true;
  }

  // Adds up the sums of all threads. Calls use both halves of `sums` in turn, which saves a second barrier.
  // When a warp writes to a half again, all warps have read it: they met at the other half's barrier since.
  template <int kSums>
  __device__ void add_up(const std::int32_t (&own)[kSums], std::int64_t (&all)[kSums]) {
#pragma unroll
    for (int k = 0; k < kSums; ++k) {
      const std::uint32_t low = warp_sum(static_cast<std::uint32_t>(own[k]) & 0xFFFF);
      const std::int32_t high = warp_sum(own[k] >> 16);
      all[k] = static_cast<std::int64_t>(high) * 65536 + low;
    }
    if constexpr (kWarps > 1) {
      turn_ ^= 1;
      if (lane_number() == 0) {
#pragma unroll
        for (int k = 0; k < kSums; ++k) shared_.sums[turn_][k][warp_number()] = all[k];
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kSums; ++k) {
        all[k] = 0;
#pragma unroll
        for (int other = 0; other < kWarps; ++other) all[k] += shared_.sums[turn_][k][other];
      }
    }
  }

  const FlowWork& work_;
  FlowShared<kWarps>& shared_;
  int frame_before_, frame_now_, area_, before_ = 0, turn_ = 0;
  bool has_tile_ = false, has_quads_ = false;
  int tile_x_ = 0, tile_y_ = 0, quads_x_ = 0, quads_y_ = 0;
  std::int32_t patch_[kSlots];
  std::uint32_t slopes_[kSlots], quads_[kSlots], places_[kSlots];  // places: columns and rows in the window
};

// If eight blocks of four warps fit a multiprocessor, the 132 multiprocessors of an H100 hold 1,056 blocks.
constexpr int blocks_wanted(int warps, int slots) { return warps == 4 && slots == 4 ? 8 : 1; }

template <int kWarps, int kSlots, bool kOwnNcc>
__global__ void __launch_bounds__(kLanes* kWarps, blocks_wanted(kWarps, kSlots))
    carry_points(const __grid_constant__ FlowWork work) {
  __shared__ FlowShared<kWarps> shared;
  const int list = static_cast<int>(blockIdx.y);
  const int count = min(work.points.counts[list], work.points.pitch);
  const int before = work.points.before != nullptr ? work.points.before[list] : list;
  for (int i = static_cast<int>(blockIdx.x); i < count; i += static_cast<int>(gridDim.x)) {
    const std::int64_t at = static_cast<std::int64_t>(list) * work.points.pitch + i;
    BlockWindows<kWarps, kSlots, kOwnNcc> windows(work, before, list, shared);
    const FlowResult result = flow_carry(windows, work.points.points[at], work.rules);
    if (threadIdx.x == 0) work.results[at] = result;
    __syncthreads();  // all threads end this point before its shared memory is used for the next
  }
}

// Slots for the default window of 21 x 21, and for the largest.
constexpr int slots_of(int area, int warps) { return (area + kLanes * warps - 1) / (kLanes * warps); }
constexpr int kUsualArea = 21 * 21, kMostArea = kMostFlowWindow * kMostFlowWindow;

template <int kWarps, bool kOwnNcc>
void launch(const FlowWork& work, dim3 grid, cudaStream_t stream) {
  if (work.rules.width * work.rules.height <= kUsualArea) {
    carry_points<kWarps, slots_of(kUsualArea, kWarps), kOwnNcc><<<grid, kLanes * kWarps, 0, stream>>>(work);
  } else {
    carry_points<kWarps, slots_of(kMostArea, kWarps), kOwnNcc><<<grid, kLanes * kWarps, 0, stream>>>(work);
  }
  check_launch("carry_points");
}

}  // namespace

void DeviceFlow::enqueue(const GaussianPyramidView& before, const GaussianPyramidView& now,
                         const DeviceFlowLists& points, FlowResult* results, cudaStream_t stream) const {
  if (points.lists < 1 || points.pitch < 1) return;
  FlowWork work{};
  work.level_count = flow_levels(before.levels[0].width, before.levels[0].height, rules_);
  for (int i = 0; i < work.level_count; ++i) {
    const GaussianLevelView &a = before.levels[i], &b = now.levels[i];
    work.levels[i] = {
        {a.first, b.first}, {a.frame_bytes, b.frame_bytes}, {a.pitch, b.pitch}, a.width, a.height};
  }
  work.rules = rules_;
  work.points = points;
  work.results = results;
  const dim3 grid(static_cast<unsigned>(points.pitch), static_cast<unsigned>(points.lists));
  if (warps_ == 1) {
    launch<1, true>(work, grid, stream);
  } else if (warps_ == 2) {
    launch<2, true>(work, grid, stream);
  } else if (flow_ncc_differs(rules_)) {
    launch<4, true>(work, grid, stream);
  } else {
    launch<4, false>(work, grid, stream);
  }
}

}  // namespace winnow
