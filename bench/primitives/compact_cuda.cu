#include "primitives/compact_cuda.h"

#include <winnow/error.h>

#include "base/device/warp_cuda.cuh"

namespace winnow {
namespace {

// A block takes a tile of windows, and its warps take one word of the mask after the other. Smaller tiles
// mean more tickets, and more earlier tiles to read: 10 million windows took 63 us with 2,048 per tile, 52
// with 4,096.
constexpr int kThreads = 512, kWarps = kThreads / 32, kWordsEach = 12;
constexpr int kTileWindows = kWarps * kWordsEach * 64;

// The word that a tile publishes for later tiles: the number of living windows in the tile (kTile), or in the
// tile and all tiles before it (kAll). Zero means that the tile has published nothing.
using Word = unsigned long long;
constexpr Word kTile = 1, kAll = 2, kExtentMask = 3;
constexpr int kExtentBits = 2;

struct CompactJob {
  const std::int64_t* windows;
  const Word* mask;
  std::int64_t* out;
  Word *kept, *published;
  unsigned *ticket, *done;
  std::size_t count;
};

// The number of living windows in all tiles before this one, computed by a warp. Each lane reads the word of
// one tile. The warp goes back until it meets a tile that has published its kAll. Tiles with earlier tickets
// run or have run, so they will publish.
__device__ Word look_back(const Word* published, unsigned tile) {
  const unsigned lane = threadIdx.x % 32;
  Word sum = 0;
  for (unsigned end = tile; end > 0;) {
    const bool there = lane < end;
    Word seen = there ? *static_cast<const volatile Word*>(published + (end - 1 - lane)) : kAll;
    while (__any_sync(~0u, (seen & kExtentMask) == 0)) {
      if ((seen & kExtentMask) == 0) seen = *static_cast<const volatile Word*>(published + (end - 1 - lane));
    }
    const unsigned alls = __ballot_sync(~0u, (seen & kExtentMask) == kAll);
    const unsigned last = alls == 0 ? 31 : static_cast<unsigned>(__ffs(static_cast<int>(alls)) - 1);
    Word own = lane <= last ? seen >> kExtentBits : 0;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) own += __shfl_xor_sync(~0u, own, distance);
    sum += own;
    if (alls != 0) break;
    end -= 32;
  }
  return sum;
}

// `kInPlace`: a tile reads its windows before it publishes anything. A tile writes only when all tiles before
// it have published. So no window is overwritten before it is read.
template <bool kInPlace>
__global__ void __launch_bounds__(kThreads) compact_kernel(const __grid_constant__ CompactJob job) {
  __shared__ unsigned ticket;
  __shared__ int living[kWarps];
  __shared__ Word before;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  if (thread == 0) ticket = atomicAdd(job.ticket, 1u);
  __syncthreads();
  const unsigned tile = ticket;
  const std::size_t first =
      static_cast<std::size_t>(tile) * kTileWindows + static_cast<std::size_t>(warp) * (kWordsEach * 64);

  Word own = 0;
  if (const std::size_t at = first + static_cast<std::size_t>(lane) * 64;
      lane < kWordsEach && at < job.count) {
    own = job.mask[at / 64];
    if (job.count - at < 64) own &= (Word{1} << (job.count - at)) - 1;
  }
  const int of_warp = warp_sum(__popcll(own));
  if (lane == 0) living[warp] = of_warp;
  const auto bits = [&](int i) {  // the bits of the warp's i-th 32 windows
    return __shfl_sync(~0u, static_cast<unsigned>(i % 2 == 0 ? own : own >> 32), i / 2);
  };
  std::int64_t windows[kWordsEach * 2];
  const auto read = [&] {
#pragma unroll
    for (int i = 0; i < kWordsEach * 2; ++i)
      if ((bits(i) >> lane & 1) != 0)
        windows[i] = job.windows[first + static_cast<std::size_t>(i * 32 + lane)];
  };
  if constexpr (kInPlace) read();
  __syncthreads();
  int warps_before = 0, all = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) warps_before += living[w];
    all += living[w];
  }
  const auto publish = [&](Word value, Word extent) {
    if constexpr (kInPlace) __threadfence();
    *static_cast<volatile Word*>(job.published + tile) = value << kExtentBits | extent;
  };
  if (thread == 0) publish(static_cast<Word>(all), tile == 0 ? kAll : kTile);
  if constexpr (!kInPlace) read();
  if (warp == 0) {
    const Word sum = look_back(job.published, tile);
    if constexpr (kInPlace) __threadfence();  // earlier tiles' reads come before this tile's writes
    if (lane == 0) {
      before = sum;
      if (tile > 0) publish(sum + static_cast<Word>(all), kAll);
      if (tile == gridDim.x - 1) *job.kept = sum + static_cast<Word>(all);
    }
  }
  __syncthreads();
  std::int64_t* to = job.out + before + warps_before;
  const unsigned below = (1u << lane) - 1;
#pragma unroll
  for (int i = 0; i < kWordsEach * 2; ++i) {
    const unsigned here = bits(i);
    if ((here >> lane & 1) != 0) to[__popc(here & below)] = windows[i];
    to += __popc(here);
  }
  if (warp != 0) return;
  // When all tiles have published and looked back, clear the words for the next run.
  unsigned tiles_done = 0;
  if (lane == 0) {
    __threadfence();
    tiles_done = atomicInc(job.done, gridDim.x - 1) + 1;
    __threadfence();
  }
  if (__shfl_sync(~0u, tiles_done, 0) != gridDim.x) return;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) job.published[i] = 0;
  if (lane == 0) *job.ticket = 0;
}

std::size_t tiles_for(std::size_t count) { return (count + kTileWindows - 1) / kTileWindows; }

}  // namespace

void DeviceCompact::plan(std::size_t count) {
  count_ = 0;  // stays 0 if an allocation fails
  published_.reserve(tiles_for(count));
  counters_.reserve(2);
  check_cuda(cudaMemset(published_.data(), 0, published_.size() * sizeof(Word)), "planning a compaction");
  check_cuda(cudaMemset(counters_.data(), 0, counters_.size() * sizeof(unsigned)), "planning a compaction");
  check_cuda(cudaStreamSynchronize(nullptr), "planning a compaction");
  count_ = count;
}

void DeviceCompact::enqueue(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                            std::span<std::int64_t> out, std::uint64_t* kept, cudaStream_t stream) const {
  if (mask.size() < (windows.size() + 63) / 64 || out.size() < windows.size())
    throw Error(ErrorCode::kUsage, "compaction needs a bit and a place for every window");
  if (windows.size() > count_) throw Error(ErrorCode::kUsage, "more windows to compact than were planned");
  if (windows.empty()) {
    check_cuda(cudaMemsetAsync(kept, 0, sizeof(*kept), stream), "clearing a count");
    return;
  }
  static_assert(sizeof(Word) == sizeof(std::uint64_t));
  const CompactJob job{windows.data(),       reinterpret_cast<const Word*>(mask.data()),
                       out.data(),           reinterpret_cast<Word*>(kept),
                       published_.data(),    counters_.data(),
                       counters_.data() + 1, windows.size()};
  const auto kernel = windows.data() == out.data() ? compact_kernel<true> : compact_kernel<false>;
  kernel<<<static_cast<unsigned>(tiles_for(windows.size())), kThreads, 0, stream>>>(job);
  check_launch("launching a compaction");
}

}  // namespace winnow
