// Computes bytes of samples with SIMD, as learn/bins.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/bins_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must be included before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "learn/bins.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::uint32_t, 16>;
using DI32 = hn::RebindToSigned<D32>;
using DF = hn::RebindToFloat<D32>;
using V32 = hn::Vec<D32>;
constexpr std::size_t kLanes = hn::MaxLanes(D32());
static_assert(kSampleChunk % kLanes == 0);

HWY_INLINE V32 load(const std::uint32_t* plane, std::uint32_t corner, std::size_t s) {
  return hn::LoadU(D32(), plane + corner + s);
}

// Computes `haar_term` (sieve/stages_rule.h) in lanes, with the same operations in the same order.
HWY_INLINE hn::Vec<DF> term(const std::uint32_t* plane, const std::uint32_t* corners, float weight,
                            std::size_t s) {
  const V32 sum = hn::Add(hn::Sub(load(plane, corners[0], s), load(plane, corners[1], s)),
                          hn::Sub(load(plane, corners[3], s), load(plane, corners[2], s)));
  return hn::Mul(hn::Set(DF(), weight), hn::ConvertTo(DF(), hn::BitCast(DI32(), sum)));
}

// Calls `then(s, responses)` for each vector of samples in a chunk. Sample `s` of the chunk is in the first
// lane.
template <class Then>
HWY_INLINE void for_responses(const BinFeature& feature, const std::uint32_t* plane, const float* norms,
                              Then then) {
  for (std::size_t s = 0; s < kSampleChunk; s += kLanes) {
    auto value = hn::Add(term(plane, feature.corners, feature.weights[0], s),
                         term(plane, feature.corners + 4, feature.weights[1], s));
    if (feature.rects > 2) value = hn::Add(value, term(plane, feature.corners + 8, feature.weights[2], s));
    then(s, hn::Mul(value, hn::LoadU(DF(), norms + s)));
  }
}

void BinHaar(const BinFeature& feature, BinRule rule, const std::uint32_t* plane, const float* norms,
             std::uint8_t* HWY_RESTRICT bins) {
  const DF d;
  const hn::Rebind<std::uint8_t, DI32> d8;
  const auto low = hn::Set(d, rule.low), per_unit = hn::Set(d, rule.per_unit);
  const auto last = hn::Set(d, static_cast<float>(kBins - 1));
  for_responses(feature, plane, norms, [&](std::size_t s, hn::Vec<DF> response) HWY_ATTR {
    const auto at = hn::Mul(hn::Sub(response, low), per_unit);
    const auto inside = hn::Min(hn::Max(at, hn::Zero(d)), last);
    hn::StoreU(hn::DemoteTo(d8, hn::ConvertTo(DI32(), inside)), d8, bins + s);
  });
}

// Widens `range` to hold the first `count` responses of a chunk.
void Widen(const BinFeature& feature, const std::uint32_t* plane, const float* norms, std::size_t count,
           float* range) {
  const DF d;
  auto low = hn::Set(d, range[0]), high = hn::Set(d, range[1]);
  const auto lane = hn::ConvertTo(DF(), hn::Iota(DI32(), 0));
  for_responses(feature, plane, norms, [&](std::size_t s, hn::Vec<DF> response) HWY_ATTR {
    const float left = count > s ? static_cast<float>(count - s) : 0.f;
    const auto there = hn::Lt(lane, hn::Set(d, left));
    low = hn::IfThenElse(there, hn::Min(low, response), low);
    high = hn::IfThenElse(there, hn::Max(high, response), high);
  });
  range[0] = hn::GetLane(hn::MinOfLanes(d, low));
  range[1] = hn::GetLane(hn::MaxOfLanes(d, high));
}

void BinLbp(const BinFeature& feature, const std::uint32_t* plane, std::uint8_t* HWY_RESTRICT bins) {
  const DI32 d;
  const hn::Rebind<std::uint8_t, DI32> d8;
  constexpr int kBit[9] = {128, 64, 32, 1, 0, 16, 2, 4, 8};
  for (std::size_t s = 0; s < kSampleChunk; s += kLanes) {
    const auto cell = [&](int i) HWY_ATTR {
      const std::uint32_t* c = feature.corners + 4 * (i / 3) + i % 3;
      const V32 sum = hn::Add(hn::Sub(load(plane, c[0], s), load(plane, c[1], s)),
                              hn::Sub(load(plane, c[5], s), load(plane, c[4], s)));
      return hn::BitCast(d, sum);
    };
    const auto centre = cell(4);
    auto code = hn::Zero(d);
    for (int i = 0; i < 9; ++i) {
      if (i != 4) code = hn::Or(code, hn::IfThenZeroElse(hn::Lt(cell(i), centre), hn::Set(d, kBit[i])));
    }
    hn::StoreU(hn::DemoteTo(d8, code), d8, bins + s);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(BinHaar);
HWY_EXPORT(BinLbp);
HWY_EXPORT(Widen);

const std::uint32_t* plane_of(const BinFeature& feature, const SamplePlanes& planes, std::size_t chunk) {
  return feature.tilted ? planes.tilted(chunk) : planes.sums(chunk);
}

}  // namespace

void bin_chunk_cpu(const BinFeature& feature, const BinRule& rule, const SamplePlanes& planes,
                   std::size_t chunk, std::uint8_t* bins) {
  const std::uint32_t* plane = plane_of(feature, planes, chunk);
  if (feature.rects > 0) {
    HWY_DYNAMIC_DISPATCH(BinHaar)(feature, rule, plane, planes.norms(chunk), bins);
  } else {
    HWY_DYNAMIC_DISPATCH(BinLbp)(feature, plane, bins);
  }
}

BinRule choose_rule_cpu(const BinFeature& feature, const SamplePlanes& planes) {
  float range[2] = {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  for (const std::size_t chunk : rule_chunks(planes)) {
    const std::size_t count = std::min(kSampleChunk, planes.samples() - chunk * kSampleChunk);
    HWY_DYNAMIC_DISPATCH(Widen)
    (feature, plane_of(feature, planes, chunk), planes.norms(chunk), count, range);
  }
  return bin_rule(range[0], range[1]);
}

}  // namespace winnow
#endif
