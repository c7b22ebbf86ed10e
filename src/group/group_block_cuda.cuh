// Groups the candidates of a frame with one block of threads, inside a kernel that holds the candidates.
//
// In:     up to `kMost` boxes and scores in the block's memory, in the order of their windows.
// Out:    objects as `group.h` defines them, in memory of the caller's, and their number in every thread.
// Exact:  the objects of `group_ref`.
// Memory: the kernel owns `GroupMemory`, which lies in the block's shared memory: 76 bytes for each box. On
//         devices whose blocks have less memory, fewer boxes are grouped (`with_most_grouped`).
// Thread: device code. All `kGroupThreads` threads of the block call a function together, unless noted.
// Cost:   the pairs of boxes with near left edges. A pair that is in one set already is skipped after one
//         comparison.
//
// Boxes are sorted by left edge. Boxes with near left edges are joined into sets, kept as trees whose root is
// the first member. Then the boxes of each set are summed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "base/device/warp_cuda.cuh"
#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {

constexpr int kMostGrouped = 2048;  // on any device
constexpr int kGroupThreads = 1024;

template <int kMost>
struct GroupMemory {
  static constexpr int kOwnItems = (kMost + kGroupThreads - 1) / kGroupThreads;  // items per thread
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
      Box boxes[kMost];  // bucket by bucket of left edges
      std::int32_t items[kMost], roots[kMost];
      std::int32_t row_starts[kMost], row_ends[kMost];
    } sorted;
    // Each side's sum in two halves, since a device adds 32 bits in one step and 64 in many.
    struct {
      std::uint32_t low[kMost][4];
      std::int32_t high[kMost][4];
    } sums;
  };
  union {
    std::int32_t bucket_starts[kMost + 1];
    std::int32_t group_roots[kMost];  // of the groups that are large enough
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

// Sorts keys in rising order, with a barrier before and after. A thread holds every `kGroupThreads`-th key.
// Keys of one warp are compared by shuffles.
template <int kMost>
__device__ void sort_keys(GroupMemory<kMost>& m, int count) {
  using Key = std::uint64_t;
  constexpr int kOwnItems = GroupMemory<kMost>::kOwnItems;
  static_assert(kOwnItems <= 2);
  Key* keys = m.keys;
  int size = 32;
  while (size < count) size *= 2;
  const int thread = static_cast<int>(threadIdx.x);
  const bool two = kOwnItems == 2 && size > kGroupThreads;
  const auto sorted = [](Key mine, Key other, bool smaller) {
    return (mine < other) == smaller ? mine : other;
  };
  const auto down = [](int item, int run) { return (item & run) != 0; };  // rising and falling runs alternate
  __syncthreads();
  Key own[2];  // the second is in use if `kOwnItems` is 2
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int item = thread + k * kGroupThreads;
    own[k] = item < count ? keys[item] : ~Key{0};
  }
  const auto in_warp = [&](int step, int run) {
    const bool low = (thread & step) == 0;
    own[0] = sorted(own[0], __shfl_xor_sync(~0u, own[0], step), low != down(thread, run));
    if (two)
      own[1] = sorted(own[1], __shfl_xor_sync(~0u, own[1], step), low != down(thread + kGroupThreads, run));
  };
#pragma unroll
  for (int run = 2; run <= 32; run *= 2) {
#pragma unroll
    for (int step = run / 2; step > 0; step /= 2) in_warp(step, run);
  }
  for (int run = 64; run <= size; run *= 2) {
    for (int step = run / 2; step >= 32; step /= 2) {
      if (step == kGroupThreads) {
        const Key first = min(own[0], own[1]);
        own[1] = max(own[0], own[1]);
        own[0] = first;
        continue;
      }
      __syncthreads();
      if (thread < size) keys[thread] = own[0];
      if (two) keys[thread + kGroupThreads] = own[1];
      __syncthreads();
      const bool low = (thread & step) == 0;
      if (thread < size) own[0] = sorted(own[0], keys[thread ^ step], low != down(thread, run));
      if (two) {
        own[1] =
            sorted(own[1], keys[(thread ^ step) + kGroupThreads], low != down(thread + kGroupThreads, run));
      }
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) in_warp(step, run);
  }
  __syncthreads();
  if (thread < size) keys[thread] = own[0];
  if (two) keys[thread + kGroupThreads] = own[1];
  __syncthreads();
}

