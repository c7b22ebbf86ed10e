// Adds up values of HOG blocks on a device, as hog/blocks/block_learner.h declares; its opening comment holds
// here. Each thread takes a tile of pairs of values, or one sample.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "base/device/cuda_range.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/response_rule.h"

namespace winnow {
namespace {

constexpr int kValues = kHogBlockValues;
constexpr int kPlaceThreads = 256;  // for kernels in which each thread takes a sample
// Shared memory holds a chunk of samples, four units per word. A row is kRowPitch words, so that the four
// tiles of a warp lie in different banks.
constexpr int kChunk = 256, kChunkWords = kChunk / 4, kRowPitch = kChunkWords + 2;
// A thread adds up the products of a tile of 4 by 4 values. The thread takes every kSlices-th word of
// samples.
constexpr int kTile = 4, kTilesDown = kValues / kTile, kTiles = kTilesDown * (kTilesDown + 1) / 2;
constexpr int kSlices = 8, kMomentThreads = (kTiles * kSlices + 31) / 32 * 32;
static_assert(kValues % kTile == 0 && kMomentThreads >= kValues * kSlices && 32 % kSlices == 0);
// A product of two bytes is below 2^16, so a thread's sums over kMostPlaces / kSlices samples fit 32 bits.
constexpr std::size_t kMostPlaces = std::size_t{kSlices} << 15;
static_assert((kMostPlaces / kSlices << 16) < std::size_t{1} << 32);
static_assert(kUnitBits == 8 && kMostMomentWeight < 1 << 16);

struct DeviceSamples {
  const std::uint32_t* sums;
  std::size_t places;
  int columns;  // columns of corners
  int grid;
};

struct DeviceWeights {
  std::int16_t of[kValues];
};

// Calls `take(bin, cell, value)` for each value of a block at a place.
template <class Take>
__device__ void take_values(const DeviceSamples& samples, const HogBlock& block, std::size_t place, int shift,
                            Take take) {
#pragma unroll
  for (int bin = 0; bin < kVoteBins; ++bin) {
    std::uint32_t sums[3][3];
#pragma unroll
    for (int j = 0; j < 3; ++j) {
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        const int corner =
            (block.y + j * block.cell_height) * samples.columns + block.x + i * block.cell_width;
        sums[j][i] =
            samples.sums[static_cast<std::size_t>(corner * kVoteBins + bin) * samples.places + place];
      }
    }
#pragma unroll
    for (int cell = 0; cell < 4; ++cell) {
      const int i = cell % 2, j = cell / 2;
      const std::uint32_t sum = sums[j + 1][i + 1] - sums[j + 1][i] - sums[j][i + 1] + sums[j][i];
      take(bin, cell, static_cast<std::int32_t>(sum >> shift));
    }
  }
}

__device__ int shift_of(const DeviceSamples& samples, const HogBlock& block) {
  return value_shift(block.cell_width * block.cell_height * samples.grid * samples.grid);
}

// Computes units (normalised values) of HOG blocks. Row `blockIdx.y` of `units` belongs to HOG block
// `list[blockIdx.y]`. A row is kValues lists of `places` units.
__global__ void __launch_bounds__(kPlaceThreads)
    describe_kernel(DeviceSamples samples, const HogBlock* blocks, const std::uint32_t* list,
                    std::uint8_t* units) {
  const std::size_t place = std::size_t{blockIdx.x} * kPlaceThreads + threadIdx.x;
  if (place >= samples.places) return;
  const HogBlock block = blocks[list[blockIdx.y]];
  std::int32_t values[kValues], squares = 0;
  take_values(samples, block, place, shift_of(samples, block), [&](int bin, int cell, std::int32_t value) {
    values[cell * kVoteBins + bin] = value;
    squares += value * value;
  });
  const float per_length = unit_per_length(squares);
  std::uint8_t* const to = units + std::size_t{blockIdx.y} * kValues * samples.places + place;
#pragma unroll
  for (int i = 0; i < kValues; ++i)
    to[static_cast<std::size_t>(i) * samples.places] =
        static_cast<std::uint8_t>(unit_value(values[i], per_length));
}

// Device code takes a `BlockMoments` as a list of sums. These are the indices at which its parts begin.
constexpr std::size_t kProductSums = std::size_t{kValues} * kValues, kUpSums = kProductSums,
                      kDownSums = kUpSums + kValues, kMomentSums = kDownSums + kValues;
static_assert(sizeof(BlockMoments) == kMomentSums * sizeof(std::int64_t) &&
              offsetof(BlockMoments, up) == kUpSums * sizeof(std::int64_t) &&
              offsetof(BlockMoments, down) == kDownSums * sizeof(std::int64_t));

struct MomentJob {
  const std::uint8_t* units;     // rows as `describe_kernel` makes them
  const std::uint32_t* rows;     // for each result, the row of its block in `units`
  const std::uint16_t* weights;  // one for each place
  unsigned long long* results;   // kMomentSums for each result, which are 0 before the kernel adds to them
  std::size_t places, first_negative;
  std::size_t share;  // places that a thread block takes: whole chunks, at most kMostPlaces
};

// The sum over the lanes whose `threadIdx.x / kSlices` is the same.
__device__ std::uint64_t add_slices(std::uint64_t sum) {
#pragma unroll
  for (int distance = 1; distance < kSlices; distance *= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  return sum;
}

// A thread block takes one HOG block and a share of the samples. For a chunk of samples it multiplies units
// by weights, and keeps low and high bytes of these products apart. Then each thread multiplies four bytes by
// four bytes at a time (`__dp4a`).
__global__ void __launch_bounds__(kMomentThreads) moments_kernel(const __grid_constant__ MomentJob job) {
  __shared__ std::uint32_t units[kValues][kRowPitch], low[kValues][kRowPitch], high[kValues][kRowPitch];
  const int thread = static_cast<int>(threadIdx.x), slice = thread % kSlices, mine = thread / kSlices;
  unsigned long long* const result = job.results + blockIdx.x * kMomentSums;
  const auto* const from = reinterpret_cast<const std::uint32_t*>(
      job.units + std::size_t{job.rows[blockIdx.x]} * kValues * job.places);
  // The thread's tile in the lower triangle of products: row `down`, column `across`. Threads beyond the last
  // tile repeat that tile, and store nothing.
  int down = 0, across = min(mine, kTiles - 1);
  while (across > down) across -= ++down;
  std::uint32_t lows[kTile][kTile] = {}, highs[kTile][kTile] = {};
  const std::size_t begin = blockIdx.y * job.share, end = min(begin + job.share, job.places);
  for (int kind = 0; kind < 2; ++kind) {
    const bool negative = kind == 1;
    const std::size_t first = negative ? max(begin, job.first_negative) : begin,
                      last = negative ? end : min(end, job.first_negative);
    std::uint32_t low_sum = 0, high_sum = 0;  // the sums of low and of high bytes for value `mine`
    for (std::size_t at = first; at < last; at += kChunk) {
      const int words = static_cast<int>(min(last - at, std::size_t{kChunk}) / 4);
      __syncthreads();
      for (int i = thread; i < kValues * kChunkWords; i += kMomentThreads) {
        const int row = i / kChunkWords, word = i % kChunkWords;
        std::uint32_t four = 0, four_low = 0, four_high = 0;
        if (word < words) {
          four = from[static_cast<std::size_t>(row) * (job.places / 4) + at / 4 +
                      static_cast<std::size_t>(word)];
          const uint2 weights = reinterpret_cast<const uint2*>(job.weights + at)[word];
#pragma unroll
          for (int k = 0; k < 4; ++k) {
            const std::uint32_t weight = (k < 2 ? weights.x : weights.y) >> (16 * (k % 2)) & 0xffff;
            const auto weighted = static_cast<std::uint32_t>(weighted_unit(
                static_cast<std::int32_t>(four >> (8 * k) & 0xff), static_cast<std::int32_t>(weight)));
            four_low |= (weighted & 0xff) << (8 * k);
            four_high |= (weighted >> 8) << (8 * k);
          }
        }
        units[row][word] = four, low[row][word] = four_low, high[row][word] = four_high;
      }
      __syncthreads();
#pragma unroll 2
      for (int word = slice; word < kChunkWords; word += kSlices) {
        std::uint32_t u[kTile];
#pragma unroll
        for (int j = 0; j < kTile; ++j) u[j] = units[across * kTile + j][word];
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
          const std::uint32_t l = low[down * kTile + i][word], h = high[down * kTile + i][word];
#pragma unroll
          for (int j = 0; j < kTile; ++j) {
            lows[i][j] = __dp4a(l, u[j], lows[i][j]);
            highs[i][j] = __dp4a(h, u[j], highs[i][j]);
          }
        }
      }
      if (mine < kValues) {
        for (int word = slice; word < kChunkWords; word += kSlices) {
          low_sum = __dp4a(low[mine][word], 0x01010101u, low_sum);
          high_sum = __dp4a(high[mine][word], 0x01010101u, high_sum);
        }
      }
    }
    const std::uint64_t sum = add_slices(low_sum + (std::uint64_t{high_sum} << 8));
    if (slice == 0 && mine < kValues)
      atomicAdd(result + (negative ? kDownSums : kUpSums) + mine, static_cast<unsigned long long>(sum));
  }
#pragma unroll
  for (int i = 0; i < kTile; ++i) {
#pragma unroll
    for (int j = 0; j < kTile; ++j) {
      const std::uint64_t sum = add_slices(lows[i][j] + (std::uint64_t{highs[i][j]} << 8));
      const int row = down * kTile + i, column = across * kTile + j;
      if (slice == 0 && mine < kTiles && column <= row)
        atomicAdd(result + row * kValues + column, static_cast<unsigned long long>(sum));
    }
  }
}

__global__ void __launch_bounds__(kPlaceThreads)
    products_kernel(DeviceSamples samples, HogBlock block, const __grid_constant__ DeviceWeights weights,
                    std::int32_t* products, std::int32_t* squares) {
  const std::size_t place = std::size_t{blockIdx.x} * kPlaceThreads + threadIdx.x;
  if (place >= samples.places) return;
  std::int32_t product = 0, square = 0;
  take_values(samples, block, place, shift_of(samples, block), [&](int bin, int cell, std::int32_t value) {
    product += value * weights.of[cell * kVoteBins + bin];
    square += value * value;
  });
  products[place] = product;
  squares[place] = square;
}

class BlockLearnerCuda final : public BlockLearner {
 public:
  // The device must be current.
  BlockLearnerCuda(const BlockSamples& samples, std::span<const HogBlock> blocks, int device,
                   std::int64_t unit_bytes)
      : device_(device), first_negative_(samples.first_negative()), stream_(make_stream()) {
    const Size cells = samples.cells();
    const std::size_t corners =
        static_cast<std::size_t>(cells.width + 1) * static_cast<std::size_t>(cells.height + 1);
    upload(std::span(samples.sums(0, 0, 0), corners * kVoteBins * samples.places()), sums_);
    upload(blocks, blocks_);
    samples_ = {sums_.data(), samples.places(), cells.width + 1, samples.grid()};
    weights_.reserve(samples_.places);
    products_.reserve(2 * samples_.places);
    host_products_.reserve(2 * samples_.places);
    rows_.reserve(2 * blocks.size());
    results_.reserve(blocks.size() * kMomentSums);
    plan_rows(blocks.size(), unit_bytes);
    std::vector<std::uint32_t> kept(kept_);
    for (std::size_t i = 0; i < kept_; ++i) kept[i] = static_cast<std::uint32_t>(i);
    describe(kept, units_.data());
    wait();
  }

