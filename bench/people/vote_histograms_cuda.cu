#include "people/vote_histograms_cuda.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "people/hard_votes.h"

namespace bench {
namespace {

using winnow::check_cuda;
using winnow::check_launch;

constexpr int kSegment = 512, kThreads = kSegment / 2;
constexpr int kTile = 16;     // side of a transposed tile
constexpr int kVoteSide = 8;  // side of a block of threads that compute votes

int segments_of(int length) { return (length + kSegment - 1) / kSegment; }
unsigned blocks_for(int items, int of) { return static_cast<unsigned>((items + of - 1) / of); }

__device__ float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ uint4 operator+(uint4 a, uint4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// Writes planes of each bin's votes. In the forms with four bins per value, `ones` has only the ninth bin.
template <class One, class Four>
__global__ void __launch_bounds__(kVoteSide* kVoteSide)
    votes_kernel(const std::uint8_t* pixels, winnow::Size size, One* ones, Four* fours) {
  const int x = static_cast<int>(blockIdx.x * kVoteSide + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kVoteSide + threadIdx.y);
  if (x >= size.width || y >= size.height) return;
  const auto pixel = [&](int px, int py) {
    return static_cast<std::int32_t>(
        pixels[static_cast<std::int64_t>(mirrored_place(py, size.height)) * size.width +
               mirrored_place(px, size.width)]);
  };
  const std::int32_t dx = pixel(x + 1, y) - pixel(x - 1, y), dy = pixel(x, y + 1) - pixel(x, y - 1);
  const int bin = hard_bin(dx, dy);
  One vote;
  if constexpr (std::is_integral_v<One>) {
    vote = whole_length(dx, dy);
  } else {
    vote = static_cast<One>(hard_length(dx, dy));
  }
  const std::int64_t pixels_of_plane = std::int64_t{size.width} * size.height;
  const std::int64_t at = static_cast<std::int64_t>(y) * size.width + x;
  const auto of = [&](int k) { return bin == k ? vote : One{0}; };
  if constexpr (std::is_same_v<Four, void>) {
#pragma unroll
    for (int k = 0; k < kBins; ++k) ones[k * pixels_of_plane + at] = of(k);
  } else {
    fours[at] = {of(0), of(1), of(2), of(3)};
    fours[pixels_of_plane + at] = {of(4), of(5), of(6), of(7)};
    ones[at] = of(8);
  }
}

// Replaces a segment of a row by its inclusive sums, by the work-efficient tree. The tree is padded against
// bank conflicts. The segment's total goes to `totals`.
template <class T>
__global__ void __launch_bounds__(kThreads) scan_kernel(T* rows, int width, T* totals) {
  extern __shared__ __align__(16) unsigned char scan_memory[];
  T* const tree = reinterpret_cast<T*>(scan_memory);
  const auto at = [&](int i) -> T& { return tree[i + i / 32]; };
  const int thread = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.y) * kSegment;
  T* const row = rows + static_cast<std::int64_t>(blockIdx.x) * width;
  T own[2];
  for (int i = 0; i < 2; ++i) {
    const int x = first + thread + i * kThreads;
    own[i] = x < width ? row[x] : T{};
    at(thread + i * kThreads) = own[i];
  }
  int step = 1;
  for (int nodes = kSegment / 2; nodes > 0; nodes /= 2, step *= 2) {
    __syncthreads();
    if (thread < nodes) {
      T& right = at(step * (2 * thread + 2) - 1);
      right = right + at(step * (2 * thread + 1) - 1);
    }
  }
  __syncthreads();
  if (thread == 0) {
    totals[static_cast<std::int64_t>(blockIdx.x) * gridDim.y + blockIdx.y] = at(kSegment - 1);
    at(kSegment - 1) = T{};
  }
  for (int nodes = 1; nodes < kSegment; nodes *= 2) {
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
  for (int i = 0; i < 2; ++i) {
    const int x = first + thread + i * kThreads;
    if (x < width) row[x] = at(thread + i * kThreads) + own[i];
  }
}

// Replaces the totals of a row's segments by the sums before each segment. A row has few segments, so one
// thread takes a row.
template <class T>
__global__ void __launch_bounds__(kThreads) totals_kernel(T* totals, std::int64_t rows, int segments) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= rows) return;
  T sum{};
  for (int i = 0; i < segments; ++i) {
    T& total = totals[row * segments + i];
    const T next = sum + total;
    total = sum;
    sum = next;
  }
}

template <class T>
__global__ void __launch_bounds__(kSegment) add_kernel(T* rows, int width, const T* totals) {
  const int x = static_cast<int>((blockIdx.y + 1) * kSegment + threadIdx.x);  // the first segment is complete
  if (x >= width) return;
  T& sum = rows[static_cast<std::int64_t>(blockIdx.x) * width + x];
  sum = sum + totals[static_cast<std::int64_t>(blockIdx.x) * (gridDim.y + 1) + blockIdx.y + 1];
}

template <class T>
__global__ void __launch_bounds__(kTile* kTile) transpose_kernel(const T* in, T* out, int width, int height) {
  __shared__ __align__(16) unsigned char tile_memory[kTile * (kTile + 1) * sizeof(T)];
  T* const tile = reinterpret_cast<T*>(tile_memory);
  const std::int64_t plane = static_cast<std::int64_t>(blockIdx.z) * width * height;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  int x = static_cast<int>(blockIdx.x) * kTile + tx, y = static_cast<int>(blockIdx.y) * kTile + ty;
  if (x < width && y < height)
    tile[ty * (kTile + 1) + tx] = in[plane + static_cast<std::int64_t>(y) * width + x];
  __syncthreads();
  x = static_cast<int>(blockIdx.y) * kTile + tx, y = static_cast<int>(blockIdx.x) * kTile + ty;
  if (x < height && y < width)
    out[plane + static_cast<std::int64_t>(y) * height + x] = tile[tx * (kTile + 1) + ty];
}

template <class T>
void scan_rows(T* rows, T* totals, int width, std::int64_t count, cudaStream_t stream) {
  const int segments = segments_of(width);
  const dim3 grid(static_cast<unsigned>(count), static_cast<unsigned>(segments));
  scan_kernel<T><<<grid, kThreads, (kSegment + kSegment / 32) * sizeof(T), stream>>>(rows, width, totals);
  check_launch("scanning segments");
  if (segments == 1) return;
  totals_kernel<T><<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      totals, count, segments);
  check_launch("scanning totals");
  add_kernel<T>
      <<<dim3(static_cast<unsigned>(count), static_cast<unsigned>(segments - 1)), kSegment, 0, stream>>>(
          rows, width, totals);
  check_launch("adding totals");
}

}  // namespace

