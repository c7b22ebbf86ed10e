#include "learn/bins_cuda.h"

#include <winnow/error.h>

#include <algorithm>
#include <span>

#include "sieve/stages_rule.h"

namespace winnow {
namespace {

// The number of threads that compute a feature for one chunk. Each thread computes four samples.
constexpr int kQuads = static_cast<int>(kSampleChunk / 4);
// The kernel for Haar features runs one thread block per multiprocessor. The planes of its sample chunk (160
// KB for a 24 x 24 window) stay in the first-level cache. A second thread block would displace them. LBP
// needs more registers, so its blocks have fewer threads.
constexpr int kHaarThreads = 768, kLbpThreads = 512;
constexpr int kMostInShare = 16'384;

struct Job {
  const DeviceFeature* features;
  const int* list;
  int first, count;
  int share;        // features per thread block
  unsigned shares;  // thread blocks per sample chunk
  std::size_t corners;
  const uint4 *sums, *tilted;
  const float4* norms;
  std::uint8_t* rows;
  std::size_t pitch;
};

// One value for each of four samples.
struct Four {
  std::uint32_t of[4];
};

__device__ Four load(const uint4* plane, std::uint32_t corner) {
  const uint4 v = __ldg(plane + corner * kQuads);
  return {{v.x, v.y, v.z, v.w}};
}

// Sums the pixels of a box: a - b - c + d, from its corners a to d in the integral plane.
__device__ Four box_sum(const Four& a, const Four& b, const Four& c, const Four& d) {
  Four sum;
#pragma unroll
  for (int s = 0; s < 4; ++s) sum.of[s] = a.of[s] - b.of[s] - c.of[s] + d.of[s];
  return sum;
}

__device__ Four rect_sum(const uint4* plane, const std::uint16_t* corners) {
  return box_sum(load(plane, corners[0]), load(plane, corners[1]), load(plane, corners[2]),
                 load(plane, corners[3]));
}

__device__ std::uint32_t haar_bins(const DeviceFeature& feature, const uint4* plane, float4 norms) {
  const Four sum0 = rect_sum(plane, feature.corners), sum1 = rect_sum(plane, feature.corners + 4);
  const Four sum2 = feature.rects > 2 ? rect_sum(plane, feature.corners + 8) : Four{};
  const float norm[4] = {norms.x, norms.y, norms.z, norms.w};
  std::uint32_t word = 0;
#pragma unroll
  for (int s = 0; s < 4; ++s) {
    const std::uint32_t sums[3] = {sum0.of[s], sum1.of[s], sum2.of[s]};
    const float response = haar_value(feature.weights, sums) * norm[s];
    word |= static_cast<std::uint32_t>(bin_of(feature.rule, response)) << (8 * s);
  }
  return word;
}

__device__ std::uint32_t lbp_bins(const DeviceFeature& feature, const uint4* plane) {
  Four corner[16], cell[9];
#pragma unroll
  for (int i = 0; i < 16; ++i) corner[i] = load(plane, feature.corners[i]);
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const int at = i / 3 * 4 + i % 3;
    cell[i] = box_sum(corner[at], corner[at + 1], corner[at + 4], corner[at + 5]);
  }
  std::uint32_t word = 0;
#pragma unroll
  for (int s = 0; s < 4; ++s) {
    std::uint32_t cells[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) cells[i] = cell[i].of[s];
    word |= static_cast<std::uint32_t>(lbp_code(cells)) << (8 * s);
  }
  return word;
}

// Neighbouring thread blocks take the same sample chunk, but different features.
template <FeatureKind kKind, int kThreads>
__global__ void __launch_bounds__(kThreads) bin_kernel(Job job) {
  const std::size_t chunk = blockIdx.x / job.shares;
  const int begin = static_cast<int>(blockIdx.x % job.shares) * job.share;
  const int end = min(begin + job.share, job.count);
  const unsigned quad = threadIdx.x % kQuads;
  const std::size_t plane = chunk * job.corners * kQuads + quad;
  const float4 norms = job.norms[chunk * kQuads + quad];
  for (int i = begin + static_cast<int>(threadIdx.x / kQuads); i < end; i += kThreads / kQuads) {
    const DeviceFeature feature = job.features[job.list != nullptr ? job.list[i] : job.first + i];
    std::uint32_t bins;
    if constexpr (kKind == FeatureKind::kHaar) {
      bins = haar_bins(feature, (feature.tilted != 0 ? job.tilted : job.sums) + plane, norms);
    } else {
      bins = lbp_bins(feature, job.sums + plane);
    }
    // The bins are not read soon, so they must not displace the planes in the cache.
    __stcs(reinterpret_cast<unsigned*>(job.rows + static_cast<std::size_t>(i) * job.pitch +
                                       chunk * kSampleChunk) +
               quad,
           bins);
  }
}

DeviceFeature device_feature(const BinFeature& from, const BinRule& rule) {
  DeviceFeature to{};
  for (int i = 0; i < 16; ++i) to.corners[i] = static_cast<std::uint16_t>(from.corners[i] / kSampleChunk);
  std::copy_n(from.weights, 3, to.weights);
  to.rects = static_cast<std::uint16_t>(from.rects);
  to.tilted = from.tilted ? 1 : 0;
  to.rule = rule;
  return to;
}

}  // namespace

