// Grouping by one block of a device, for kernels that have a frame's candidates at hand.
// In: up to `kMostGrouped` boxes and scores in the block's memory, in the order of their windows. Out:
// objects as `group.h` says. exact. Sorts by left edge, compares boxes whose left edges are near, joins them
// (each set's root is its first member), then adds up: all in the block's memory, without a wait.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {

constexpr int kMostGrouped = 2048;
constexpr int kGroupThreads = 1024;

struct GroupMemory {
  Box boxes[kMostGrouped];
  double scores[kMostGrouped];
  std::uint64_t keys[kMostGrouped];
  unsigned long long sums[kMostGrouped][4];
  unsigned long long best[kMostGrouped];
  std::int32_t parent[kMostGrouped];
  std::int32_t count[kMostGrouped];
  std::int32_t warp_sums[kGroupThreads / 32];
};

// Rising. All threads of the block; the values are there and stay where they are after a barrier.
inline __device__ void sort_keys(std::uint64_t* keys, int count) {
  int size = 2;
  while (size < count) size *= 2;
  for (int i = static_cast<int>(threadIdx.x) + count; i < size; i += kGroupThreads)
    keys[i] = ~std::uint64_t{0};
  for (int run = 2; run <= size; run *= 2) {
    for (int step = run / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < size / 2; i += kGroupThreads) {
        const int low = 2 * i - (i & (step - 1)), high = low + step;
        const std::uint64_t a = keys[low], b = keys[high];
        if ((a > b) == ((low & run) == 0)) {
          keys[low] = b;
          keys[high] = a;
        }
      }
    }
  }
  __syncthreads();
}

// The places of those of `count` items that `keep` wants, in order, go to `place(item, position)`; returns
// how many.
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

// Every item's parent becomes its root. All threads of the block; `kOwn` items a thread.
constexpr int kOwnItems = kMostGrouped / kGroupThreads;
inline __device__ void jump_to_roots(std::int32_t* parent, int count) {
  bool changed = true;
  while (__syncthreads_or(changed)) {
    std::int32_t above[kOwnItems];
    changed = false;
#pragma unroll
    for (int k = 0; k < kOwnItems; ++k) {
      const int item = static_cast<int>(threadIdx.x) + k * kGroupThreads;
      if (item >= count) continue;
      const std::int32_t of = parent[item];
      above[k] = parent[of];
      changed |= above[k] != of;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kOwnItems; ++k) {
      const int item = static_cast<int>(threadIdx.x) + k * kGroupThreads;
      if (item < count) parent[item] = above[k];
    }
  }
}

// Calls `pair(a, b)` for items whose left edges are so near that their boxes may be similar. `keys` are
// sorted.
template <class Pair>
__device__ void for_near_pairs(const GroupMemory& m, int count, double eps, Pair pair) {
  for (int place = static_cast<int>(threadIdx.x); place < count; place += kGroupThreads) {
    const int item = static_cast<int>(m.keys[place] & ~0u);
    const Box box = m.boxes[item];
    const double reach = eps * (box.width + box.height) * 0.5;  // at least that of any pair
    // The largest left edge within reach, as it stands in the keys.
    const double last = static_cast<double>(box.x) + floor(reach);
    const std::uint32_t most =
        static_cast<std::uint32_t>(static_cast<int>(fmin(last, 2147483647.))) ^ 1u << 31;
    for (int next = place + 1; next < count; ++next) {
      const std::uint64_t key = m.keys[next];
      if (static_cast<std::uint32_t>(key >> 32) > most) break;
      pair(item, static_cast<int>(key & ~0u));
    }
  }
}

// Unsigned numbers in the order of doubles.
inline __device__ unsigned long long ordered_bits(double value) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  return bits >> 63 != 0 ? ~bits : bits | 1ull << 63;
}
inline __device__ double ordered_value(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits >> 63 != 0 ? bits ^ 1ull << 63 : ~bits));
}

// All threads of the block.
inline __device__ void load_candidates(GroupMemory& m, const Candidate* candidates, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kGroupThreads) {
    m.boxes[i] = candidates[i].box;
    m.scores[i] = candidates[i].score;
  }
  __syncthreads();
}

// All threads of the block; returns the number of objects to each. `min_neighbors` > 0.
inline __device__ int group_block(GroupMemory& m, int count, int min_neighbors, double eps,
                                  Candidate* objects) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < count; i += kGroupThreads) {
    m.parent[i] = i;
    m.best[i] = 0;
    for (auto& sum : m.sums[i]) sum = 0;
    m.keys[i] = static_cast<std::uint64_t>(static_cast<std::uint32_t>(m.boxes[i].x) ^ 1u << 31) << 32 |
                static_cast<std::uint32_t>(i);
  }
  __syncthreads();
  sort_keys(m.keys, count);
  // Each item's parent is the first that it is like; then roots that hold items alike become one, until none
  // do.
  for_near_pairs(m, count, eps, [&](int a, int b) {
    if (similar(m.boxes[a], m.boxes[b], eps)) atomicMin(&m.parent[max(a, b)], min(a, b));
  });
  while (true) {
    jump_to_roots(m.parent, count);
    for (int i = thread; i < count; i += kGroupThreads) m.count[i] = i;  // where a root goes
    __syncthreads();
    bool joined = false;
    for_near_pairs(m, count, eps, [&](int a, int b) {
      const int root_a = m.parent[a], root_b = m.parent[b];
      if (root_a == root_b || !similar(m.boxes[a], m.boxes[b], eps)) return;
      atomicMin(&m.count[max(root_a, root_b)], min(root_a, root_b));
      joined = true;
    });
    if (__syncthreads_or(joined) == 0) break;
    for (int i = thread; i < count; i += kGroupThreads) {
      if (m.parent[i] == i) m.parent[i] = m.count[i];
    }
  }
  for (int i = thread; i < count; i += kGroupThreads) m.count[i] = 0;
  __syncthreads();
  for (int i = thread; i < count; i += kGroupThreads) {
    const int root = m.parent[i];
    const Box box = m.boxes[i];
    atomicAdd(&m.count[root], 1);
    const int sides[4] = {box.x, box.y, box.width, box.height};
    for (int k = 0; k < 4; ++k)
      atomicAdd(&m.sums[root][k], static_cast<unsigned long long>(static_cast<long long>(sides[k])));
    atomicMax(&m.best[root], ordered_bits(m.scores[i]));
  }
  __syncthreads();
  // A group's number is the place of its root among roots; kept ones, in `keys`.
  const int groups = compact_block(
      m.warp_sums, count, [&](int i) { return m.count[i] > min_neighbors; },
      [&](int i, int place) { m.keys[place] = static_cast<std::uint64_t>(i); });
  for (int g = thread; g < groups; g += kGroupThreads) {
    const int root = static_cast<int>(m.keys[g]);
    const auto mean = [&](int k) {
      return group_mean(static_cast<std::int64_t>(m.sums[root][k]), m.count[root]);
    };
    m.boxes[g] = {mean(0), mean(1), mean(2), mean(3)};
  }
  __syncthreads();
  return compact_block(
      m.warp_sums, groups,
      [&](int g) {
        const int members = m.count[m.keys[g]];
        for (int other = 0; other < groups; ++other) {
          if (other != g && swallowed(m.boxes[g], members, m.boxes[other], m.count[m.keys[other]], eps))
            return false;
        }
        return true;
      },
      [&](int g, int place) {
        objects[place] = {m.boxes[g], ordered_value(m.best[m.keys[g]]), m.count[m.keys[g]]};
      });
}

}  // namespace winnow
