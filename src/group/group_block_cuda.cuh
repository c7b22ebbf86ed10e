// Groups the candidates of a frame with one block of threads, inside a kernel that holds the candidates.
//
// In:     up to `kMost` boxes and scores in a `GroupMemory`, in the order of their windows; `min_neighbors`
//         above 0, `eps` and the mean rule, as in `group.h` and `group_rule.h`.
// Out:    objects as `group.h` defines them, in the caller's memory. Every thread gets the number of objects.
// Exact:  the objects of `group_ref`.
// Memory: the kernel owns `GroupMemory`, which lies in the block's shared memory: 76 bytes for each box. On
//         devices whose blocks have less memory, fewer boxes are grouped (`group_memory_cuda.cuh`,
//         `with_most_grouped`). A `GroupMemory` may also lie in the device's memory, which is slower.
// Thread: device code. All `kGroupThreads` threads of the block call a function together, unless noted.
//
// Similar boxes are joined into sets (`group_sets_cuda.cuh`). Then the boxes of each set are summed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "group/group.h"
#include "group/group_memory_cuda.cuh"
#include "group/group_rule.h"
#include "group/group_sets_cuda.cuh"

namespace winnow {

// Sorts keys in rising order, with a barrier before and after. A thread holds every `kGroupThreads`-th key.
// Keys that one warp holds are compared by shuffles.
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
  Key own[2];  // the second key is in use if `kOwnItems` is 2
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
// in the order of the items. Returns the number of kept items. `warp_sums`: one shared number for each of the
// block's 32 warps.
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

// Maps doubles to unsigned numbers that sort in the same order.
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
    // Each sum has a low and a high half, because atomic additions of 64 bits are slow.
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
  // Lists the roots of the groups that are large enough, in rising order.
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
    m.parent[g] = 0;  // from here on a flag: becomes 1 if another group swallows group g
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
