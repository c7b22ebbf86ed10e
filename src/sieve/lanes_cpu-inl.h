// Lanes: features of kGroup windows at a time. Included once a SIMD target, by stages_cpu.cpp only.
// A block's windows are four octets of neighbours, from anywhere in a strip, or packed side by side. Corners
// are loaded without gathers, but for the few features of packed windows that need 32 bits.
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

#include "sieve/lane_program.h"
#include "sieve/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 16 lanes of 16 bits even where there is room for 32: bringing four octets into one 512-bit vector costs
// more than it spares (frontalface_alt at VGA 17.5 ms against 18.3, LBP 10.1 against 10.7; Zen 4, one
// thread).
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
constexpr int kParts16 = kGroup / kN16;
constexpr int kParts32 = kGroup / kN32;
constexpr int kHalves = kN16 / kN32;  // 32-bit vectors that one 16-bit vector widens to

#define WINNOW_LANE_LAMBDA HWY_ATTR __attribute__((always_inline))

// f(0), f(1), ... f(kCount - 1) with constants, written out: what stays in a loop stays in memory.
template <class F, int... kIndex>
HWY_INLINE void written_out(std::integer_sequence<int, kIndex...>, F f) {
  (f(std::integral_constant<int, kIndex>()), ...);
}
template <int kCount, class F>
HWY_INLINE void written_out(F f) {
  written_out(std::make_integer_sequence<int, kCount>(), f);
}

// One 16-bit vector of octets: two of them where a vector has room for two.
template <class D, class At>
HWY_INLINE hn::Vec<D> load_octets(D d, const At& at, int part) {
  const hn::CappedTag<std::int16_t, 8> d8;
  if constexpr (hn::MaxLanes(D()) == 16) {
    return hn::Combine(d, hn::LoadU(d8, at(2 * part + 1)), hn::LoadU(d8, at(2 * part)));
  } else {
    return hn::LoadU(d, at(part));
  }
}

// Windows of a level with step 2 are two pixels apart in the 32-bit planes.
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
HWY_INLINE hn::Vec<D> load_wide(D d, const std::int32_t* plane, int part, const std::int32_t* at) {
  constexpr int kStep = kTwoApart ? 2 : 1;
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, load_strided<kTwoApart>(half, plane + at[2 * part + 1]),
                       load_strided<kTwoApart>(half, plane + at[2 * part]));
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return load_strided<kTwoApart>(d, plane + at[part]);
  } else {
    return load_strided<kTwoApart>(d, plane + at[part / 2] + (part % 2) * 4 * kStep);
  }
}

// Norms of octets' windows.
HWY_INLINE VF load_norms(const float* const* octets, int part) {
  const DF d;
  if constexpr (kN32 == 16) {
    const hn::Half<DF> half;
    return hn::Combine(d, hn::LoadU(half, octets[2 * part + 1]), hn::LoadU(half, octets[2 * part]));
  } else if constexpr (kN32 == 8) {
    return hn::LoadU(d, octets[part]);
  } else {
    return hn::LoadU(d, octets[part / 2] + part % 2 * 4);
  }
}

// Where a block's windows are.
struct Block {
  const std::uint16_t *low[kOctets],
      *tilted_low[kOctets];           // of each octet's first window; packed: [0] is the patch
  const std::uint32_t *sum, *tilted;  // the strip's planes
  HWY_ALIGN std::int32_t
      at[kGroup];  // place in them: octets: of each octet's first window; packed: of every window
  VF norm[kParts32];
};

// A block's octets, copied so that the compiler need not fear that sums overwrite them.
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

// How a block is reached: by octets in planes of either layout, by pairs of octets that follow each other, or
// packed.
enum class Reach { kRows, kSplit, kRowPairs, kSplitPairs, kPacked };
constexpr bool in_pairs(Reach reach) { return reach == Reach::kRowPairs || reach == Reach::kSplitPairs; }
constexpr bool two_apart(Reach reach) { return reach == Reach::kSplit || reach == Reach::kSplitPairs; }
constexpr LaneLayout layout_of(Reach reach) {
  return reach == Reach::kPacked ? LaneLayout::kPacked
         : two_apart(reach)      ? LaneLayout::kSplit
                                 : LaneLayout::kRows;
}