  void moments(std::span<const std::uint32_t> which, std::span<const std::uint16_t> weights,
               std::span<BlockMoments> results) override {
    const CudaRange range("moments of blocks");
    const OnDevice on(device_);
    send(weights.data(), weights.size_bytes(), weights_.data());
    check_cuda(cudaMemsetAsync(results_.data(), 0, which.size() * sizeof(BlockMoments), stream_.get()),
               "clearing moments");
    std::size_t at = 0;
    while (at < which.size()) {
      // Takes either blocks whose units are kept, or as many other blocks as the scratch holds.
      const bool kept = which[at] < kept_;
      std::size_t count = 0;
      while (at + count < which.size() && (which[at + count] < kept_) == kept && (kept || count < scratch_))
        ++count;
      const std::span<const std::uint32_t> some = which.subspan(at, count);
      const std::size_t scratch_row = kept_ * kValues * samples_.places;
      if (!kept) describe(some, units_.data() + scratch_row);
      add_moments(some, kept, results_.data() + at * kMomentSums);
      at += count;
    }
    check_cuda(cudaMemcpyAsync(results.data(), results_.data(), which.size() * sizeof(BlockMoments),
                               cudaMemcpyDeviceToHost, stream_.get()),
               "copying moments from the device");
    wait();
  }

