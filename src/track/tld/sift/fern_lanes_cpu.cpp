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

// Appends bits of `pairs` to each lane. A pixel is not brighter than another if the greater one of both is the
// other.
HWY_INLINE V8 Bits(const std::uint8_t* HWY_RESTRICT from, const std::array<std::int32_t, 2>* pairs,
                   int count) {
  const D8 d;
  const V8 one = hn::Set(d, 1);
  V8 bits = hn::Zero(d);
  for (int i = 0; i < count; ++i) {
    const V8 first = hn::LoadU(d, from + pairs[i][0]), second = hn::LoadU(d, from + pairs[i][1]);
    const V8 not_brighter = hn::VecFromMask(d, hn::Eq(hn::Max(first, second), second));  // -1 or 0
    bits = hn::Add(hn::Add(bits, bits), hn::Add(one, not_brighter));
  }
  return bits;
}

void Find(const std::uint8_t* HWY_RESTRICT first, const FernOffsets& offsets, FernLanes& lanes) {
  const D8 d;
  const int n = static_cast<int>(hn::Lanes(d));
  for (int fern = 0; fern < kFerns; ++fern) {
    const auto* const pairs = offsets.data() + fern * kFernBits;
    for (int x = 0; x < kFernLanes; x += n) {
      constexpr int kHigh = kFernBits - kFernLowBits;
      hn::StoreU(Bits(first + x, pairs, kHigh), d, lanes.high[fern] + x);
      hn::StoreU(Bits(first + x, pairs + kHigh, kFernLowBits), d, lanes.low[fern] + x);
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
