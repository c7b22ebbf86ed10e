// Loads and judges kBundle windows at a time in SIMD lanes. Included once per SIMD target.
//
// In:     a bundle of windows: four octets (eight neighbouring windows each) from anywhere in a strip, or
//         windows packed side by side.
// Out:    vectors of corners, and the verdicts of nodes.
// Exact:  loads copy; a verdict multiplies by the norm and compares in float, as in `haar_goes_left`.
// Memory: a bundle points into a strip or a patch that the caller owns.
// Cost:   no gathers, except for the few features of packed windows that need 32 bits.
#if defined(WINNOW_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_LANES_INL_H
#undef WINNOW_LANES_INL_H
#else
#define WINNOW_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "sieve/lanes/lane_program.h"
#include "sieve/lanes/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors with 16 lanes of 16 bits, even where registers have room for 32 lanes. Loading four octets into one
// 512-bit vector costs more than it saves. With 32 lanes, frontalface_alt at VGA took 18.3 ms instead of
// 17.5, and an LBP cascade 10.7 ms instead of 10.1 (Zen 4, one thread).
using D16 = hn::CappedTag<std::int16_t, 16>;
using DU16 = hn::RebindToUnsigned<D16>;
using D32 = hn::CappedTag<std::int32_t, 16>;
using DF = hn::RebindToFloat<D32>;
using V16 = hn::Vec<D16>;
using VU16 = hn::Vec<DU16>;
using V32 = hn::Vec<D32>;
using VF = hn::Vec<DF>;
constexpr int kN16 = static_cast<int>(hn::MaxLanes(D16()));
constexpr int kN32 = static_cast<int>(hn::MaxLanes(D32()));
constexpr int kVectors16 = kBundle / kN16;
constexpr int kVectors32 = kBundle / kN32;
constexpr int kHalves = kN16 / kN32;  // the number of 32-bit vectors that one 16-bit vector widens to

// Forces inlining like HWY_INLINE, except in builds without optimization.
#ifdef __OPTIMIZE__
#define WINNOW_LANE_LAMBDA HWY_ATTR __attribute__((always_inline))
#else
#define WINNOW_LANE_LAMBDA HWY_ATTR
#endif

// Calls f(0), f(1), ... f(kCount - 1) with constants, without a loop. In a loop, an array of vectors would
// stay in memory.
template <class F, int... kIndex>
HWY_INLINE void unrolled(std::integer_sequence<int, kIndex...>, F f) {
  (f(std::integral_constant<int, kIndex>()), ...);
}
template <int kCount, class F>
HWY_INLINE void unrolled(F f) {
  unrolled(std::make_integer_sequence<int, kCount>(), f);
}

// Loads eight 16-bit values, and eight more from `upper` if a vector has room for them.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_two(D d, const T* lower, const T* upper) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, upper), hn::LoadU(half, lower));
  } else {
    return hn::LoadU(d, lower);
  }
}

// Loads one 32-bit sum per window. `kTwoApart`: the windows lie two values apart, as on levels of step 2.
template <bool kTwoApart, class D>
HWY_INLINE hn::Vec<D> load_strided(D d, const std::int32_t* at) {
  if constexpr (kTwoApart) {
    hn::Vec<D> even, odd;
    hn::LoadInterleaved2(d, at, even, odd);
    return even;
  } else {
    return hn::LoadU(d, at);
  }
}

template <bool kTwoApart, class D>
HWY_INLINE hn::Vec<D> load_wide(D d, const std::int32_t* plane, int vector, const std::int32_t* at) {
  constexpr int kStep = kTwoApart ? 2 : 1;
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, load_strided<kTwoApart>(half, plane + at[2 * vector + 1]),
                       load_strided<kTwoApart>(half, plane + at[2 * vector]));
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return load_strided<kTwoApart>(d, plane + at[vector]);
  } else {
    return load_strided<kTwoApart>(d, plane + at[vector / 2] + (vector % 2) * 4 * kStep);
  }
}

// Loads a value per window, such as its norm or sum, from arrays of eight values, one array per octet.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_octets(D d, const T* const* octets, int vector) {
  if constexpr (kN32 == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, octets[2 * vector + 1]), hn::LoadU(half, octets[2 * vector]));
  } else if constexpr (kN32 == 8) {
    return hn::LoadU(d, octets[vector]);
  } else {
    return hn::LoadU(d, octets[vector / 2] + vector % 2 * 4);
  }
}

template <class D, class T>
HWY_INLINE void store_octets(hn::Vec<D> values, D d, T* const* octets, int vector) {
  if constexpr (kN32 == 16) {
    const hn::Half<D> half;
    hn::StoreU(hn::LowerHalf(half, values), half, octets[2 * vector]);
    hn::StoreU(hn::UpperHalf(half, values), half, octets[2 * vector + 1]);
  } else if constexpr (kN32 == 8) {
    hn::StoreU(values, d, octets[vector]);
  } else {
    hn::StoreU(values, d, octets[vector / 2] + vector % 2 * 4);
  }
}

// The places of a bundle's windows.
struct Bundle {
  // Addresses of each octet's first window. For a packed bundle, [0] holds the address of the bundle's patch.
  const std::uint16_t *low[kOctets], *tilted_low[kOctets];
  const std::uint32_t *sum, *tilted;  // the strip's planes
  // Places in the planes `sum` and `tilted`: of each octet's first window, or of every window of a packed
  // bundle.
  HWY_ALIGN std::int32_t at[kBundle];
  VF norm[kVectors32];
};