  void products(const HogBlock& block, const std::array<std::int16_t, kHogBlockValues>& weights,
                std::span<std::int32_t> products, std::span<std::int32_t> squares) override {
    const OnDevice on(device_);
    DeviceWeights sent;
    std::copy(weights.begin(), weights.end(), sent.of);
    const std::size_t places = samples_.places;
    products_kernel<<<place_blocks(), kPlaceThreads, 0, stream_.get()>>>(
        samples_, block, sent, products_.data(), products_.data() + places);
    check_launch("multiplying values of blocks");
    check_cuda(cudaMemcpyAsync(host_products_.data(), products_.data(), 2 * places * sizeof(std::int32_t),
                               cudaMemcpyDeviceToHost, stream_.get()),
               "copying products from the device");
    wait();
    std::copy_n(host_products_.data(), places, products.begin());
    std::copy_n(host_products_.data() + places, places, squares.begin());
  }

 private:
  unsigned place_blocks() const {
    return static_cast<unsigned>((samples_.places + kPlaceThreads - 1) / kPlaceThreads);
  }

  void wait() { check_cuda(cudaStreamSynchronize(stream_.get()), "training blocks on the device"); }

  // Copies to the device. Waits, so that the caller may overwrite the host memory, which is not pinned.
  void send(const void* from, std::size_t bytes, void* to) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get()),
               "copying to the device");
    wait();
  }

  // Reserves memory for the units of as many blocks as fit `most` bytes and seven eighths of the free memory.
  // Other blocks share a scratch.
  void plan_rows(std::size_t blocks, std::int64_t most) {
    const std::size_t row = kValues * samples_.places;
    std::size_t free = 0, all = 0;
    check_cuda(cudaMemGetInfo(&free, &all), "asking for free memory");
    const std::size_t room =
        std::max<std::size_t>(std::min(free / 8 * 7, static_cast<std::size_t>(most)) / row, 2);
    scratch_ = room < blocks ? std::clamp<std::size_t>(room / 8, 1, 256) : 0;
    kept_ = room < blocks ? room - scratch_ : blocks;
    units_.reserve((kept_ + scratch_) * row);
  }

  void describe(std::span<const std::uint32_t> list, std::uint8_t* units) {
    constexpr std::size_t kMostRows = 32768;
    for (std::size_t at = 0; at < list.size(); at += kMostRows) {
      const auto some = list.subspan(at, std::min(kMostRows, list.size() - at));
      send(some.data(), some.size_bytes(), rows_.data());
      const dim3 grid(place_blocks(), static_cast<unsigned>(some.size()));
      describe_kernel<<<grid, kPlaceThreads, 0, stream_.get()>>>(samples_, blocks_.data(), rows_.data(),
                                                                 units + at * kValues * samples_.places);
      check_launch("describing blocks");
    }
  }

  void add_moments(std::span<const std::uint32_t> list, bool kept, unsigned long long* results) {
    std::vector<std::uint32_t> rows(list.begin(), list.end());
    for (std::size_t i = 0; !kept && i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(kept_ + i);
    std::uint32_t* const sent = rows_.data() + blocks_.size();
    send(rows.data(), rows.size() * sizeof(std::uint32_t), sent);
    // If there are few HOG blocks, several thread blocks share one HOG block, so that all multiprocessors
    // have work.
    const auto wanted = static_cast<std::size_t>(4 * current_processors());
    const std::size_t chunks = (samples_.places + kChunk - 1) / kChunk;
    const std::size_t shares =
        std::clamp<std::size_t>(wanted / rows.size(), (samples_.places + kMostPlaces - 1) / kMostPlaces,
                                std::max<std::size_t>(chunks / 4, 1));
    const std::size_t share = (chunks + shares - 1) / shares * kChunk;
    const MomentJob job{units_.data(),   sent, weights_.data(), results, samples_.places,
                        first_negative_, share};
    const dim3 grid(static_cast<unsigned>(rows.size()),
                    static_cast<unsigned>((samples_.places + share - 1) / share));
    moments_kernel<<<grid, kMomentThreads, 0, stream_.get()>>>(job);
    check_launch("adding up moments");
  }

  int device_;
  std::size_t first_negative_;
  CudaStream stream_;
  DeviceBuffer<std::uint32_t> sums_;
  DeviceBuffer<HogBlock> blocks_;
  DeviceSamples samples_{};
  DeviceBuffer<std::uint8_t> units_;
  std::size_t kept_ = 0, scratch_ = 0;  // rows of units: `kept_` rows stay, `scratch_` rows are overwritten
  DeviceBuffer<std::uint16_t> weights_;
  DeviceBuffer<std::uint32_t> rows_;
  DeviceBuffer<unsigned long long> results_;
  DeviceBuffer<std::int32_t> products_;
  PinnedBuffer<std::int32_t> host_products_;
};

}  // namespace

std::unique_ptr<BlockLearner> make_block_learner_cuda(const BlockSamples& samples,
                                                      std::span<const HogBlock> blocks, int device,
                                                      std::int64_t unit_bytes) {
  const CudaRange range("learner of blocks");
  require_cuda_device(device);
  const OnDevice on(device);
  return std::make_unique<BlockLearnerCuda>(samples, blocks, device, unit_bytes);
}

}  // namespace winnow
