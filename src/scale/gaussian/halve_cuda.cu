#include "base/device/cuda_device.h"
#include "scale/frames/frame.h"
#include "scale/gaussian/halve_cuda.h"
#include "scale/gaussian/halve_rule.h"

namespace winnow {
namespace {

constexpr int kThreads = 128;
constexpr int kRows = 4;     // rows of the half that a thread makes
constexpr int kColumns = 4;  // columns of the half that a thread makes, as one word
constexpr int kSourceRows = 2 * (kRows - 1) + kHalveTaps;
constexpr std::uint32_t kLow = 0x00ff00ff;
constexpr std::uint32_t kRounding = kHalveRounding | kHalveRounding << 16;

struct Half {
  const std::uint8_t* from;
  std::uint8_t* to;
  std::int64_t frame_bytes, half_bytes;
  std::int32_t width, height, pitch;  // size and pitch of the source
  std::int32_t half_height, half_pitch;
  std::uint32_t half_words;  // 4-byte words in a row of the half
};

// Sums along a row for four columns of the half, as two pairs of 16-bit numbers.
struct AcrossPairs {
  std::uint32_t first, second;
};

// The source pixels that a thread reads in a row: two in the upper half of `before`, eight in `low` and
// `high`, and one in the lowest byte of `after`.
struct SourceWords {
  std::uint32_t before, low, high, after;
};

// Even pixels of a word lie in the lower bytes of its 16-bit halves, odd pixels in the upper bytes. A shift
// by 16 bits brings the pixels of another tap into line with the pixels of the middle tap.
__device__ AcrossPairs sums_across(const SourceWords& words) {
  const auto even = [](std::uint32_t word) { return word & kLow; };
  const auto odd = [](std::uint32_t word) { return word >> 8 & kLow; };
  const std::uint32_t even0 = even(words.low), even1 = even(words.high);
  const std::uint32_t odd0 = odd(words.low), odd1 = odd(words.high);
  const std::uint32_t middle = __funnelshift_r(even0, even1, 16);
  return {halve_sum(__funnelshift_r(even(words.before), even0, 16),
                    __funnelshift_r(odd(words.before), odd0, 16), even0, odd0, middle),
          halve_sum(middle, __funnelshift_r(odd0, odd1, 16), even1, odd1,
                    __funnelshift_r(even1, words.after & 0xff, 16))};
}

// Loads the words of one row, with mirrored pixels in place of pixels outside of the row. `column` is a
// multiple of 8 inside the row.
__device__ SourceWords load_words(const std::uint8_t* row, int column, int width) {
  if (width < 3) {  // mirroring alternates two pixels, and repeats a single one
    const std::uint32_t pair = row[0] | std::uint32_t{row[width - 1]} << 8;
    const std::uint32_t word = pair | pair << 16;
    return {word, word, word, word};
  }
  const uint2 own = *reinterpret_cast<const uint2*>(row + column);
  SourceWords words{0, own.x, own.y, 0};
  if (column > 0) {
    words.before = *reinterpret_cast<const std::uint32_t*>(row + column - 4);
  } else {  // pixels 2 and 1, the mirror images before the row
    words.before = __byte_perm(own.x, 0, 0x1200);
  }
  const int inside = width - column;  // pixels from `column` on
  if (inside > 8) {
    words.after = *reinterpret_cast<const std::uint32_t*>(row + column + 8);
    return words;
  }
  // The row ends with or within these eight pixels. Mirrors two more pixels, or one if all eight are inside.
  std::uint64_t pixels = std::uint64_t{words.high} << 32 | words.low;
  const auto at = [&](int i) -> std::uint64_t {
    return (i >= 0 ? pixels >> (8 * i) : std::uint64_t{words.before} >> (8 * (i + 4))) & 0xff;
  };
  const std::uint64_t first = at(inside - 2), second = at(inside - 3);
  if (inside == 8) {
    words.after = static_cast<std::uint32_t>(first);
    return words;
  }
  pixels = (pixels & ((std::uint64_t{1} << (8 * inside)) - 1)) | first << (8 * inside);
  if (inside < 7) {
    pixels |= second << (8 * (inside + 1));
  } else {
    words.after = static_cast<std::uint32_t>(second);
  }
  words.low = static_cast<std::uint32_t>(pixels);
  words.high = static_cast<std::uint32_t>(pixels >> 32);
  return words;
}

// A thread makes kRows rows of four columns. Threads are numbered along rows, so that a warp reads and writes
// whole lines however narrow the level is. Sums along the source rows come first. Each sum is made once, for
// all rows of the half that need it. All rows are loaded before the first sum is needed, because a small
// level waits for memory, not for arithmetic.
__global__ void __launch_bounds__(kThreads) halve_kernel(const __grid_constant__ Half half) {
  const std::uint32_t item = blockIdx.x * kThreads + threadIdx.x;
  const int first_row = static_cast<int>(item / half.half_words) * kRows;
  const int word = static_cast<int>(item % half.half_words);
  if (first_row >= half.half_height) return;
  const std::uint8_t* from = half.from + blockIdx.y * half.frame_bytes;
  AcrossPairs across[kSourceRows];
#pragma unroll
  for (int j = 0; j < kSourceRows; ++j) {
    const int row = mirrored(2 * first_row + j - kHalveRadius, half.height);
    across[j] =
        sums_across(load_words(from + std::int64_t{row} * half.pitch, 2 * kColumns * word, half.width));
  }
  std::uint8_t* to =
      half.to + blockIdx.y * half.half_bytes + std::int64_t{first_row} * half.half_pitch + kColumns * word;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (first_row + i >= half.half_height) return;
    const AcrossPairs* taps = across + 2 * i;
    // A word holds a pair of 16-bit sums. With kRounding added, the upper byte of each sum is the pixel, as
    // `halve_round` gives it.
    const std::uint32_t first =
        halve_sum(taps[0].first, taps[1].first, taps[2].first, taps[3].first, taps[4].first) + kRounding;
    const std::uint32_t second =
        halve_sum(taps[0].second, taps[1].second, taps[2].second, taps[3].second, taps[4].second) + kRounding;
    *reinterpret_cast<std::uint32_t*>(to) = __byte_perm(first, second, 0x7531);
    to += half.half_pitch;
  }
}

}  // namespace

void halve_frames(const std::uint8_t* frames, Size size, int count, std::uint8_t* halves,
                  cudaStream_t stream) {
  if (size.width <= 0 || size.height <= 0 || count <= 0) return;
  const Size small = halved(size);
  const auto words = static_cast<std::uint32_t>((small.width + kColumns - 1) / kColumns);
  const std::int64_t items = std::int64_t{words} * ((small.height + kRows - 1) / kRows);
  const Half half{frames,
                  halves,
                  frame_bytes(size),
                  frame_bytes(small),
                  size.width,
                  size.height,
                  static_cast<std::int32_t>(frame_pitch(size.width)),
                  small.height,
                  static_cast<std::int32_t>(frame_pitch(small.width)),
                  words};
  halve_kernel<<<dim3(static_cast<unsigned>((items + kThreads - 1) / kThreads), static_cast<unsigned>(count)),
                 kThreads, 0, stream>>>(half);
  check_launch("halving frames");
}

}  // namespace winnow