template <Reach reach>
HWY_INLINE V16 load16(const Places& places, std::ptrdiff_t offset, int part) {
  const auto at = [&](int octet) WINNOW_LANE_LAMBDA { return places.octet[octet] + offset; };
  const D16 d;
  if constexpr (reach == Reach::kPacked) {
    return hn::LoadU(d, at(0) + part * kN16);
  } else if constexpr (in_pairs(reach)) {
    return hn::LoadU(d, at(part * kN16 / 8));
  } else {
    return load_octets(d, at, part);
  }
}

template <Reach reach>
HWY_INLINE V32 load32(const std::uint32_t* plane, std::int32_t offset, int part, const std::int32_t* at) {
  const D32 d;
  const auto* p = reinterpret_cast<const std::int32_t*>(plane) + offset;
  if constexpr (reach == Reach::kPacked) {
    return hn::GatherIndex(d, p, hn::LoadU(d, at + part * kN32));
  } else {
    return load_wide<two_apart(reach)>(d, p, part, at);
  }
}

// 32 bits of a mask's part; and back.
HWY_INLINE std::uint32_t mask_bits(hn::Mask<DF> mask) {
  HWY_ALIGN std::uint8_t bytes[8] = {0};
  hn::StoreMaskBits(DF(), mask, bytes);
  std::uint16_t bits;
  std::memcpy(&bits, bytes, 2);
  return bits & ((1u << kN32) - 1);
}
HWY_INLINE hn::Mask<D32> bits_mask(std::uint32_t bits, int part) {
  HWY_ALIGN std::uint8_t bytes[8] = {0};
  const std::uint32_t own = bits >> (part * kN32);
  std::memcpy(bytes, &own, 4);
  return hn::LoadMaskBits(D32(), bytes);
}

using Sums = V32[kParts32];

HWY_INLINE void add_where(V32& sum, hn::Mask<D32> mask, std::int32_t value) {
  const D32 d;
#if HWY_TARGET == HWY_AVX3
  sum = V32{_mm512_mask_add_epi32(sum.raw, mask.raw, sum.raw, hn::Set(d, value).raw)};
#else
  sum = hn::Add(sum, hn::IfThenElseZero(mask, hn::Set(d, value)));
#endif
}

// What is done with a node's verdict: stumps add to their windows' sums, trees keep the bits, a last stage of
// stumps does both, since its score is made of them.
template <bool kAdd, bool kKeep>
struct Verdict {
  Sums& sums;
  std::uint32_t* verdicts;
  std::uint32_t bits = 0;
  HWY_INLINE void operator()(const LaneNode& node, int part, hn::Mask<DF> left) {
    if constexpr (kAdd) add_where(sums[part], hn::RebindMask(D32(), left), node.delta);
    if constexpr (kKeep) bits |= mask_bits(left) << (part * kN32);
  }
  HWY_INLINE void end(const LaneNode& node) {
    if constexpr (kKeep) verdicts[node.slot] = bits;
    bits = 0;
  }
};

template <class Then>
HWY_INLINE void judge_value(const LaneNode& node, int part, VF value, const Block& block, Then& then) {
  const DF d;
  then(node, part, hn::Lt(hn::Mul(value, block.norm[part]), hn::Set(d, node.threshold)));
}

template <class V, class Then>
HWY_INLINE void judge16(const LaneNode& node, int part16, V value, const Block& block, Then& then) {
  const D32 d32;
  if constexpr (kHalves == 1) {
    judge_value(node, part16, hn::ConvertTo(DF(), hn::PromoteTo(d32, value)), block, then);
  } else {
    const hn::Half<D16> half;
    judge_value(node, 2 * part16, hn::ConvertTo(DF(), hn::PromoteTo(d32, hn::LowerHalf(half, value))), block,
                then);
    judge_value(node, 2 * part16 + 1, hn::ConvertTo(DF(), hn::PromoteTo(d32, hn::UpperHalf(half, value))),
                block, then);
  }
}

