// Measures spreads with SIMD, as track/tld/sift/spread_lanes.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "track/tld/sift/spread_lanes_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "track/tld/sift/spread_lanes.h"
#include "track/tld/sift/spread_rule.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::uint32_t, 16>;
using V32 = hn::Vec<D32>;

// Sums over the windows that begin at the lanes.
HWY_INLINE V32 SumOf(const std::uint32_t* HWY_RESTRICT top, const std::uint32_t* HWY_RESTRICT bottom,
                     std::ptrdiff_t at, std::ptrdiff_t width) {
  const D32 d;
  return hn::Add(hn::Sub(hn::LoadU(d, bottom + at + width), hn::LoadU(d, bottom + at)),
                 hn::Sub(hn::LoadU(d, top + at), hn::LoadU(d, top + at + width)));
}

// Spreads less the least of even lanes; those of odd lanes if the caller moves them down first. `shifted` is
// the sum of p - 128, which fits in 32 bits with its sign.
HWY_INLINE hn::Vec<hn::RepartitionToWide<hn::RebindToSigned<D32>>> SpreadAbove(std::int64_t least, V32 count,
                                                                               V32 squares, V32 shifted) {
  const hn::RebindToSigned<D32> d;
  const hn::RepartitionToWide<decltype(d)> wide;
  const auto sum = hn::BitCast(d, shifted);
  return hn::Sub(hn::Sub(hn::BitCast(wide, hn::MulEven(count, squares)), hn::MulEven(sum, sum)),
                 hn::Set(wide, least));
}

std::uint64_t Find(const SpreadRows& rows, Size window, double least_spread, int wanted, int pixels) {
  const D32 d;
  const hn::RebindToSigned<D32> d_signed;
  const hn::RepartitionToWide<D32> wide;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto count = static_cast<std::uint32_t>(window.width * window.height);
  std::uint64_t bits = 0;
  if (pixels < lanes) {
    for (int i = 0; i < wanted; ++i) {
      const auto sum_of = [&](const std::uint32_t* top, const std::uint32_t* bottom) {
        return bottom[i + window.width] - bottom[i] - top[i + window.width] + top[i];
      };
      const std::uint64_t spread = spread_of(count, sum_of(rows.top_sums, rows.bottom_sums),
                                             sum_of(rows.top_squares, rows.bottom_squares));
      bits |= std::uint64_t{static_cast<double>(spread) >= least_spread} << i;
    }
    return bits;
  }
  constexpr double kMost = 0x1p62;
  const auto least = static_cast<std::int64_t>(std::ceil(std::min(least_spread, kMost)));
  const V32 all = hn::Set(d, count), mean = hn::Set(d, count << 7), of_squares = hn::Set(d, count << 14);
  for (int first = 0; first < wanted; first += lanes) {
    // The last vector may find some bits again.
    const int at = std::min(first, pixels - lanes);
    const V32 sum = SumOf(rows.top_sums, rows.bottom_sums, at, window.width);
    const V32 squares = hn::Add(
        hn::Sub(SumOf(rows.top_squares, rows.bottom_squares, at, window.width), hn::ShiftLeft<8>(sum)),
        of_squares);
    const V32 shifted = hn::Sub(sum, mean);
    const auto down = [&](V32 v) { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, v))); };
    const auto even = SpreadAbove(least, all, squares, shifted),
               odd = SpreadAbove(least, all, down(squares), down(shifted));
    // The signs of both, in the upper halves.
    const auto signs =
        hn::OddEven(hn::BitCast(d_signed, odd), hn::BitCast(d_signed, hn::ShiftRight<32>(even)));
    std::uint8_t less[8] = {};  // a bit for each lane
    hn::StoreMaskBits(d_signed, hn::Lt(signs, hn::Zero(d_signed)), less);
    const std::uint64_t lanes_bits = (std::uint64_t{1} << lanes) - 1;
    bits |= (~(std::uint64_t{less[0]} | std::uint64_t{less[1]} << 8) & lanes_bits) << at;
  }
  return bits;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Find);

std::uint64_t find_varied_lanes(const SpreadRows& rows, Size window, double least_spread, int wanted,
                                int pixels) {
  return HWY_DYNAMIC_DISPATCH(Find)(rows, window, least_spread, wanted, pixels);
}

}  // namespace winnow
#endif  // HWY_ONCE