// A copy of the places of a bundle's octets, so that the compiler knows that stores to sums do not change the
// places.
struct Places {
  const std::int16_t* octet[kOctets];
  HWY_INLINE explicit Places(const std::uint16_t* const* plane) {
    for (int i = 0; i < kOctets; ++i) octet[i] = reinterpret_cast<const std::int16_t*>(plane[i]);
  }
  HWY_INLINE Places moved(std::ptrdiff_t by) const {
    Places places = *this;
    for (const std::int16_t*& place : places.octet) place += by;
    return places;
  }
};

// How to load a bundle: as octets in planes of either layout, as pairs of consecutive octets, or packed.
enum class LaneLoad { kRows, kSplit, kRowPairs, kSplitPairs, kPacked };
constexpr bool in_pairs(LaneLoad load) {
  return load == LaneLoad::kRowPairs || load == LaneLoad::kSplitPairs;
}
constexpr bool two_apart(LaneLoad load) { return load == LaneLoad::kSplit || load == LaneLoad::kSplitPairs; }
constexpr LaneLayout layout_of(LaneLoad load) {
  return load == LaneLoad::kPacked ? LaneLayout::kPacked
         : two_apart(load)         ? LaneLayout::kSplit
                                   : LaneLayout::kRows;
}

template <LaneLoad load>
HWY_INLINE V16 load16(const Places& places, std::ptrdiff_t offset, int vector) {
  const auto at = [&](int octet) WINNOW_LANE_LAMBDA { return places.octet[octet] + offset; };
  const D16 d;
  if constexpr (load == LaneLoad::kPacked) {
    return hn::LoadU(d, at(0) + vector * kN16);
  } else if constexpr (in_pairs(load)) {
    return hn::LoadU(d, at(vector * kN16 / 8));
  } else {
    return load_two(d, at(vector * kN16 / 8), at((vector + 1) * kN16 / 8 - 1));
  }
}

template <LaneLoad load>
HWY_INLINE V32 load32(const std::uint32_t* plane, std::int32_t offset, int vector, const std::int32_t* at) {
  const D32 d;
  const auto* p = reinterpret_cast<const std::int32_t*>(plane) + offset;
  if constexpr (load == LaneLoad::kPacked) {
    return hn::GatherIndex(d, p, hn::LoadU(d, at + vector * kN32));
  } else {
    return load_wide<two_apart(load)>(d, p, vector, at);
  }
}

// `mask_bits` converts a mask to bits, one per lane. `bits_mask` converts the bits of vector number `vector`
// of a bundle to a mask.
HWY_INLINE std::uint32_t mask_bits(hn::Mask<DF> mask) {
  HWY_ALIGN std::uint8_t bytes[8] = {0};
  hn::StoreMaskBits(DF(), mask, bytes);
  std::uint16_t bits;
  std::memcpy(&bits, bytes, 2);
  return bits & ((1u << kN32) - 1);
}
HWY_INLINE hn::Mask<D32> bits_mask(std::uint32_t bits, int vector) {
  HWY_ALIGN std::uint8_t bytes[8] = {0};
  const std::uint32_t own = bits >> (vector * kN32);
  std::memcpy(bytes, &own, 4);
  return hn::LoadMaskBits(D32(), bytes);
}

using Sums = V32[kVectors32];

HWY_INLINE void add_where(V32& sum, hn::Mask<D32> mask, std::int32_t value) {
  const D32 d;
#if HWY_TARGET <= HWY_AVX3
  sum = V32{_mm512_mask_add_epi32(sum.raw, mask.raw, sum.raw, hn::Set(d, value).raw)};
#else
  sum = hn::Add(sum, hn::IfThenElseZero(mask, hn::Set(d, value)));
#endif
}

// Receives the verdicts of nodes. With `kAdd`, adds a stump's `delta` to the sums of windows that go left.
// With `kKeep`, stores a node's verdicts as bits, which trees need. For stumps in the last stage, `kAdd`
// and `kKeep` are both set, because the score is computed from the bits.
template <bool kAdd, bool kKeep>
struct Verdict {
  static constexpr bool kHaarOnly = false;
  Sums& sums;
  std::uint32_t* verdicts;
  std::uint32_t bits = 0;
  HWY_INLINE void operator()(const LaneNode& node, int vector, hn::Mask<DF> left) {
    if constexpr (kAdd) add_where(sums[vector], hn::RebindMask(D32(), left), node.delta);
    if constexpr (kKeep) bits |= mask_bits(left) << (vector * kN32);
  }
  HWY_INLINE void judge(const LaneNode& node, int vector, VF value) {
    (*this)(node, vector, hn::Lt(value, hn::Set(DF(), node.threshold)));
  }
  HWY_INLINE void end(const LaneNode& node) {
    if constexpr (kKeep) verdicts[node.slot] = bits;
    bits = 0;
  }
};

template <class Then>
HWY_INLINE void judge_value(const LaneNode& node, int vector, VF value, const Bundle& bundle, Then& then) {
  then.judge(node, vector, hn::Mul(value, bundle.norm[vector]));
}

template <class V, class Then>
HWY_INLINE void judge16(const LaneNode& node, int vector16, V value, const Bundle& bundle, Then& then) {
  const D32 d32;
  if constexpr (kHalves == 1) {
    judge_value(node, vector16, hn::ConvertTo(DF(), hn::PromoteTo(d32, value)), bundle, then);
  } else {
    const hn::Half<D16> half;
    judge_value(node, 2 * vector16, hn::ConvertTo(DF(), hn::PromoteTo(d32, hn::LowerHalf(half, value))),
                bundle, then);
    judge_value(node, 2 * vector16 + 1, hn::ConvertTo(DF(), hn::PromoteTo(d32, hn::UpperHalf(half, value))),
                bundle, then);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_LANES_INL_H