// Adds unsigned 16-bit lanes to 32-bit sums.
template <class DHalf, class V>
HWY_INLINE void add_widened(DHalf, V piece, V32 (&sums)[kHalves]) {
  const D32 d;
  if constexpr (kHalves == 1) {
    sums[0] = hn::Add(sums[0], hn::PromoteTo(d, piece));
  } else {
    const DHalf half;
    sums[0] = hn::Add(sums[0], hn::PromoteTo(d, hn::LowerHalf(half, piece)));
    sums[1] = hn::Add(sums[1], hn::PromoteTo(d, hn::UpperHalf(half, piece)));
  }
}

// 2+ 2- once and kPairs+ kPairs- times m.
template <Reach reach, int kPairs, class Then>
HWY_INLINE void run_two_weights(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                                const Places& plane, const Block& block, Then& then) {
  const D16 d;
  for (int n = 0; n < run.node_count; ++n, offsets += 4 + 2 * kPairs) {
    const V16 times = hn::Set(d, nodes[n].times);
    const auto corner = [&](int c, int p) WINNOW_LANE_LAMBDA { return load16<reach>(plane, offsets[c], p); };
    written_out<kParts16>([&](auto p) WINNOW_LANE_LAMBDA {
      V16 once = hn::Sub(hn::Add(corner(0, p), corner(1, p)), hn::Add(corner(2, p), corner(3, p)));
      V16 many;
      if constexpr (kPairs == 1) {
        many = hn::Sub(corner(4, p), corner(5, p));
      } else {
        many = hn::Sub(hn::Add(corner(4, p), corner(5, p)), hn::Add(corner(6, p), corner(7, p)));
      }
      once = hn::Add(once, hn::Mul(many, times));
      judge16(nodes[n], p, once, block, then);
    });
    then.end(nodes[n]);
  }
}

template <Reach reach, class Then>
HWY_INLINE void run_corners(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                            const std::int16_t* weights, const Places& plane, const Block& block,
                            Then& then) {
  const D16 d;
  for (int n = 0; n < run.node_count; ++n, offsets += run.corners, weights += run.corners) {
    written_out<kParts16>([&](auto p) WINNOW_LANE_LAMBDA {
      V16 value = hn::Zero(d);
      for (int c = 0; c < run.corners; ++c) {
        value = hn::Add(value, hn::Mul(load16<reach>(plane, offsets[c], p), hn::Set(d, weights[c])));
      }
      judge16(nodes[n], p, value, block, then);
    });
    then.end(nodes[n]);
  }
}

template <Reach reach, class Then>
HWY_INLINE void run_checker(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                            const Places& plane, const Block& block, Then& then) {
  const D16 d;
  for (int n = 0; n < run.node_count; ++n, offsets += 9) {
    const V16 sign = hn::Set(d, nodes[n].times);
    const auto corner = [&](int c, int p) WINNOW_LANE_LAMBDA { return load16<reach>(plane, offsets[c], p); };
    written_out<kParts16>([&](auto p) WINNOW_LANE_LAMBDA {
      const V16 outer = hn::Add(hn::Add(corner(0, p), corner(1, p)), hn::Add(corner(2, p), corner(3, p)));
      const V16 edges = hn::Add(hn::Add(corner(4, p), corner(5, p)), hn::Add(corner(6, p), corner(7, p)));
      const V16 centre = corner(8, p);
      const V16 inner = hn::Sub(hn::Add(centre, centre), edges);
      judge16(nodes[n], p, hn::Mul(hn::Add(outer, hn::Add(inner, inner)), sign), block, then);
    });
    then.end(nodes[n]);
  }
}

