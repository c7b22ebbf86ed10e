#include "primitives/paper_scans_cuda.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

using winnow::check_launch;

constexpr int kBlock = 512;  // number of items that a block scans at a time
constexpr int kThreads = 256;
constexpr int kSide = 32, kSideRows = 8;  // side of a transposed tile, and rows of threads

unsigned blocks_for(std::size_t items, std::size_t of) {
  return static_cast<unsigned>((items + of - 1) / of);
}

// Each of the following classes replaces a block's items by their inclusive sums, and returns the sum of all
// items. Item i of thread t has the number t + i * (threads of the block).
template <class T>
struct Blelloch {
  static constexpr int kItems = 2, kThreads = kBlock / kItems;
  T tree[kBlock + kBlock / 32];

  __device__ T& at(int i) { return tree[i + i / 32]; }
  __device__ T scan(T (&items)[kItems]) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = 0; i < kItems; ++i) at(thread + i * kThreads) = items[i];
    int step = 1;
    for (int nodes = kBlock / 2; nodes > 0; nodes /= 2, step *= 2) {
      __syncthreads();
      if (thread < nodes) at(step * (2 * thread + 2) - 1) += at(step * (2 * thread + 1) - 1);
    }
    __syncthreads();
    const T total = at(kBlock - 1);
    __syncthreads();
    if (thread == 0) at(kBlock - 1) = 0;
    for (int nodes = 1; nodes < kBlock; nodes *= 2) {
      step /= 2;
      __syncthreads();
      if (thread < nodes) {
        T &left = at(step * (2 * thread + 1) - 1), &right = at(step * (2 * thread + 2) - 1);
        const T sum = left + right;
        left = right;
        right = sum;
      }
    }
    __syncthreads();
    for (int i = 0; i < kItems; ++i) items[i] += at(thread + i * kThreads);
    __syncthreads();
    return total;
  }
};

template <class T>
struct KoggeStone {
  static constexpr int kItems = 1, kThreads = kBlock;
  T sums[kBlock];

  __device__ T scan(T (&items)[kItems]) {
    const int thread = static_cast<int>(threadIdx.x);
    sums[thread] = items[0];
    for (int step = 1; step < kBlock; step *= 2) {
      __syncthreads();
      const T before = thread >= step ? sums[thread - step] : T{0};
      __syncthreads();
      sums[thread] += before;
    }
    __syncthreads();
    items[0] = sums[thread];
    const T total = sums[kBlock - 1];
    __syncthreads();
    return total;
  }
};

template <class T>
struct KoggeStoneTwoBuffers {
  static constexpr int kItems = 1, kThreads = kBlock;
  T sums[2][kBlock];

  __device__ T scan(T (&items)[kItems]) {
    const int thread = static_cast<int>(threadIdx.x);
    int from = 0;
    sums[from][thread] = items[0];
    for (int step = 1; step < kBlock; step *= 2, from ^= 1) {
      __syncthreads();
      sums[from ^ 1][thread] = sums[from][thread] + (thread >= step ? sums[from][thread - step] : T{0});
    }
    __syncthreads();
    items[0] = sums[from][thread];
    const T total = sums[from][kBlock - 1];
    __syncthreads();
    return total;
  }
};

// Scans one row per block.
template <template <class> class Scan, class In, class T>
__global__ void __launch_bounds__(Scan<T>::kThreads) rows_kernel(const In* in, T* out, int width) {
  __shared__ Scan<T> memory;
  constexpr int kItems = Scan<T>::kItems;
  const std::size_t row = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(width);
  T before = 0;
  for (int first = 0; first < width; first += kBlock) {
    T items[kItems];
    for (int i = 0; i < kItems; ++i) {
      const int x = first + static_cast<int>(threadIdx.x) + i * Scan<T>::kThreads;
      items[i] = x < width ? static_cast<T>(in[row + x]) : T{0};
    }
    const T total = memory.scan(items);
    for (int i = 0; i < kItems; ++i) {
      const int x = first + static_cast<int>(threadIdx.x) + i * Scan<T>::kThreads;
      if (x < width) out[row + x] = before + items[i];
    }
    before += total;
  }
}