template <class T>
void VoteHistograms::Planes<T>::plan(int planes, winnow::Size size) {
  count = planes;
  const auto values = static_cast<std::size_t>(planes) * static_cast<std::size_t>(size.width) *
                      static_cast<std::size_t>(size.height);
  sums.reserve(values);
  other.reserve(values);
  const auto across =
                 static_cast<std::size_t>(size.height) * static_cast<std::size_t>(segments_of(size.width)),
             down = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(segments_of(size.height));
  totals.reserve(static_cast<std::size_t>(planes) * std::max(across, down));
}

template <class T>
void VoteHistograms::Planes<T>::enqueue(winnow::Size size, cudaStream_t stream) {
  scan_rows(sums.data(), totals.data(), size.width, std::int64_t{count} * size.height, stream);
  const dim3 grid(blocks_for(size.width, kTile), blocks_for(size.height, kTile),
                  static_cast<unsigned>(count));
  transpose_kernel<T>
      <<<grid, dim3(kTile, kTile), 0, stream>>>(sums.data(), other.data(), size.width, size.height);
  check_launch("transposing");
  scan_rows(other.data(), totals.data(), size.height, std::int64_t{count} * size.width, stream);
}

VoteHistograms::VoteHistograms(SumKind kind, winnow::Size size) : kind_(kind), size_(size) {
  if (kind == SumKind::kFloat) floats_.plan(kBins, size);
  if (kind == SumKind::kDouble) doubles_.plan(kBins, size);
  if (kind == SumKind::kWhole) wholes_.plan(kBins, size);
  if (kind == SumKind::kFloat4) {
    floats_.plan(1, size);
    float4s_.plan(2, size);
  }
  if (kind == SumKind::kWhole4) {
    wholes_.plan(1, size);
    whole4s_.plan(2, size);
  }
}

