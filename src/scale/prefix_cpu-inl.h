// Prefix sums of one vector of 32-bit lanes. Included once a SIMD target.
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

using D32 = hn::CappedTag<std::uint32_t, 8>;
using D16 = hn::Rebind<std::uint16_t, D32>;
using D8 = hn::Rebind<std::uint8_t, D32>;
using V32 = hn::Vec<D32>;
constexpr int kN = static_cast<int>(hn::MaxLanes(D32()));

// Blocks of 128 bits first, then the lower block's sum into the upper.
HWY_INLINE V32 prefix(V32 v) {
  const D32 d;
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
#if HWY_MAX_BYTES >= 32
  v = hn::Add(v, hn::ConcatLowerLower(d, hn::Broadcast<3>(v), hn::Zero(d)));
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

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_PREFIX_INL_H