// (w0 s0 + w1 s1) + w2 s2 in float, as the rule has it; `sum(r, half)` is rectangle r's in one 32-bit vector.
template <class Sum>
HWY_INLINE VF weighted(const float* weights, const Sum& sum) {
  const DF d;
  const auto part = [&](int r) WINNOW_LANE_LAMBDA {
    return hn::Mul(hn::Set(d, weights[r]), hn::ConvertTo(d, sum(r)));
  };
  VF value = hn::Add(part(0), part(1));
  if (weights[2] != 0.f) value = hn::Add(value, part(2));
  return value;
}

template <Reach reach, class Then>
HWY_INLINE void run_pieces(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                           const float* rect_weights, const Places& plane, const Block& block, Then& then) {
  const D32 d32;
  const hn::Rebind<std::uint16_t, D32> half;
  for (int n = 0; n < run.node_count; ++n, offsets += run.corners, rect_weights += 3) {
    written_out<kParts16>([&](auto p) WINNOW_LANE_LAMBDA {
      V32 sums[3][kHalves];
      const std::int32_t* at = offsets;
      for (int r = 0; r < 3; ++r) {
        for (int h = 0; h < kHalves; ++h) sums[r][h] = hn::Zero(d32);
        if (nodes[n].lines[r] == 0) continue;
        V16 before = hn::Sub(load16<reach>(plane, at[1], p), load16<reach>(plane, at[0], p));
        at += 2;
        for (int l = 1; l < nodes[n].lines[r]; ++l, at += 2) {
          const V16 line = hn::Sub(load16<reach>(plane, at[1], p), load16<reach>(plane, at[0], p));
          const VU16 piece = hn::BitCast(DU16(), hn::Sub(line, before));
          before = line;
          add_widened(half, piece, sums[r]);
        }
      }
      for (int h = 0; h < kHalves; ++h) {
        const VF value = weighted(rect_weights, [&](int r) WINNOW_LANE_LAMBDA { return sums[r][h]; });
        judge_value(nodes[n], kHalves * p + h, value, block, then);
      }
    });
    then.end(nodes[n]);
  }
}

template <Reach reach, class Then>
HWY_INLINE void run_rects(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                          const float* rect_weights, const std::uint32_t* plane, const Block& block,
                          Then& then) {
  for (int n = 0; n < run.node_count; ++n, offsets += 12, rect_weights += 3) {
    written_out<kParts32>([&](auto p) WINNOW_LANE_LAMBDA {
      const VF value = weighted(rect_weights, [&](int r) WINNOW_LANE_LAMBDA {
        const std::int32_t* o = offsets + 4 * r;
        const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load32<reach>(plane, o[c], p, block.at); };
        return hn::Add(hn::Sub(corner(0), corner(1)), hn::Sub(corner(3), corner(2)));
      });
      judge_value(nodes[n], p, value, block, then);
    });
    then.end(nodes[n]);
  }
}

// `bit` where a neighbour is at least the centre.
template <class D>
HWY_INLINE hn::Vec<D> with_bit(D d, hn::Vec<D> code, hn::Vec<D> neighbour, hn::Vec<D> centre,
                               hn::TFromD<D> bit) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    const __mmask16 at_least = _mm256_cmpge_epu16_mask(neighbour.raw, centre.raw);
    return hn::Vec<D>{_mm256_mask_add_epi16(code.raw, at_least, code.raw, hn::Set(d, bit).raw)};
  }
#endif
  return hn::Or(code, hn::IfThenElseZero(hn::Eq(hn::Max(neighbour, centre), neighbour), hn::Set(d, bit)));
}

