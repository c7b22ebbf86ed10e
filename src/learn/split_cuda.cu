#include <algorithm>

#include "base/device/cuda_device.h"
#include "learn/split_cuda.h"

namespace winnow {
namespace {

// One thread per bin.
constexpr int kThreads = kBins, kWarps = kThreads / 32;
// The number of rows that a thread block adds up at once. It reads the weights once for all these rows.
constexpr int kRows = 4;
// The number of copies of a row's sums; neighbouring lanes use different copies. With one copy, lanes whose
// samples fall into the same bin would wait for each other. The padding in kPitch puts the copies of a bin
// into different banks.
constexpr int kCopies = 4, kPitch = 2 * kBins + 8;

struct Memory {
  std::uint32_t bin_sums[kRows][kCopies][kPitch];  // per row and copy: bins of positives, then of negatives
  BinWeights bins;                                 // one row's bins, for LBP
  std::uint8_t order[kBins];
  std::uint64_t sums[kWarps];
  Cut cuts[kWarps];
  double purities[kTableBins];
};

__device__ void clear(Memory& m) {
  auto* words = &m.bin_sums[0][0][0];
  for (int i = static_cast<int>(threadIdx.x); i < kRows * kCopies * kPitch; i += kThreads) words[i] = 0;
}

// The weights of four samples, and their bins in up to kRows rows.
struct Samples {
  uint4 weights;
  std::uint32_t bins[kRows];
};

__device__ Samples load(const SplitJob& job, const std::uint8_t* const (&row)[kRows], int rows,
                        unsigned quad) {
  Samples samples;
  samples.weights = __ldg(reinterpret_cast<const uint4*>(job.weights) + quad);
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    samples.bins[r] = r < rows ? __ldcs(reinterpret_cast<const unsigned*>(row[r]) + quad) : 0;
  return samples;
}

__device__ void add(Memory& m, const Samples& samples, unsigned first, std::uint32_t positives, int rows) {
  const unsigned copy = threadIdx.x % kCopies;
  const std::uint32_t weights[4] = {samples.weights.x, samples.weights.y, samples.weights.z,
                                    samples.weights.w};
#pragma unroll
  for (unsigned s = 0; s < 4; ++s) {
    if (weights[s] == 0) continue;
    const unsigned side = first + s < positives ? 0 : kBins;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (r < rows) atomicAdd(&m.bin_sums[r][copy][side + (samples.bins[r] >> (8 * s) & 255)], weights[s]);
    }
  }
}

// Adds the weights of all samples to the bins of `rows` rows. The next samples are loaded at the same time.
__device__ void add_rows(Memory& m, const SplitJob& job, const std::uint8_t* const (&row)[kRows], int rows) {
  const auto quads = static_cast<unsigned>(job.pitch / 4);
  unsigned quad = threadIdx.x;
  if (quad >= quads) return;
  Samples samples = load(job, row, rows, quad);
  for (; quad + kThreads < quads; quad += kThreads) {
    const Samples next = load(job, row, rows, quad + kThreads);
    add(m, samples, 4 * quad, job.positives, rows);
    samples = next;
  }
  add(m, samples, 4 * quad, job.positives, rows);
}

// The weights of this thread's bin. For LBP this is the bin at the thread's place in the order of
// `less_positive`.
template <SplitKind kKind>
__device__ Weights own_bin(Memory& m, int r) {
  const auto b = static_cast<int>(threadIdx.x);
  Weights own;
#pragma unroll
  for (int c = 0; c < kCopies; ++c) {
    own.positive += m.bin_sums[r][c][b];
    own.negative += m.bin_sums[r][c][kBins + b];
  }
  if constexpr (kKind == SplitKind::kLikelihood) {
    m.bins.positive[b] = own.positive;
    m.bins.negative[b] = own.negative;
    __syncthreads();
    m.order[place_in_order(m.bins, b)] = static_cast<std::uint8_t>(b);
    __syncthreads();
    const int at = m.order[b];
    own = {m.bins.positive[at], m.bins.negative[at]};
  }
  return own;
}

// The sums of this thread's bin and of all bins before it, for positives and for negatives. Both sums fit in
// one word of 64 bits, since all weights sum to less than 2^31.
__device__ Weights sums_up_to(Memory& m, Weights own) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint64_t sum = std::uint64_t{own.positive} << 32 | own.negative;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint64_t before = __shfl_up_sync(~0u, static_cast<unsigned long long>(sum), step);
    if (lane >= step) sum += before;
  }
  if (lane == 31) m.sums[warp] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned w = 0; w < kWarps; ++w) sum += w < warp ? m.sums[w] : 0;
  return {static_cast<std::uint32_t>(sum >> 32), static_cast<std::uint32_t>(sum)};
}

