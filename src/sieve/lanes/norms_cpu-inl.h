// Computes the norms of a row of windows. Included once per SIMD target.
//
// In:     a strip with sums and squared sums of the windows' rows.
// Out:    a float norm per window, and bits that say which windows are flat.
// Exact:  `window_norm` bit for bit, except that a window without spread gets infinity or NaN.
// Memory: `norms` is the caller's, with room for `count` rounded up to whole vectors.
#if defined(WINNOW_NORMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_NORMS_INL_H
#undef WINNOW_NORMS_INL_H
#else
#define WINNOW_NORMS_INL_H
#endif

#include <limits>

#include "scale/strip.h"
#include "sieve/lanes/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

using D64 = hn::CappedTag<double, 8>;
using D32x = hn::Rebind<std::int32_t, D64>;
constexpr int kN64 = static_cast<int>(hn::MaxLanes(D64()));

// `window_norm` for `count` windows of a row. A window without spread gets infinity or NaN; both count as
// flat. `kTwoApart`: windows are two columns apart, and all planes but the 32-bit sums keep even and odd
// columns apart. `kWide`: read 32-bit sums; otherwise add the sums of an upper and a lower half of the
// window, which fit 16 bits.
template <bool kTwoApart, bool kWide>
HWY_INLINE void find_norms(const Strip& strip, int strip_row, Size window, int count, float* norms) {
  const int inner_width = window.width - 2, inner_height = window.height - 2;
  const std::ptrdiff_t stride = strip.stride(), first = (strip_row + 1) * stride;
  const auto column = [&](int c) { return kTwoApart ? (c >> 1) + (c & 1) * (stride / 2) : c; };
  const std::ptrdiff_t left = column(1), right = column(window.width - 1);
  const std::ptrdiff_t middle = inner_height / 2 * stride, down = inner_height * stride;
  const auto* square = reinterpret_cast<const std::int32_t*>(strip.square()) + first;
  const auto* wide = reinterpret_cast<const std::int32_t*>(strip.sum()) + (kWide ? first + 1 : 0);
  const std::uint16_t* narrow = (kTwoApart ? strip.split() : strip.low()) + first;
  const D64 d;
  const D32x d32;
  const hn::Rebind<std::uint16_t, D64> d16;
  const hn::Rebind<float, D64> df;
  const auto area = hn::Set(d, static_cast<double>(inner_width) * inner_height);
  const auto sign = hn::Set(d32, std::numeric_limits<std::int32_t>::min());
  const auto lift = hn::Set(d, 2147483648.0);
  const auto sum_of = [&](int i) WINNOW_LANE_LAMBDA {
    if constexpr (kWide) {
      const auto corner = [&](std::ptrdiff_t offset) WINNOW_LANE_LAMBDA {
        return load_strided<kTwoApart>(d32, wide + i * (kTwoApart ? 2 : 1) + offset);
      };
      return hn::Add(hn::Sub(corner(0), corner(inner_width)),
                     hn::Sub(corner(down + inner_width), corner(down)));
    } else {
      const auto across = [&](std::ptrdiff_t row) WINNOW_LANE_LAMBDA {
        return hn::Sub(hn::LoadU(d16, narrow + row + right + i), hn::LoadU(d16, narrow + row + left + i));
      };
      const auto at_middle = across(middle);
      return hn::Add(hn::PromoteTo(d32, hn::Sub(at_middle, across(0))),
                     hn::PromoteTo(d32, hn::Sub(across(down), at_middle)));
    }
  };
  for (int i = 0; i < count; i += kN64) {
    const auto corner = [&](std::ptrdiff_t offset)
                            WINNOW_LANE_LAMBDA { return hn::LoadU(d32, square + offset + i); };
    const auto squares =
        hn::Add(hn::Sub(corner(left), corner(right)), hn::Sub(corner(down + right), corner(down + left)));
    const auto s = hn::PromoteTo(d, sum_of(i));
    // Converts unsigned integers to double: subtracts 2^31 before the signed conversion, and adds 2^31
    // afterwards.
    const auto q = hn::Add(hn::PromoteTo(d, hn::Xor(squares, sign)), lift);
    const auto spread = hn::Sub(hn::Mul(area, q), hn::Mul(s, s));
    const auto norm = hn::Div(hn::Set(d, 1.0), hn::Sqrt(spread));
    hn::StoreU(hn::DemoteTo(df, norm), df, norms + i);
  }
}

HWY_INLINE void find_norms(const Strip& strip, int step, bool wide, int strip_row, Size window, int count,
                           float* norms) {
  if (wide) {
    step == 2 ? find_norms<true, true>(strip, strip_row, window, count, norms)
              : find_norms<false, true>(strip, strip_row, window, count, norms);
  } else {
    step == 2 ? find_norms<true, false>(strip, strip_row, window, count, norms)
              : find_norms<false, false>(strip, strip_row, window, count, norms);
  }
}

// The flat windows of a bundle, as bits: their norm is above the limit or NaN.
HWY_INLINE std::uint32_t flat_bits(const float* norms, float flat_above) {
  std::uint32_t fine = 0;
  for (int p = 0; p < kVectors32; ++p) {
    fine |= mask_bits(hn::Le(hn::LoadU(DF(), norms + p * kN32), hn::Set(DF(), flat_above))) << (p * kN32);
  }
  return ~fine;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_NORMS_INL_H