// `row(r, corners)` loads the four corners of line r. Cells are differences of differences of neighbouring
// lines.
template <class D, class Row>
HWY_INLINE hn::Vec<D> lbp_codes(D d, const Row& row) {
  using V = hn::Vec<D>;
  V a0, a1, a2, a3, b0, b1, b2, b3;
  row(0, a0, a1, a2, a3);
  row(1, b0, b1, b2, b3);
  V d0 = hn::Sub(b0, a0), d1 = hn::Sub(b1, a1), d2 = hn::Sub(b2, a2), d3 = hn::Sub(b3, a3);
  const V n7 = hn::Sub(d1, d0), n6 = hn::Sub(d2, d1), n5 = hn::Sub(d3, d2);
  row(2, a0, a1, a2, a3);
  d0 = hn::Sub(a0, b0), d1 = hn::Sub(a1, b1), d2 = hn::Sub(a2, b2), d3 = hn::Sub(a3, b3);
  const V n0 = hn::Sub(d1, d0), centre = hn::Sub(d2, d1), n4 = hn::Sub(d3, d2);
  V code = with_bit(d, hn::Zero(d), n7, centre, 128);
  code = with_bit(d, code, n6, centre, 64);
  code = with_bit(d, code, n5, centre, 32);
  code = with_bit(d, code, n4, centre, 16);
  code = with_bit(d, code, n0, centre, 1);
  row(3, b0, b1, b2, b3);
  d0 = hn::Sub(b0, a0), d1 = hn::Sub(b1, a1), d2 = hn::Sub(b2, a2), d3 = hn::Sub(b3, a3);
  code = with_bit(d, code, hn::Sub(d3, d2), centre, 8);
  code = with_bit(d, code, hn::Sub(d2, d1), centre, 4);
  return with_bit(d, code, hn::Sub(d1, d0), centre, 2);
}

// Which windows' codes are in the subset of 256 bits?
#if HWY_TARGET == HWY_AVX3
// Sixteen words of sixteen bits: one permutation brings a window its word, and 16 lanes of either width share
// a mask.
template <class Then>
HWY_INLINE void judge_lbp(const LaneNode& node, int part16, VU16 code, const std::uint8_t* subsets,
                          Then& then) {
  const DU16 d;
  const VU16 table = hn::LoadU(
      d, reinterpret_cast<const std::uint16_t*>(subsets + 32 * static_cast<std::size_t>(node.subset)));
  const __m256i word = _mm256_permutexvar_epi16(_mm256_srli_epi16(code.raw, 4), table.raw);
  const __m256i bit =
      _mm256_sllv_epi16(_mm256_set1_epi16(1), _mm256_and_si256(code.raw, _mm256_set1_epi16(15)));
  then(node, part16, hn::Mask<DF>{_mm256_test_epi16_mask(word, bit)});
}
#else
// Bytes are looked up in the two halves, then the bit in the byte.
HWY_INLINE hn::Mask<DU16> in_subset(VU16 code, const std::uint8_t* subset) {
  const DU16 d;
  const hn::Repartition<std::uint8_t, DU16> d8;
  HWY_ALIGN static constexpr std::uint8_t kBits[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                       1, 2, 4, 8, 16, 32, 64, 128};
  const auto byte = hn::BitCast(d8, hn::And(hn::ShiftRight<3>(code), hn::Set(d, 15)));
  const auto low = hn::BitCast(d, hn::TableLookupBytes(hn::LoadDup128(d8, subset), byte));
  const auto high = hn::BitCast(d, hn::TableLookupBytes(hn::LoadDup128(d8, subset + 16), byte));
  const auto found = hn::IfThenElse(hn::Eq(hn::And(code, hn::Set(d, 128)), hn::Zero(d)), low, high);
  const auto bit = hn::BitCast(
      d, hn::TableLookupBytes(hn::LoadDup128(d8, kBits), hn::BitCast(d8, hn::And(code, hn::Set(d, 7)))));
  return hn::Ne(hn::And(hn::And(found, bit), hn::Set(d, 255)), hn::Zero(d));
}

template <class Then>
HWY_INLINE void judge_lbp(const LaneNode& node, int part16, VU16 code, const std::uint8_t* subsets,
                          Then& then) {
  const DU16 d;
  const D32 d32;
  const auto inside = in_subset(code, subsets + 32 * static_cast<std::size_t>(node.subset));
  const V16 mask = hn::BitCast(D16(), hn::VecFromMask(d, inside));
  const hn::Half<D16> half;
  const auto widen = [&](auto part) WINNOW_LANE_LAMBDA {
    return hn::RebindMask(DF(), hn::MaskFromVec(hn::PromoteTo(d32, part)));
  };
  then(node, 2 * part16, widen(hn::LowerHalf(half, mask)));
  then(node, 2 * part16 + 1, widen(hn::UpperHalf(half, mask)));
}
#endif