// Gives every thread the best cut of all threads.
__device__ Cut best_cut(Memory& m, Cut best) {
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) {
    const Cut other{__shfl_xor_sync(~0u, best.gain, static_cast<int>(step)),
                    __shfl_xor_sync(~0u, best.last, static_cast<int>(step))};
    if (better(other, best)) best = other;
  }
  if (threadIdx.x % 32 == 0) m.cuts[threadIdx.x / 32] = best;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    if (better(m.cuts[w], best)) best = m.cuts[w];
  }
  return best;
}

// Gives every thread a table's gain. The purities are added in the order of the table's bins.
__device__ double table_gain(Memory& m, BoostKind boost, Weights own) {
  static_assert(kBinsOfTableBin == 16);
#pragma unroll
  for (int step = kBinsOfTableBin / 2; step > 0; step /= 2) {
    own.positive += __shfl_xor_sync(~0u, own.positive, step);
    own.negative += __shfl_xor_sync(~0u, own.negative, step);
  }
  if (threadIdx.x % kBinsOfTableBin == 0) m.purities[threadIdx.x / kBinsOfTableBin] = purity(boost, own);
  __syncthreads();
  double gain = 0;
#pragma unroll
  for (int b = 0; b < kTableBins; ++b) gain += m.purities[b];
  return gain;
}

template <SplitKind kKind>
__global__ void __launch_bounds__(kThreads) split_kernel(SplitJob job, int at_once, Split* found) {
  extern __shared__ __align__(16) unsigned char split_memory[];
  Memory& m = *reinterpret_cast<Memory*>(split_memory);
  if (threadIdx.x == 0) found[blockIdx.x] = Split{};
  double best_gain = -1;  // the same in all threads
  for (int first = static_cast<int>(blockIdx.x) * at_once; first < job.count;
       first += static_cast<int>(gridDim.x) * at_once) {
    const int rows = min(at_once, job.count - first);
    const std::uint8_t* row[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int i = first + min(r, rows - 1);
      row[r] = job.rows + static_cast<std::size_t>(job.by_feature ? job.candidates[i] : i) * job.pitch;
    }
    clear(m);
    __syncthreads();
    add_rows(m, job, row, rows);
    __syncthreads();
    for (int r = 0; r < rows; ++r) {
      if constexpr (kKind == SplitKind::kTable) {
        const double gain = table_gain(m, job.boost, own_bin<kKind>(m, r));
        __syncthreads();  // waits before the next row writes its purities
        if (!(gain > best_gain)) continue;
        best_gain = gain;
        if (threadIdx.x == 0) found[blockIdx.x] = {gain, job.candidates[first + r], 0, job.all, {}};
        continue;
      }
      const Weights left = sums_up_to(m, own_bin<kKind>(m, r));
      const auto at = static_cast<int>(threadIdx.x);
      // The last bin's cut leaves no samples on the right. `split_bins_at` then gives a gain below 0.
      Split own = split_bins_at(job.boost, left, job.all, kKind == SplitKind::kOrder ? at : at + 1);
      const Cut best = best_cut(m, {own.gain, own.last});
      // Candidates are in rising order, so among equal gains the lower feature stays.
      if (!(best.gain > best_gain)) continue;
      best_gain = best.gain;
      if (own.last != best.last) continue;
      own.feature = job.candidates[first + r];
      found[blockIdx.x] = own;
    }
  }
}

auto kernel_of(SplitKind kind) {
  if (kind == SplitKind::kTable) return split_kernel<SplitKind::kTable>;
  return kind == SplitKind::kOrder ? split_kernel<SplitKind::kOrder> : split_kernel<SplitKind::kLikelihood>;
}

}  // namespace

int split_blocks(SplitKind kind, int processors) {
  int resident = 0;
  check_cuda(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel_of(kind), kThreads, sizeof(Memory)),
      "asking how many thread blocks fit");
  return processors * std::max(resident, 1);
}

void enqueue_splits(SplitKind kind, const SplitJob& job, Split* found, int blocks, cudaStream_t stream) {
  static_assert(sizeof(Memory) <= 48 * 1024);
  // If there are few candidates, each thread block takes fewer at once, so that more thread blocks have work.
  const int at_once = std::clamp(job.count / blocks, 1, kRows);
  kernel_of(kind)<<<static_cast<unsigned>(blocks), kThreads, sizeof(Memory), stream>>>(job, at_once, found);
  check_launch("the splits' kernel");
}

}  // namespace winnow
