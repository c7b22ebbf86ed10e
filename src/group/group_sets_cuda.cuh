// Joins similar boxes of a frame into sets, with one block of threads.
//
// In:     boxes in a `GroupMemory`.
// Out:    `GroupMemory::parent`: for each box the first member of its set.
// Exact:  the sets of `group_ref`.
// Memory: only `GroupMemory`.
// Thread: device code. All `kGroupThreads` threads of the block call a function together, unless noted.
// Cost:   the pairs of boxes with near left edges. A pair that is in one set already is skipped after one
//         comparison.
//
// Boxes are sorted by left edge. Boxes with near left edges are joined into sets, kept as trees whose root is
// the first member.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/device/warp_cuda.cuh"
#include "group/group_memory_cuda.cuh"
#include "group/group_rule.h"

namespace winnow {

// Reads an item's parent. While sets are joined, every read and every change of a parent is atomic, because
// threads read what other threads write. A thread may call this function and the next three alone, without
// the rest of the block.
inline __device__ int parent_of(std::int32_t* parent, int item) { return atomicOr(parent + item, 0); }

// The first member of an item's set, for the sets that are joined so far.
inline __device__ int root_of(std::int32_t* parent, int item) {
  for (int next = parent_of(parent, item); next != item; next = parent_of(parent, item)) item = next;
  return item;
}

// Like `root_of`, and shortens the path for later calls. Another thread may write a newer parent before this
// thread writes its own. Both parents lead to the root, which is enough while sets are joined. `flatten`
// needs the root itself, so it calls `root_of`.
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
// `of_all` gets the joined values of all threads. `join(a, none)` is a.
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

// Buckets of left edges: at most `kMost` buckets, in rising order of the edges.
struct Buckets {
  int least, largest, shift;
  __device__ int of(int left) const {
    return static_cast<int>((static_cast<std::uint32_t>(left) - static_cast<std::uint32_t>(least)) >> shift);
  }
};

// Sorts the boxes into `sorted` by buckets of left edges, in any order within a bucket. `count` > 0.
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
    // Boxes with left edges further right than `last` are not similar to `box`.
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

}  // namespace winnow
