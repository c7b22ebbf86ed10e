// Makes prefix sums of pixels and of their squares along a row, one vector of pixels per step.
//
// Included once per SIMD target.
//
// In:     kN pixels, widened to 16 bits.
// Out:    prefix sums within the step, in 16 or 32 bits, and the step's last sum in every lane.
// Exact:  integers. Sums of kN pixels fit in 16 bits.
// Cost:   a step depends on the step before through one addition only. All other work depends on the pixels
//         alone.
#if defined(WINNOW_PREFIX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_PREFIX_INL_H
#undef WINNOW_PREFIX_INL_H
#else
#define WINNOW_PREFIX_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, 16>;
using D32 = hn::Repartition<std::uint32_t, D16>;
using D8 = hn::Rebind<std::uint8_t, D16>;
using Half16 = hn::Half<D16>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
constexpr int kN = static_cast<int>(hn::MaxLanes(D16()));  // pixels per step
constexpr int kN32 = kN / 2;

// Copies the last lane of each block of 128 bits to all lanes of the block.
HWY_INLINE V16 repeat_last(V16 v) {
  const hn::Repartition<std::uint8_t, D16> d8;
  return hn::BitCast(D16(),
                     hn::TableLookupBytes(hn::BitCast(d8, v), hn::BitCast(d8, hn::Set(D16(), 0x0F0E))));
}

// Replaces each lane by the sum of all lanes up to it. Does so within each block of 128 bits first. Then adds
// the sum of the lower block to the upper block.
HWY_INLINE V16 prefix(V16 v) {
  const D16 d;
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
  v = hn::Add(v, hn::ShiftLeftLanes<4>(d, v));
#if HWY_MAX_BYTES >= 32
  v = hn::Add(v, hn::ConcatLowerLower(d, repeat_last(v), hn::Zero(d)));
#endif
  return v;
}
HWY_INLINE V32 prefix(V32 v) {
  const D32 d;
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
#if HWY_MAX_BYTES >= 32
  v = hn::Add(v, hn::ConcatLowerLower(d, hn::Broadcast<3>(v), hn::Zero(d)));
#endif
  return v;
}

HWY_INLINE V16 last_everywhere(V16 v) {
  v = repeat_last(v);
#if HWY_MAX_BYTES >= 32
  v = hn::ConcatUpperUpper(D16(), v, v);
#endif
  return v;
}
HWY_INLINE V32 last_everywhere(V32 v) {
  v = hn::Broadcast<3>(v);
#if HWY_MAX_BYTES >= 32
  v = hn::ConcatUpperUpper(D32(), v, v);
#endif
  return v;
}

// kN values of 32 bits, in order.
struct Wide {
  V32 lower, upper;
};

HWY_INLINE Wide add_to(const Wide& values, V32 before, const std::uint32_t* above) {
  const D32 d;
  return {hn::Add(values.lower, hn::Add(before, hn::LoadU(d, above))),
          hn::Add(values.upper, hn::Add(before, hn::LoadU(d, above + kN32)))};
}
HWY_INLINE void store(const Wide& values, std::uint32_t* out) {
  const D32 d;
  hn::StoreU(values.lower, d, out);
  hn::StoreU(values.upper, d, out + kN32);
}

// Prefix sums of kN pixels, which fit in 16 bits.
struct RowSums {
  V16 narrow;  // prefix sums
  V16 last;    // the last prefix sum, in every lane
  HWY_INLINE explicit RowSums(V16 pixels) : narrow(prefix(pixels)), last(last_everywhere(narrow)) {}
  HWY_INLINE Wide wide() const {
    const D32 d;
    const Half16 half;
    return {hn::PromoteTo(d, hn::LowerHalf(half, narrow)), hn::PromoteTo(d, hn::UpperHalf(half, narrow))};
  }
  HWY_INLINE V32 wide_last() const { return hn::PromoteTo(D32(), hn::LowerHalf(Half16(), last)); }
};

// Prefix sums of kN squared pixels. Squares are summed in pairs, which halves the number of prefix sums. The
// sum up to the lower pixel of a pair is the sum up to the upper pixel minus the upper pixel's square.
struct RowSquares {
  V32 upto_even, upto_odd;  // sums up to each even and each odd pixel; a row's first pixel is even
  V32 last;
  HWY_INLINE explicit RowSquares(V16 pixels) {
    const D32 d;
    const V32 squares = hn::BitCast(d, hn::Mul(pixels, pixels));
    const V32 odd = hn::ShiftRight<16>(squares);
    upto_odd = prefix(hn::Add(odd, hn::And(squares, hn::Set(d, 0xFFFF))));
    upto_even = hn::Sub(upto_odd, odd);
    last = last_everywhere(upto_odd);
  }
  HWY_INLINE Wide wide() const {
    const D32 d;
    const V32 low = hn::InterleaveLower(d, upto_even, upto_odd);
    const V32 high = hn::InterleaveUpper(d, upto_even, upto_odd);
#if HWY_MAX_BYTES >= 32
    return {hn::ConcatLowerLower(d, high, low), hn::ConcatUpperUpper(d, high, low)};
#else
    return {low, high};
#endif
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_PREFIX_INL_H