// Calls `place(item, position)` for each of `count` items that `keep(item)` accepts. Positions count from 0
// in the order of the items. Returns the number of kept items.
template <class Keep, class Place>
__device__ int compact_block(std::int32_t* warp_sums, int count, Keep keep, Place place) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int before = 0;
  for (int first = 0; first < count; first += kGroupThreads) {
    const int item = first + static_cast<int>(threadIdx.x);
    const bool kept = item < count && keep(item);
    const std::uint32_t mask = __ballot_sync(~0u, kept);
    if (lane == 0) warp_sums[warp] = __popc(mask);
    __syncthreads();
    const int mine = warp_sums[lane];
    int until = mine;
    for (int step = 1; step < 32; step *= 2) {
      const int left = __shfl_up_sync(~0u, until, step);
      if (lane >= step) until += left;
    }
    const int ahead = __shfl_sync(~0u, until - mine, warp), all = __shfl_sync(~0u, until, 31);
    if (kept) place(item, before + ahead + __popc(mask & ((1u << lane) - 1)));
    before += all;
    __syncthreads();
  }
  return before;
}

// While sets are joined, every read and every change of a parent is atomic, because threads read the writes
// of others. A single thread may call this and the next three functions.
inline __device__ int parent_of(std::int32_t* parent, int item) { return atomicOr(parent + item, 0); }

// The first member of an item's set, as far as sets are joined so far.
inline __device__ int root_of(std::int32_t* parent, int item) {
  for (int next = parent_of(parent, item); next != item; next = parent_of(parent, item)) item = next;
  return item;
}

// Like `root_of`, and shortens the path for later calls. Another thread may have written a newer parent
// before this one is written. Both lead to the root while sets are joined, but not afterwards.
inline __device__ int shorten_to_root(std::int32_t* parent, int item) {
  int next = parent_of(parent, item);
  while (next != item) {
    const int after = parent_of(parent, next);
    if (after == next) return next;
    atomicExch(parent + item, after);
    item = after;
    next = parent_of(parent, item);
  }
  return item;
}

inline __device__ void join(std::int32_t* parent, int a, int b) {
  while (true) {
    a = shorten_to_root(parent, a);
    b = shorten_to_root(parent, b);
    if (a == b) return;
    const int later = max(a, b), earlier = min(a, b);
    if (atomicCAS(&parent[later], later, earlier) == later) return;
  }
}

// Makes every item's parent its root.
inline __device__ void flatten(std::int32_t* parent, int count) {
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kGroupThreads) {
    const int root = root_of(parent, i);
    atomicExch(parent + i, root);
  }
  __syncthreads();
}

// Returns the values of this thread and of all threads before it, joined by `join(a, b)`, such as a sum.
// `of_all` gets the values of all threads, joined. `none` is the value that changes nothing.
template <class Join>
__device__ int scan_block(std::int32_t* warp_values, int value, int none, Join join, int& of_all) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const auto up_to_lane = [&](int of) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int left = __shfl_up_sync(~0u, of, step);
      if (lane >= step) of = join(of, left);
    }
    return of;
  };
  value = up_to_lane(value);
  __syncthreads();
  if (lane == 31) warp_values[warp] = value;
  __syncthreads();
  const int of_warps = up_to_lane(warp_values[lane]);
  const int before = __shfl_sync(~0u, of_warps, max(warp - 1, 0));
  of_all = __shfl_sync(~0u, of_warps, 31);
  return join(value, warp > 0 ? before : none);
}

// Buckets of left edges: at most `kMost`, in rising order.
struct Buckets {
  int least, largest, shift;
  __device__ int of(int left) const {
    return static_cast<int>((static_cast<std::uint32_t>(left) - static_cast<std::uint32_t>(least)) >> shift);
  }
};