// One Kogge-Stone step over all rows.
template <class In, class T>
__global__ void __launch_bounds__(kThreads) step_kernel(const In* in, T* out, int width, int step) {
  const int x = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (x >= width) return;
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(width) + x;
  out[at] = static_cast<T>(in[at]) + (x >= step ? static_cast<T>(in[at - step]) : T{0});
}

template <class T>
__global__ void __launch_bounds__(kSide* kSideRows)
    transpose_kernel(const T* in, T* out, int width, int height) {
  __shared__ T tile[kSide][kSide + 1];
  const std::size_t picture = static_cast<std::size_t>(blockIdx.z) * width * height;
  int x = static_cast<int>(blockIdx.x * kSide + threadIdx.x);
  for (unsigned i = threadIdx.y; i < kSide; i += kSideRows) {
    const int y = static_cast<int>(blockIdx.y * kSide + i);
    if (x < width && y < height) tile[i][threadIdx.x] = in[picture + static_cast<std::size_t>(y) * width + x];
  }
  __syncthreads();
  x = static_cast<int>(blockIdx.y * kSide + threadIdx.x);
  for (unsigned i = threadIdx.y; i < kSide; i += kSideRows) {
    const int y = static_cast<int>(blockIdx.x * kSide + i);
    if (x < height && y < width)
      out[picture + static_cast<std::size_t>(y) * height + x] = tile[threadIdx.x][i];
  }
}

template <template <class> class Scan, class In, class T>
void scan_rows_in_blocks(const In* in, T* out, int width, int rows, cudaStream_t stream) {
  rows_kernel<Scan, In, T><<<static_cast<unsigned>(rows), Scan<T>::kThreads, 0, stream>>>(in, out, width);
  check_launch("launching row scans");
}

// Scans the rows of `in`. At the end `to` holds the result, and `other` may be overwritten.
template <class In, class T>
void scan_rows(PaperScan scan, const In* in, T*& to, T*& other, int width, int rows, cudaStream_t stream) {
  if (scan == PaperScan::kBlelloch) return scan_rows_in_blocks<Blelloch>(in, to, width, rows, stream);
  if (scan == PaperScan::kKoggeStone) return scan_rows_in_blocks<KoggeStone>(in, to, width, rows, stream);
  if (scan == PaperScan::kKoggeStoneTwoBuffers)
    return scan_rows_in_blocks<KoggeStoneTwoBuffers>(in, to, width, rows, stream);
  const dim3 grid(static_cast<unsigned>(rows), blocks_for(static_cast<std::size_t>(width), kThreads));
  step_kernel<In, T><<<grid, kThreads, 0, stream>>>(in, to, width, 1);
  for (int step = 2; step < width; step *= 2) {
    step_kernel<T, T><<<grid, kThreads, 0, stream>>>(to, other, width, step);
    std::swap(to, other);
  }
  check_launch("launching steps of row scans");
}

template <class T>
void transpose(T*& to, T*& other, int width, int height, int count, cudaStream_t stream) {
  const dim3 grid(blocks_for(static_cast<std::size_t>(width), kSide),
                  blocks_for(static_cast<std::size_t>(height), kSide), static_cast<unsigned>(count));
  transpose_kernel<T><<<grid, dim3(kSide, kSideRows), 0, stream>>>(to, other, width, height);
  check_launch("launching a transpose");
  std::swap(to, other);
}

