// Norms of a row of windows. Included once a SIMD target.
#if defined(WINNOW_NORMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_NORMS_INL_H
#undef WINNOW_NORMS_INL_H
#else
#define WINNOW_NORMS_INL_H
#endif

#include <limits>

#include "scale/strip.h"
#include "sieve/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

using D64 = hn::CappedTag<double, 8>;
using D32x = hn::Rebind<std::int32_t, D64>;
constexpr int kN64 = static_cast<int>(hn::MaxLanes(D64()));

// `window_norm` for `count` windows of a row, `step` apart; one without spread gets infinity or NaN, which is
// above any limit.
template <bool kTwoApart>
HWY_INLINE void find_norms(const Strip& strip, int strip_row, Size window, int count, float* norms) {
  const int inner_width = window.width - 2, inner_height = window.height - 2;
  const std::ptrdiff_t stride = strip.stride(), down = inner_height * stride;
  const std::uint32_t* sum = strip.sum() + (strip_row + 1) * stride + 1;
  const std::uint32_t* square = strip.square() + (strip_row + 1) * stride + 1;
  const D64 d;
  const D32x d32;
  const hn::Rebind<float, D64> df;
  const auto area = hn::Set(d, static_cast<double>(inner_width) * inner_height);
  const auto sign = hn::Set(d32, std::numeric_limits<std::int32_t>::min());
  const auto lift = hn::Set(d, 2147483648.0);
  for (int i = 0; i < count; i += kN64) {
    const auto rect = [&](const std::uint32_t* plane) WINNOW_LANE_LAMBDA {
      const auto* at = reinterpret_cast<const std::int32_t*>(plane) + i * (kTwoApart ? 2 : 1);
      const auto corner = [&](std::ptrdiff_t offset)
                              WINNOW_LANE_LAMBDA { return load_strided<kTwoApart>(d32, at + offset); };
      return hn::Add(hn::Sub(corner(0), corner(inner_width)),
                     hn::Sub(corner(down + inner_width), corner(down)));
    };
    const auto s = hn::PromoteTo(d, rect(sum));
    // Unsigned to double: move into the signed range and back.
    const auto q = hn::Add(hn::PromoteTo(d, hn::Xor(rect(square), sign)), lift);
    const auto spread = hn::Sub(hn::Mul(area, q), hn::Mul(s, s));
    const auto norm = hn::Div(hn::Set(d, 1.0), hn::Sqrt(spread));
    hn::StoreU(hn::DemoteTo(df, norm), df, norms + i);
  }
}

// Of kGroup windows, those whose norm is above the limit or no number.
HWY_INLINE std::uint32_t flat_bits(const float* norms, float flat_above) {
  std::uint32_t fine = 0;
  for (int p = 0; p < kParts32; ++p) {
    fine |= mask_bits(hn::Le(hn::LoadU(DF(), norms + p * kN32), hn::Set(DF(), flat_above))) << (p * kN32);
  }
  return ~fine;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_NORMS_INL_H