template <Reach reach, class Then>
HWY_INLINE void run_lbp(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                        const std::uint8_t* subsets, const Places& plane, Then& then) {
  for (int n = 0; n < run.node_count; ++n, offsets += 8) {
    const std::ptrdiff_t columns[4] = {offsets[0], offsets[1], offsets[2], offsets[3]};
    written_out<kParts16>([&](auto p) WINNOW_LANE_LAMBDA {
      const VU16 code =
          lbp_codes(DU16(), [&](int r, VU16& c0, VU16& c1, VU16& c2, VU16& c3) WINNOW_LANE_LAMBDA {
            // The row is added to the octets' places first, so that each load is a place and a column.
            const Places row = plane.moved(offsets[4 + r]);
            c0 = hn::BitCast(DU16(), load16<reach>(row, columns[0], p));
            c1 = hn::BitCast(DU16(), load16<reach>(row, columns[1], p));
            c2 = hn::BitCast(DU16(), load16<reach>(row, columns[2], p));
            c3 = hn::BitCast(DU16(), load16<reach>(row, columns[3], p));
          });
      judge_lbp(nodes[n], p, code, subsets, then);
    });
    then.end(nodes[n]);
  }
}

template <Reach reach, class Then>
HWY_INLINE void run_lbp_wide(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                             const std::uint8_t* subsets, const Block& block, Then& then) {
  const D16 d16;
  for (int n = 0; n < run.node_count; ++n, offsets += 8) {
    written_out<kParts16>([&](auto p) WINNOW_LANE_LAMBDA {
      const auto codes = [&](int part) WINNOW_LANE_LAMBDA {
        return lbp_codes(D32(), [&](int r, V32& c0, V32& c1, V32& c2, V32& c3) WINNOW_LANE_LAMBDA {
          const std::uint32_t* row = block.sum + offsets[4 + r];
          c0 = load32<reach>(row, offsets[0], part, block.at);
          c1 = load32<reach>(row, offsets[1], part, block.at);
          c2 = load32<reach>(row, offsets[2], part, block.at);
          c3 = load32<reach>(row, offsets[3], part, block.at);
        });
      };
      if constexpr (kHalves == 1) {
        judge_lbp(nodes[n], p, hn::BitCast(DU16(), hn::DemoteTo(d16, codes(p))), subsets, then);
      } else {
        const hn::Half<D16> half;
        const auto both =
            hn::Combine(d16, hn::DemoteTo(half, codes(2 * p + 1)), hn::DemoteTo(half, codes(2 * p)));
        judge_lbp(nodes[n], p, hn::BitCast(DU16(), both), subsets, then);
      }
    });
    then.end(nodes[n]);
  }
}

template <Reach reach, class Then>
HWY_INLINE void run_nodes(const LaneProgram& program, const LaneStage& stage, const Block& block, Then then) {
  // 32-bit planes lie row by row, whatever the 16-bit ones do.
  const std::int32_t* narrow = program.offsets[static_cast<int>(layout_of(reach))].data();
  const std::int32_t* wide = program.offsets[static_cast<int>(LaneLayout::kRows)].data();
  for (int r = stage.first_run; r < stage.first_run + stage.run_count; ++r) {
    const LaneRun& run = program.runs[static_cast<std::size_t>(r)];
    const LaneNode* nodes = program.nodes.data() + run.first_node;
    const bool tilted_plane = run.tilted && reach != Reach::kPacked;
    const Places plane16(tilted_plane ? block.tilted_low : block.low);
    const std::uint32_t* plane32 = run.tilted ? block.tilted : block.sum;
    const std::int32_t *o16 = narrow + run.first_offset, *o32 = wide + run.first_offset;
    const std::int16_t* weights = program.weights.data() + run.first_offset;
    const float* rect_weights = program.rect_weights.data() + 3 * run.first_node;
    const std::uint8_t* subsets = program.subset_bytes.data();
    switch (run.shape) {
      case LaneShape::kEdge:
        run_two_weights<reach, 1>(run, nodes, o16, plane16, block, then);
        break;
      case LaneShape::kLine:
        run_two_weights<reach, 2>(run, nodes, o16, plane16, block, then);
        break;
      case LaneShape::kCorners:
        run_corners<reach>(run, nodes, o16, weights, plane16, block, then);
        break;
      case LaneShape::kChecker:
        run_checker<reach>(run, nodes, o16, plane16, block, then);
        break;
      case LaneShape::kPieces:
        run_pieces<reach>(run, nodes, o16, rect_weights, plane16, block, then);
        break;
      case LaneShape::kRects:
        run_rects<reach>(run, nodes, o32, rect_weights, plane32, block, then);
        break;
      case LaneShape::kLbp:
        run_lbp<reach>(run, nodes, o16, subsets, plane16, then);
        break;
      case LaneShape::kLbpWide:
        run_lbp_wide<reach>(run, nodes, o32, subsets, block, then);
        break;
    }
  }
}

