// Compares pixels with SIMD, as track/tld/sift/fern_lanes.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "track/tld/sift/fern_lanes_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <cstddef>

#include "track/tld/sift/fern_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::CappedTag<std::uint8_t, kFernLanes>;
using V8 = hn::Vec<D8>;

// Appends bits of `pairs` to each lane. A difference that is cut off at 0 is above 0 if the first is brighter.
// Masks, which AVX-512 keeps elsewhere, would take two more instructions.
HWY_INLINE V8 Bits(const std::uint8_t* HWY_RESTRICT from, const std::array<std::int32_t, 2>* pairs,
                   int count) {
  const D8 d;
  const V8 one = hn::Set(d, 1);
  V8 bits = hn::Zero(d);
  for (int i = 0; i < count; ++i) {
    const V8 first = hn::LoadU(d, from + pairs[i][0]), second = hn::LoadU(d, from + pairs[i][1]);
    const V8 brighter = hn::Min(hn::SaturatedSub(first, second), one);
    bits = hn::Add(hn::Add(bits, bits), brighter);
  }
  return bits;
}

void Find(const std::uint8_t* HWY_RESTRICT first, const FernOffsets& offsets, FernLanes& lanes) {
  const D8 d;
  const int n = static_cast<int>(hn::Lanes(d));
  for (int fern = 0; fern < kFerns; ++fern) {
    const auto* const pairs = offsets.data() + fern * kFernBits;
    for (int x = 0; x < kFernLanes; x += n) {
      constexpr int kLow = 8, kHigh = kFernBits - kLow;
      const V8 high = Bits(first + x, pairs, kHigh), low = Bits(first + x, pairs + kHigh, kLow);
      // Both halves of a vector of codes: those of the lower and of the upper lanes.
      const hn::Half<D8> half;
      const hn::RepartitionToWide<D8> wide;
      const auto codes = [&](auto upper, auto lower) {
        return hn::Or(hn::ShiftLeft<kLow>(hn::PromoteTo(wide, upper)), hn::PromoteTo(wide, lower));
      };
      hn::StoreU(codes(hn::LowerHalf(half, high), hn::LowerHalf(half, low)), wide, lanes.codes[fern] + x);
      hn::StoreU(codes(hn::UpperHalf(half, high), hn::UpperHalf(half, low)), wide,
                 lanes.codes[fern] + x + n / 2);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Find);

void find_fern_lanes(const std::uint8_t* first, const FernOffsets& offsets, FernLanes& lanes) {
  HWY_DYNAMIC_DISPATCH(Find)(first, offsets, lanes);
}

}  // namespace winnow
#endif  // HWY_ONCE