// Fills `sorted`, bucket by bucket, in any order within a bucket. `count` > 0.
template <int kMost>
__device__ Buckets sort_boxes(GroupMemory<kMost>& m, int count) {
  constexpr int kOwnItems = GroupMemory<kMost>::kOwnItems;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  int least = m.boxes[0].x, largest = least;
  for (int i = thread; i < count; i += kGroupThreads) {
    least = min(least, m.boxes[i].x);
    largest = max(largest, m.boxes[i].x);
  }
  for (int b = thread; b <= kMost; b += kGroupThreads) m.bucket_starts[b] = 0;
  least = warp_min(least);
  largest = warp_max(largest);
  if (lane == 0) {
    m.warp_sums[warp] = least;
    m.parent[warp] = largest;
  }
  __syncthreads();
  Buckets buckets{warp_min(m.warp_sums[lane]), warp_max(m.parent[lane]), 0};
  const auto range = static_cast<std::uint32_t>(buckets.largest) - static_cast<std::uint32_t>(buckets.least);
  while (range >> buckets.shift >= kMost) ++buckets.shift;
  int ranks[kOwnItems];
#pragma unroll
  for (int k = 0; k < kOwnItems; ++k) {
    const int item = thread + k * kGroupThreads;
    if (item < count) ranks[k] = atomicAdd(&m.bucket_starts[buckets.of(m.boxes[item].x)], 1);
  }
  __syncthreads();
  int own[kOwnItems], own_sum = 0, all = 0;
#pragma unroll
  for (int k = 0; k < kOwnItems; ++k) {
    const int bucket = kOwnItems * thread + k;
    own[k] = bucket < kMost ? m.bucket_starts[bucket] : 0;
    own_sum += own[k];
  }
  const int until = scan_block(
      m.warp_sums, own_sum, 0, [](int a, int b) { return a + b; }, all);
  __syncthreads();
  int start = until - own_sum;
#pragma unroll
  for (int k = 0; k < kOwnItems; ++k) {
    const int bucket = kOwnItems * thread + k;
    if (bucket < kMost) m.bucket_starts[bucket] = start;
    start += own[k];
  }
  if (thread == 0) m.bucket_starts[kMost] = all;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kOwnItems; ++k) {
    const int item = thread + k * kGroupThreads;
    if (item >= count) break;
    const Box box = m.boxes[item];
    const int place = m.bucket_starts[buckets.of(box.x)] + ranks[k];
    m.sorted.items[place] = item;
    m.sorted.boxes[place] = box;
  }
  __syncthreads();
  return buckets;
}

// Joins items whose boxes are similar. A run of sorted boxes, each similar to the next, becomes one set in
// one step. Then only pairs that are not in one set yet are compared.
template <int kMost>
__device__ void join_similar(GroupMemory<kMost>& m, int count, double eps) {
  constexpr int kOwnItems = GroupMemory<kMost>::kOwnItems;
  const int thread = static_cast<int>(threadIdx.x);
  const Buckets buckets = sort_boxes(m, count);
  int last_start = 0;
  for (int i = thread; i < count; i += kGroupThreads) m.count[i] = kMost;
#pragma unroll
  for (int k = 0; k < kOwnItems; ++k) {
    if (k * kGroupThreads >= count) break;
    const int place = thread + k * kGroupThreads;
    const bool starts_here =
        place < count && place > 0 && !similar(m.sorted.boxes[place - 1], m.sorted.boxes[place], eps);
    int largest = 0;
    const int start = max(last_start, scan_block(
                                          m.warp_sums, starts_here ? place : 0, 0,
                                          [](int a, int b) { return max(a, b); }, largest));
    last_start = max(last_start, largest);
    if (place >= count) continue;
    m.sorted.row_starts[place] = start;
    atomicMin(&m.count[start], m.sorted.items[place]);
  }
  __syncthreads();
  for (int place = thread; place < count; place += kGroupThreads) {
    const int start = m.sorted.row_starts[place], root = m.count[start];
    if (place + 1 == count || m.sorted.row_starts[place + 1] != start) m.sorted.row_ends[start] = place + 1;
    m.parent[m.sorted.items[place]] = root;
    m.sorted.roots[place] = root;
  }
  __syncthreads();
  for (int place = thread; place < count; place += kGroupThreads) {
    const Box box = m.sorted.boxes[place];
    // Boxes further away are not similar.
    const auto margin = static_cast<std::int64_t>(floor(eps * (box.width + box.height) * 0.5));
    const auto last =
        static_cast<int>(min(std::int64_t{buckets.largest}, box.x + max(margin, std::int64_t{0})));
    const int root = m.sorted.roots[place], end = m.bucket_starts[buckets.of(last) + 1];
    for (int next = m.sorted.row_ends[m.sorted.row_starts[place]]; next < end; ++next) {
      if (m.sorted.roots[next] == root) continue;
      const Box other = m.sorted.boxes[next];
      if (abs(static_cast<std::int64_t>(other.y) - box.y) <= margin && similar(box, other, eps))
        join(m.parent, root, m.sorted.roots[next]);
    }
  }
  flatten(m.parent, count);
}

