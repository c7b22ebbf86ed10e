// Decoupled look-back: how the blocks of a running kernel tell each other sums, and add up those of the
// blocks before them. exact.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace winnow {

using Word = unsigned long long;

constexpr int kWindow = 2;  // tiles that a line looks at at a time

// Channel 0 is sums, channel 1 squared sums.
template <int kChannels>
struct Sums {
  std::uint32_t of[kChannels];
};

// What a line of a tile, or a strip, tells those after it: a value and a stamp in one word a channel, so that
// neither can be seen without the other. A stamp is twice the number of the run, plus how far the value
// reaches: over the tile alone, or over all before it, too. Each run writes every word that it reads, so that
// a word holds a stamp of this run or of the last: that numbers begin anew after 2^31 runs harms nobody.
constexpr std::uint32_t kTile = 0, kAll = 1;

template <int kChannels>
struct Told {
  Sums<kChannels> sums;
  std::uint32_t reach;  // kTile, kAll; more: not told yet
};

template <int kChannels>
__device__ Told<kChannels> told(const Word* at, std::uint32_t run) {
  Word words[2];
  const std::size_t address = __cvta_generic_to_global(at);
  if constexpr (kChannels == 1) {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(words[0]) : "l"(address));
    words[1] = words[0];
  } else {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(words[0]), "=l"(words[1])
                 : "l"(address));
  }
  Told<kChannels> result;
#pragma unroll
  for (int c = 0; c < kChannels; ++c) result.sums.of[c] = static_cast<std::uint32_t>(words[c]);
  // Two words come each by itself: one may be newer than the other.
  const auto stamp = static_cast<std::uint32_t>(words[0] >> 32);
  result.reach = stamp == static_cast<std::uint32_t>(words[1] >> 32) ? stamp - run : ~0u;
  return result;
}

template <int kChannels>
__device__ void tell(Word* at, const Sums<kChannels>& sums, std::uint32_t stamp) {
  Word words[2];
#pragma unroll
  for (int c = 0; c < kChannels; ++c) words[c] = static_cast<Word>(stamp) << 32 | sums.of[c];
  const std::size_t address = __cvta_generic_to_global(at);
  if constexpr (kChannels == 1) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(words[0]) : "memory");
  } else {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(words[0]), "l"(words[1])
                 : "memory");
  }
}

// The sum over a warp's lanes.
template <int kChannels>
__device__ void tell_sum(Word* at, Sums<kChannels> sums, std::uint32_t stamp) {
#pragma unroll
  for (int c = 0; c < kChannels; ++c) sums.of[c] = __reduce_add_sync(~0u, sums.of[c]);
  if (threadIdx.x % 32 == 0) tell(at, sums, stamp);
}

// The sum of a line over the `count` tiles before this one, whose words lie `distance` apart: tiles' own
// sums, back to the first that has told the sum of all. Several are asked at a time, since each answer takes
// its way.
template <int kChannels>
__device__ Sums<kChannels> look_back(const Word* at, std::int64_t distance, std::uint32_t count,
                                     std::uint32_t run) {
  Sums<kChannels> total{};
  while (count > 0) {
    Told<kChannels> seen[kWindow];
#pragma unroll
    for (std::uint32_t i = 0; i < kWindow; ++i)
      seen[i] = told<kChannels>(at - min(i + 1, count) * distance, run);
    std::uint32_t taken = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kWindow; ++i) {
      if (taken != i || i >= count || seen[i].reach > kAll) continue;
#pragma unroll
      for (int c = 0; c < kChannels; ++c) total.of[c] += seen[i].sums.of[c];
      if (seen[i].reach == kAll) return total;
      ++taken;
    }
    at -= taken * distance;
    count -= taken;
    if (taken == 0) __nanosleep(20);
  }
  return total;
}

}  // namespace winnow