DeviceBins::DeviceBins(const RunFeatures& features, const SamplePlanes& planes, int processors)
    : kind_(features.list.kind),
      chunks_(planes.chunks()),
      corners_(planes.corners()),
      processors_(processors) {
  if (corners_ > 65'536) {
    throw Error(ErrorCode::kLimit, "a window of " + std::to_string(corners_) +
                                       " corners is too large for training on a device: 65536 at most");
  }
  std::vector<DeviceFeature> list(features.compiled.size());
  for (std::size_t f = 0; f < list.size(); ++f)
    list[f] = device_feature(features.compiled[f], f < features.rules.size() ? features.rules[f] : BinRule{});
  upload(std::span<const DeviceFeature>(list), features_);
  if (chunks_ == 0) return;
  const std::size_t values = chunks_ * corners_ * kSampleChunk;
  upload(std::span<const std::uint32_t>(planes.sums(0), values), sums_);
  if (features.list.tilted) upload(std::span<const std::uint32_t>(planes.tilted(0), values), tilted_);
  upload(std::span<const float>(planes.norms(0), chunks_ * kSampleChunk), norms_);
}

void DeviceBins::enqueue(const int* list, int first, int count, std::uint8_t* rows,
                         cudaStream_t stream) const {
  if (count == 0 || chunks_ == 0) return;
  const bool haar = kind_ == FeatureKind::kHaar;
  const int threads = haar ? kHaarThreads : kLbpThreads, at_once = threads / kQuads;
  // With large shares, a sample chunk is read into a cache less often. With small shares, all multiprocessors
  // have some work.
  const std::int64_t wanted =
      static_cast<std::int64_t>(count) * static_cast<std::int64_t>(chunks_) / (std::int64_t{8} * processors_);
  const int share =
      static_cast<int>(std::clamp<std::int64_t>(wanted, 1, kMostInShare) + at_once - 1) / at_once * at_once;
  const auto shares = static_cast<unsigned>((count + share - 1) / share);
  Job job{features_.data(),
          list,
          first,
          count,
          share,
          shares,
          corners_,
          reinterpret_cast<const uint4*>(sums_.data()),
          reinterpret_cast<const uint4*>(tilted_.data() != nullptr ? tilted_.data() : sums_.data()),
          reinterpret_cast<const float4*>(norms_.data()),
          rows,
          pitch()};
  const auto grid = static_cast<unsigned>(chunks_ * shares);
  const auto kernel =
      haar ? bin_kernel<FeatureKind::kHaar, kHaarThreads> : bin_kernel<FeatureKind::kLbp, kLbpThreads>;
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxL1),
             "preparing the bins' kernel");
  kernel<<<grid, static_cast<unsigned>(threads), 0, stream>>>(job);
  check_launch("the bins' kernel");
}

}  // namespace winnow