// Maps doubles to unsigned numbers in the same order.
inline __device__ unsigned long long ordered_bits(double value) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  return bits >> 63 != 0 ? ~bits : bits | 1ull << 63;
}
inline __device__ double ordered_value(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits >> 63 != 0 ? bits ^ 1ull << 63 : ~bits));
}

// Copies candidates into the block's memory.
template <int kMost>
__device__ void load_candidates(GroupMemory<kMost>& m, const Candidate* candidates, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kGroupThreads) {
    m.boxes[i] = candidates[i].box;
    m.scores[i] = candidates[i].score;
  }
  __syncthreads();
}

// Groups the boxes and scores in `m` into `objects`. Returns the number of objects. `min_neighbors` > 0.
template <int kMost>
__device__ int group_block(GroupMemory<kMost>& m, int count, int min_neighbors, double eps,
                           MeanRule mean_rule, Candidate* objects) {
  const int thread = static_cast<int>(threadIdx.x);
  if (count == 0) return 0;
  join_similar(m, count, eps);
  for (int i = thread; i < count; i += kGroupThreads) {
    m.count[i] = 0;
    m.best.high[i] = m.best.low[i] = 0;
    for (int side = 0; side < 4; ++side) m.sums.low[i][side] = m.sums.high[i][side] = 0;
  }
  __syncthreads();
  for (int i = thread; i < count; i += kGroupThreads) {
    const int root = m.parent[i];
    const Box box = m.boxes[i];
    atomicAdd(&m.count[root], 1);
    const int sides[4] = {box.x, box.y, box.width, box.height};
    for (int side = 0; side < 4; ++side) {
      atomicAdd(&m.sums.low[root][side], static_cast<std::uint32_t>(sides[side]) & 0xffff);
      atomicAdd(&m.sums.high[root][side], sides[side] >> 16);
    }
    atomicMax(&m.best.high[root], static_cast<std::uint32_t>(ordered_bits(m.scores[i]) >> 32));
  }
  __syncthreads();
  for (int i = thread; i < count; i += kGroupThreads) {
    const auto score = ordered_bits(m.scores[i]);
    if (static_cast<std::uint32_t>(score >> 32) == m.best.high[m.parent[i]])
      atomicMax(&m.best.low[m.parent[i]], static_cast<std::uint32_t>(score));
  }
  __syncthreads();
  // The roots of groups that are large enough, in their order.
  const int groups = compact_block(
      m.warp_sums, count, [&](int i) { return m.count[i] > min_neighbors; },
      [&](int i, int place) { m.group_roots[place] = i; });
  for (int g = thread; g < groups; g += kGroupThreads) {
    const int root = m.group_roots[g];
    const auto mean = [&](int side) {
      const std::int64_t sum = std::int64_t{m.sums.high[root][side]} * 65536 + m.sums.low[root][side];
      return group_mean(sum, m.count[root], mean_rule);
    };
    m.boxes[g] = {mean(0), mean(1), mean(2), mean(3)};
    m.parent[g] = 0;  // 1: swallowed by another
  }
  __syncthreads();
  for (int pair = thread; pair < groups * groups; pair += kGroupThreads) {
    const int small = pair / groups, large = pair - small * groups;
    if (small != large && swallowed(m.boxes[small], m.count[m.group_roots[small]], m.boxes[large],
                                    m.count[m.group_roots[large]], eps))
      atomicExch(&m.parent[small], 1);
  }
  __syncthreads();
  return compact_block(
      m.warp_sums, groups, [&](int g) { return m.parent[g] == 0; },
      [&](int g, int place) {
        const int root = m.group_roots[g];
        objects[place] = {
            m.boxes[g],
            ordered_value(static_cast<unsigned long long>(m.best.high[root]) << 32 | m.best.low[root]),
            m.count[root]};
      });
}

}  // namespace winnow
