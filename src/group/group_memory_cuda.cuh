// Defines the memory in which one block of threads groups the candidates of a frame.
//
// Out:    `GroupMemory`, for up to `kMost` boxes and scores, and the largest `kMost` of a device.
// Memory: 76 bytes for each box, in the block's shared memory, or in the device's if the boxes do not fit.
// Thread: host and device use the types; the host calls `with_most_grouped`.
#pragma once

#include <cstdint>
#include <type_traits>

#include "group/group.h"

namespace winnow {

constexpr int kMostGrouped = 2048;  // the most candidates that a block of any device groups in its own memory
constexpr int kMostCrowd = 16384;   // the most that a block groups in the device's memory
constexpr int kGroupThreads = 1024;

template <int kMost>
struct GroupMemory {
  static constexpr int kOwnItems = (kMost + kGroupThreads - 1) / kGroupThreads;  // the items per thread
  Box boxes[kMost];
  double scores[kMost];
  union {
    std::uint64_t keys[kMost];  // for `sort_keys`, before boxes are grouped
    struct {
      std::uint32_t high[kMost], low[kMost];
    } best;  // the bits of each group's largest score
  };
  union {
    struct {
      Box boxes[kMost];  // sorted by buckets of left edges
      std::int32_t items[kMost], roots[kMost];
      std::int32_t row_starts[kMost], row_ends[kMost];
    } sorted;
    // The sums of a group's sides. Each sum has a low and a high half, because an atomic addition takes one
    // step for 32 bits, but many steps for 64 bits.
    struct {
      std::uint32_t low[kMost][4];
      std::int32_t high[kMost][4];
    } sums;
  };
  union {
    std::int32_t bucket_starts[kMost + 1];
    std::int32_t group_roots[kMost];  // the roots of the groups that are large enough
  };
  std::int32_t parent[kMost];
  std::int32_t count[kMost];
  std::int32_t warp_sums[kGroupThreads / 32];
};

// Calls `use(std::integral_constant<int, kMost>())` with the largest `kMost` whose memory a block can have.
template <class Use>
void with_most_grouped(int block_memory, Use use) {
  if (block_memory >= static_cast<int>(sizeof(GroupMemory<kMostGrouped>)))
    return use(std::integral_constant<int, kMostGrouped>());
  if (block_memory >= static_cast<int>(sizeof(GroupMemory<kMostGrouped / 2>)))
    return use(std::integral_constant<int, kMostGrouped / 2>());
  use(std::integral_constant<int, kMostGrouped / 4>());
}
static_assert(sizeof(GroupMemory<kMostGrouped>) <= 163 << 10, "for compute capability 8.0");
static_assert(sizeof(GroupMemory<kMostGrouped / 2>) <= 99 << 10, "for compute capability 8.6");
static_assert(sizeof(GroupMemory<kMostGrouped / 4>) <= 48 << 10, "for every device");

}  // namespace winnow
