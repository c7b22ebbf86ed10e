// Lets blocks of a running kernel publish sums and add up the sums of earlier blocks (decoupled look-back).
//
// In:     a tile's own sum for each of its lines (rows or columns), and the run's stamp, which is twice the
//         run's number.
// Out:    the sum of a line over all tiles before this one.
// Exact:  sums modulo 2^32.
// Memory: the caller owns the published words, in global memory. They must be 0 before the first run, and are
//         never cleared again. With two channels a pair of words lies at a multiple of 16 bytes.
// Thread: device code. A block must publish its own sums before it looks back at earlier tickets.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "base/device/warp_cuda.cuh"

namespace winnow {

using Word = unsigned long long;

constexpr int kWindow = 2;  // the number of tiles whose words a thread reads at once

// Sums of each channel. Channel 0 has sums of pixels, channel 1 sums of squared pixels.
template <int kChannels>
struct Sums {
  std::uint32_t of[kChannels];
};

// A published word has a value and a stamp, one word per channel, so that both are read together. The stamp
// is twice the number of the run, plus the extent of the value: `kTile` for the tile alone, `kAll` for the
// tile and all tiles before it. All runs write the same words, so a word holds a stamp of this run or of the
// run before. The numbers of runs may therefore begin anew after 2^31 runs.
constexpr std::uint32_t kTile = 0, kAll = 1;

template <int kChannels>
struct Published {
  Sums<kChannels> sums;
  std::uint32_t extent;  // kTile or kAll; larger if not published yet
};

template <int kChannels>
__device__ Published<kChannels> read_published(const Word* at, std::uint32_t run) {
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
  Published<kChannels> result;
#pragma unroll
  for (int c = 0; c < kChannels; ++c) result.sums.of[c] = static_cast<std::uint32_t>(words[c]);
  // The two words may come from different writes, so both stamps are checked.
  const auto stamp = static_cast<std::uint32_t>(words[0] >> 32);
  result.extent = stamp == static_cast<std::uint32_t>(words[1] >> 32) ? stamp - run : ~0u;
  return result;
}

template <int kChannels>
__device__ void publish(Word* at, const Sums<kChannels>& sums, std::uint32_t stamp) {
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

// Publishes the sum over a warp's lanes.
template <int kChannels>
__device__ void publish_sum(Word* at, Sums<kChannels> sums, std::uint32_t stamp) {
#pragma unroll
  for (int c = 0; c < kChannels; ++c) sums.of[c] = warp_sum(sums.of[c]);
  if (threadIdx.x % 32 == 0) publish(at, sums, stamp);
}

// The sum of a line over the `count` tiles before this one, whose words lie `distance` apart. Goes back tile
// by tile and adds their sums, until a tile has published the sum over itself and all tiles before it. Reads
// several tiles at once, since each read takes long.
template <int kChannels>
__device__ Sums<kChannels> look_back(const Word* at, std::int64_t distance, std::uint32_t count,
                                     std::uint32_t run) {
  Sums<kChannels> total{};
  while (count > 0) {
    Published<kChannels> seen[kWindow];
#pragma unroll
    for (std::uint32_t i = 0; i < kWindow; ++i)
      seen[i] = read_published<kChannels>(at - min(i + 1, count) * distance, run);
    std::uint32_t taken = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kWindow; ++i) {
      if (taken != i || i >= count || seen[i].extent > kAll) continue;
#pragma unroll
      for (int c = 0; c < kChannels; ++c) total.of[c] += seen[i].sums.of[c];
      if (seen[i].extent == kAll) return total;
      ++taken;
    }
    at -= taken * distance;
    count -= taken;
    if (taken == 0) __nanosleep(20);
  }
  return total;
}

}  // namespace winnow