// A stage's trees from their nodes' verdicts.
HWY_INLINE void add_trees(const LaneProgram& program, const LaneStage& stage, const std::uint32_t* verdicts,
                          Sums& sums) {
  const LanePair* pair = program.pairs.data() + stage.first_pair;
  for (int i = 0; i < stage.pair_count; ++i, ++pair) {
    const std::uint32_t first = verdicts[pair->first] ^ pair->flip, second = verdicts[pair->second] & ~first;
    written_out<kParts32>([&](auto p) WINNOW_LANE_LAMBDA {
      add_where(sums[p], bits_mask(first, p), pair->first_value);
      add_where(sums[p], bits_mask(second, p), pair->second_value);
    });
  }
  const LaneLeaf* leaf = program.leaves.data() + stage.first_leaf;
  for (int l = 0; l < stage.leaf_count; ++l, ++leaf) {
    std::uint32_t way = ~0u;
    for (int s = leaf->first_step; s < leaf->first_step + leaf->step_count; ++s) {
      const LaneStep step = program.steps[static_cast<std::size_t>(s)];
      way &= step.left ? verdicts[step.slot] : ~verdicts[step.slot];
    }
    for (int p = 0; p < kParts32; ++p) add_where(sums[p], bits_mask(way, p), leaf->value);
  }
}

struct StageBits {
  std::uint32_t pass, unsure;
};

// All windows of a block through one stage; `unsure` ones need a second look. The last stage's verdicts are
// kept.
template <Reach reach>
HWY_NOINLINE StageBits run_stage(const LaneProgram& program, const LaneStage& stage, const Block& block,
                                 std::uint32_t* verdicts) {
  if (stage.always_look) return {0, ~0u};
  const D32 d;
  Sums sums;
  for (int p = 0; p < kParts32; ++p) sums[p] = hn::Set(d, stage.base);
  if (!stage.stumps) {
    run_nodes<reach>(program, stage, block, Verdict<false, true>{sums, verdicts});
    add_trees(program, stage, verdicts, sums);
  } else if (stage.last) {
    run_nodes<reach>(program, stage, block, Verdict<true, true>{sums, verdicts});
  } else {
    run_nodes<reach>(program, stage, block, Verdict<true, false>{sums, verdicts});
  }
  StageBits bits{0, 0};
  written_out<kParts32>([&](auto p) WINNOW_LANE_LAMBDA {
    const DF df;
    const auto accept = hn::Gt(sums[p], hn::Set(d, stage.accept_from - 1));
    const auto reject = hn::Lt(sums[p], hn::Set(d, stage.reject_below));
    bits.pass |= mask_bits(hn::RebindMask(df, accept)) << (p * kN32);
    bits.unsure |= mask_bits(hn::RebindMask(df, reject)) << (p * kN32);
  });
  bits.unsure = ~(bits.unsure | bits.pass);
  return bits;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_LANES_INL_H