// One warp per row of the planes makes running sums along the row.
__global__ void __launch_bounds__(kThreads)
    plain_rows_kernel(const std::uint8_t* pixels, Batch batch, std::uint32_t* sums, std::uint32_t* squares,
                      std::int64_t stride) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t picture = row / (batch.height + 1), y = row % (batch.height + 1);
  if (picture >= batch.count) return;
  const std::uint8_t* from = pixels + (picture * batch.height + y - 1) * batch.width;
  std::uint32_t* sum = sums + row * stride;
  std::uint32_t* square = squares != nullptr ? squares + row * stride : nullptr;
  std::uint32_t sum_before = 0, square_before = 0;
  for (int first = 0; first <= batch.width; first += 32) {
    const int x = first + lane;  // column of the planes
    std::uint32_t p = y > 0 && x > 0 && x <= batch.width ? from[x - 1] : 0, q = p * p;
    for (int step = 1; step < 32; step *= 2) {
      const std::uint32_t left = __shfl_up_sync(~0u, p, step), left_square = __shfl_up_sync(~0u, q, step);
      if (lane >= step) {
        p += left;
        q += left_square;
      }
    }
    if (x <= batch.width) {
      sum[x] = sum_before + p;
      if (square != nullptr) square[x] = square_before + q;
    }
    sum_before += __shfl_sync(~0u, p, 31);
    square_before += __shfl_sync(~0u, q, 31);
  }
}

// One thread per column adds each row to the next row.
__global__ void __launch_bounds__(kThreads)
    plain_columns_kernel(Batch batch, std::uint32_t* sums, std::uint32_t* squares, std::int64_t stride) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x > batch.width) return;
  for (std::uint32_t* plane : {sums, squares}) {
    if (plane == nullptr) continue;
    std::uint32_t* at = plane + static_cast<std::int64_t>(blockIdx.y) * (batch.height + 1) * stride + x;
    std::uint32_t above = 0;
#pragma unroll 4
    for (int y = 0; y <= batch.height; ++y, at += stride) *at = above += *at;
  }
}

template <template <class> class Scan>
__global__ void __launch_bounds__(Scan<std::uint32_t>::kThreads)
    blocks_kernel(const std::uint32_t* in, std::uint32_t* out, std::size_t count, std::uint32_t* sums) {
  __shared__ Scan<std::uint32_t> memory;
  constexpr int kItems = Scan<std::uint32_t>::kItems;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * kBlock + threadIdx.x;
  std::uint32_t own[kItems], items[kItems];
  for (int i = 0; i < kItems; ++i) {
    const std::size_t at = first + static_cast<std::size_t>(i * Scan<std::uint32_t>::kThreads);
    items[i] = own[i] = at < count ? in[at] : 0;
  }
  const std::uint32_t total = memory.scan(items);
  for (int i = 0; i < kItems; ++i) {
    const std::size_t at = first + static_cast<std::size_t>(i * Scan<std::uint32_t>::kThreads);
    if (at < count) out[at] = items[i] - own[i];
  }
  if (threadIdx.x == 0 && sums != nullptr) sums[blockIdx.x] = total;
}

__global__ void __launch_bounds__(kBlock)
    add_kernel(std::uint32_t* out, std::size_t count, const std::uint32_t* sums) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * kBlock + threadIdx.x;
  if (at < count) out[at] += sums[blockIdx.x];
}

template <template <class> class Scan>
void scan_list(const std::uint32_t* in, std::uint32_t* out, std::size_t count, std::uint32_t* sums,
               cudaStream_t stream) {
  const unsigned blocks = blocks_for(count, kBlock);
  blocks_kernel<Scan>
      <<<blocks, Scan<std::uint32_t>::kThreads, 0, stream>>>(in, out, count, blocks > 1 ? sums : nullptr);
  if (blocks <= 1) return;
  scan_list<Scan>(sums, sums, blocks, sums + blocks, stream);
  add_kernel<<<blocks, kBlock, 0, stream>>>(out, count, sums);
}

// A thread takes four pixels at a time. It writes each pixel and its square in place of the sums.
__global__ void __launch_bounds__(kThreads)
    no_sums_kernel(const std::uint8_t* pixels, Batch batch, std::uint32_t* sum, std::uint32_t* square,
                   std::int64_t stride) {
  const auto quads = static_cast<unsigned>(batch.width) / 4, rows = static_cast<unsigned>(batch.height),
             all = quads * rows * static_cast<unsigned>(batch.count);
  for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < all; i += gridDim.x * kThreads) {
    const unsigned row = i / quads;
    const std::int64_t to = (row + row / rows) * stride + (i - row * quads) * 4;
    const std::uint32_t four = __ldcs(reinterpret_cast<const std::uint32_t*>(pixels) + i);
    const uint4 values = make_uint4(four & 255, four >> 8 & 255, four >> 16 & 255, four >> 24);
    __stcs(reinterpret_cast<uint4*>(sum + to), values);
    if (square == nullptr) continue;
    __stcs(reinterpret_cast<uint4*>(square + to),
           make_uint4(values.x * values.x, values.y * values.y, values.z * values.z, values.w * values.w));
  }
}

}  // namespace

