#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/reduce_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "primitives/reduce.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::RepartitionToWide<D32>;

// Each lane of 64 bits holds two numbers. The lower halves and the upper halves have sums of their own.
std::uint64_t Sum(const std::uint32_t* HWY_RESTRICT values, std::size_t count) {
  const D32 d32;
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d32);
  const auto low_half = hn::Set(d64, 0xFFFFFFFFu);
  auto low = hn::Zero(d64), high = hn::Zero(d64), low2 = low, high2 = low;
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto a = hn::BitCast(d64, hn::LoadU(d32, values + i));
    const auto b = hn::BitCast(d64, hn::LoadU(d32, values + i + lanes));
    low = hn::Add(low, hn::And(a, low_half));
    high = hn::Add(high, hn::ShiftRight<32>(a));
    low2 = hn::Add(low2, hn::And(b, low_half));
    high2 = hn::Add(high2, hn::ShiftRight<32>(b));
  }
  HWY_ALIGN std::uint64_t lane_sums[hn::MaxLanes(d64)];
  hn::Store(hn::Add(hn::Add(low, high), hn::Add(low2, high2)), d64, lane_sums);
  std::uint64_t sum = 0;
  for (std::size_t l = 0; l < hn::Lanes(d64); ++l) sum += lane_sums[l];
  for (; i < count; ++i) sum += values[i];
  return sum;
}

Extremes FindExtremes(const std::uint32_t* HWY_RESTRICT values, std::size_t count) {
  const D32 d;
  const std::size_t lanes = hn::Lanes(d);
  Extremes e;
  auto least = hn::Set(d, e.least), largest = hn::Set(d, e.largest), least2 = least, largest2 = largest;
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto a = hn::LoadU(d, values + i), b = hn::LoadU(d, values + i + lanes);
    least = hn::Min(least, a);
    largest = hn::Max(largest, a);
    least2 = hn::Min(least2, b);
    largest2 = hn::Max(largest2, b);
  }
  HWY_ALIGN std::uint32_t low[hn::MaxLanes(d)], high[hn::MaxLanes(d)];
  hn::Store(hn::Min(least, least2), d, low);
  hn::Store(hn::Max(largest, largest2), d, high);
  for (std::size_t l = 0; l < lanes; ++l) e = {std::min(e.least, low[l]), std::max(e.largest, high[l])};
  for (; i < count; ++i) e = {std::min(e.least, values[i]), std::max(e.largest, values[i])};
  return e;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Sum);
HWY_EXPORT(FindExtremes);

std::uint64_t sum_cpu(std::span<const std::uint32_t> values) {
  return HWY_DYNAMIC_DISPATCH(Sum)(values.data(), values.size());
}
Extremes extremes_cpu(std::span<const std::uint32_t> values) {
  return HWY_DYNAMIC_DISPATCH(FindExtremes)(values.data(), values.size());
}

}  // namespace winnow
#endif  // HWY_ONCE