void VoteHistograms::enqueue_votes(const std::uint8_t* pixels, cudaStream_t stream) {
  const dim3 grid(blocks_for(size_.width, kVoteSide), blocks_for(size_.height, kVoteSide)),
      threads(kVoteSide, kVoteSide);
  const auto one_kind = [&](auto* ones) {
    votes_kernel<std::remove_pointer_t<decltype(ones)>, void>
        <<<grid, threads, 0, stream>>>(pixels, size_, ones, nullptr);
  };
  switch (kind_) {
    case SumKind::kFloat:
      one_kind(floats_.sums.data());
      break;
    case SumKind::kDouble:
      one_kind(doubles_.sums.data());
      break;
    case SumKind::kWhole:
      one_kind(wholes_.sums.data());
      break;
    case SumKind::kFloat4:
      votes_kernel<<<grid, threads, 0, stream>>>(pixels, size_, floats_.sums.data(), float4s_.sums.data());
      break;
    case SumKind::kWhole4:
      votes_kernel<<<grid, threads, 0, stream>>>(pixels, size_, wholes_.sums.data(), whole4s_.sums.data());
      break;
  }
  check_launch("voting");
}

void VoteHistograms::enqueue(const std::uint8_t* pixels, cudaStream_t stream) {
  enqueue_votes(pixels, stream);
  if (floats_.count > 0) floats_.enqueue(size_, stream);
  if (doubles_.count > 0) doubles_.enqueue(size_, stream);
  if (wholes_.count > 0) wholes_.enqueue(size_, stream);
  if (float4s_.count > 0) float4s_.enqueue(size_, stream);
  if (whole4s_.count > 0) whole4s_.enqueue(size_, stream);
}

namespace {

// Copies a plane of transposed sums, row by row of the picture. A value has `kSums` sums.
template <class Value, class Sum>
void copy_plane(const Value* plane, int index, winnow::Size size, std::vector<Sum>& sums) {
  constexpr int kSums = sizeof(Value) / sizeof(Sum);
  const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
  std::vector<Sum> transposed(width * height * kSums);
  check_cuda(cudaDeviceSynchronize(), "waiting");
  check_cuda(cudaMemcpy(transposed.data(), plane, transposed.size() * sizeof(Sum), cudaMemcpyDeviceToHost),
             "copying");
  sums.resize(width * height);
  for (std::size_t x = 0; x < width; ++x)
    for (std::size_t y = 0; y < height; ++y)
      sums[y * width + x] = transposed[(x * height + y) * kSums + static_cast<std::size_t>(index)];
}

}  // namespace

void VoteHistograms::read(int bin, std::vector<float>& sums) const {
  const std::size_t pixels = static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height);
  if (kind_ == SumKind::kFloat)
    return copy_plane(floats_.other.data() + static_cast<std::size_t>(bin) * pixels, 0, size_, sums);
  if (kind_ != SumKind::kFloat4) throw std::runtime_error("these sums are not float");
  if (bin == kBins - 1) return copy_plane(floats_.other.data(), 0, size_, sums);
  copy_plane(float4s_.other.data() + static_cast<std::size_t>(bin / 4) * pixels, bin % 4, size_, sums);
}
void VoteHistograms::read(int bin, std::vector<double>& sums) const {
  if (kind_ != SumKind::kDouble) throw std::runtime_error("these sums are not double");
  const std::size_t pixels = static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height);
  copy_plane(doubles_.other.data() + static_cast<std::size_t>(bin) * pixels, 0, size_, sums);
}
void VoteHistograms::read(int bin, std::vector<std::uint32_t>& sums) const {
  const std::size_t pixels = static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height);
  if (kind_ == SumKind::kWhole)
    return copy_plane(wholes_.other.data() + static_cast<std::size_t>(bin) * pixels, 0, size_, sums);
  if (kind_ != SumKind::kWhole4) throw std::runtime_error("these sums are not whole numbers");
  if (bin == kBins - 1) return copy_plane(wholes_.other.data(), 0, size_, sums);
  copy_plane(whole4s_.other.data() + static_cast<std::size_t>(bin / 4) * pixels, bin % 4, size_, sums);
}

}  // namespace bench