void no_sums(const std::uint8_t* pixels, const Batch& batch, std::uint32_t* sum, std::uint32_t* square,
             std::int64_t stride, cudaStream_t stream) {
  const std::size_t blocks = std::min<std::size_t>(blocks_for(batch.pixels() / 4, kThreads), 1 << 13);
  no_sums_kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(pixels, batch, sum, square, stride);
  check_launch("launching a pass without sums");
}

void plain_passes(const std::uint8_t* pixels, const Batch& batch, std::uint32_t* sum, std::uint32_t* square,
                  std::int64_t stride, cudaStream_t stream) {
  const std::size_t rows =
      (static_cast<std::size_t>(batch.height) + 1) * static_cast<std::size_t>(batch.count);
  plain_rows_kernel<<<blocks_for(rows, kThreads / 32), kThreads, 0, stream>>>(pixels, batch, sum, square,
                                                                              stride);
  const dim3 columns(blocks_for(static_cast<std::size_t>(batch.width) + 1, kThreads),
                     static_cast<unsigned>(batch.count));
  plain_columns_kernel<<<columns, kThreads, 0, stream>>>(batch, sum, square, stride);
  check_launch("launching plain passes");
}

template <class T>
T* integral_by_transposes(PaperScan scan, const std::uint8_t* pixels, const Batch& batch, T* a, T* b,
                          cudaStream_t stream) {
  T *now = a, *other = b;
  scan_rows(scan, pixels, now, other, batch.width, batch.height * batch.count, stream);
  transpose(now, other, batch.width, batch.height, batch.count, stream);
  // Scans in blocks work in place. The global scan goes from one buffer to the other.
  if (scan == PaperScan::kKoggeStoneGlobal) {
    T* in = now;
    std::swap(now, other);
    scan_rows(scan, static_cast<const T*>(in), now, other, batch.height, batch.width * batch.count, stream);
  } else {
    scan_rows(scan, static_cast<const T*>(now), now, other, batch.height, batch.width * batch.count, stream);
  }
  transpose(now, other, batch.height, batch.width, batch.count, stream);
  return now;
}

template std::uint32_t* integral_by_transposes(PaperScan, const std::uint8_t*, const Batch&, std::uint32_t*,
                                               std::uint32_t*, cudaStream_t);
template float* integral_by_transposes(PaperScan, const std::uint8_t*, const Batch&, float*, float*,
                                       cudaStream_t);
template double* integral_by_transposes(PaperScan, const std::uint8_t*, const Batch&, double*, double*,
                                        cudaStream_t);

std::size_t sums_of_blocks(std::size_t count) {
  std::size_t all = 0;
  for (std::size_t blocks = count; blocks > 1;) all += blocks = (blocks + kBlock - 1) / kBlock;
  return all;
}

void exclusive_scan(PaperScan scan, const std::uint32_t* in, std::uint32_t* out, std::size_t count,
                    std::uint32_t* sums, cudaStream_t stream) {
  if (count == 0) return;
  if (scan == PaperScan::kBlelloch) {
    scan_list<Blelloch>(in, out, count, sums, stream);
  } else if (scan == PaperScan::kKoggeStone) {
    scan_list<KoggeStone>(in, out, count, sums, stream);
  } else if (scan == PaperScan::kKoggeStoneTwoBuffers) {
    scan_list<KoggeStoneTwoBuffers>(in, out, count, sums, stream);
  } else {
    throw std::logic_error("no long scan with a launch a step");
  }
  check_launch("launching a scan in three phases");
}

}  // namespace bench
