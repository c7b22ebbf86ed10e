// Evaluates LBP features in lanes: the code of a window, and whether a subset holds the code. Included once
// per SIMD target.
//
// In:     a run of nodes, their offsets and subsets (32 bytes each), and a bundle of kBundle windows.
// Out:    calls `then(node, vector, mask)` per node and vector of the bundle, then `then.end(node)`.
// Exact:  codes equal the codes of `lbp_code`.
// Memory: none.
#if defined(WINNOW_LBP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_LBP_INL_H
#undef WINNOW_LBP_INL_H
#else
#define WINNOW_LBP_INL_H
#endif

#include "sieve/lanes/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Adds `bit` to the code where the neighbour is at least the centre.
template <class D>
HWY_INLINE hn::Vec<D> with_bit(D d, hn::Vec<D> code, hn::Vec<D> neighbour, hn::Vec<D> centre,
                               hn::TFromD<D> bit) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    const __mmask16 at_least = _mm256_cmpge_epu16_mask(neighbour.raw, centre.raw);
    return hn::Vec<D>{_mm256_mask_add_epi16(code.raw, at_least, code.raw, hn::Set(d, bit).raw)};
  }
#endif
  return hn::Or(code, hn::IfThenElseZero(hn::Eq(hn::Max(neighbour, centre), neighbour), hn::Set(d, bit)));
}

// Computes the windows' codes. `row(r, c0, c1, c2, c3)` loads the four corners of grid line r. Subtracts
// neighbouring lines, then neighbouring columns of the differences, which gives the sums of cells.
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

// `judge_lbp` finds the windows whose codes are in the subset of 256 bits.
#if HWY_TARGET <= HWY_AVX3
// The subset is 16 words of 16 bits. One permutation brings each window its word. Vectors of 16 lanes have
// the same mask type for 16-bit and for 32-bit lanes.
template <class Then>
HWY_INLINE void judge_lbp(const LaneNode& node, int vector16, VU16 code, const std::uint8_t* subsets,
                          Then& then) {
  const DU16 d;
  const VU16 table = hn::LoadU(
      d, reinterpret_cast<const std::uint16_t*>(subsets + 32 * static_cast<std::size_t>(node.subset)));
  const __m256i word = _mm256_permutexvar_epi16(_mm256_srli_epi16(code.raw, 4), table.raw);
  const __m256i bit =
      _mm256_sllv_epi16(_mm256_set1_epi16(1), _mm256_and_si256(code.raw, _mm256_set1_epi16(15)));
  then(node, vector16, hn::Mask<DF>{_mm256_test_epi16_mask(word, bit)});
}
#else
// Looks up the code's byte in both halves of the subset. Bit 7 of the code selects the half. Then tests the
// code's bit in that byte.
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
HWY_INLINE void judge_lbp(const LaneNode& node, int vector16, VU16 code, const std::uint8_t* subsets,
                          Then& then) {
  const DU16 d;
  const D32 d32;
  const auto inside = in_subset(code, subsets + 32 * static_cast<std::size_t>(node.subset));
  const V16 mask = hn::BitCast(D16(), hn::VecFromMask(d, inside));
  const hn::Half<D16> half;
  const auto widen = [&](auto lanes) WINNOW_LANE_LAMBDA {
    return hn::RebindMask(DF(), hn::MaskFromVec(hn::PromoteTo(d32, lanes)));
  };
  then(node, 2 * vector16, widen(hn::LowerHalf(half, mask)));
  then(node, 2 * vector16 + 1, widen(hn::UpperHalf(half, mask)));
}
#endif

template <LaneLoad load, class Then>
HWY_INLINE void run_lbp(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                        const std::uint8_t* subsets, const Places& plane, Then& then) {
  for (int n = 0; n < run.node_count; ++n, offsets += 8) {
    const std::ptrdiff_t columns[4] = {offsets[0], offsets[1], offsets[2], offsets[3]};
    unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
      const VU16 code =
          lbp_codes(DU16(), [&](int r, VU16& c0, VU16& c1, VU16& c2, VU16& c3) WINNOW_LANE_LAMBDA {
            // Add the row to the octets' places first, so that each load is a place plus a column.
            const Places row = plane.moved(offsets[4 + r]);
            c0 = hn::BitCast(DU16(), load16<load>(row, columns[0], p));
            c1 = hn::BitCast(DU16(), load16<load>(row, columns[1], p));
            c2 = hn::BitCast(DU16(), load16<load>(row, columns[2], p));
            c3 = hn::BitCast(DU16(), load16<load>(row, columns[3], p));
          });
      judge_lbp(nodes[n], p, code, subsets, then);
    });
    then.end(nodes[n]);
  }
}

template <LaneLoad load, class Then>
HWY_INLINE void run_lbp_wide(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                             const std::uint8_t* subsets, const Bundle& bundle, Then& then) {
  const D16 d16;
  for (int n = 0; n < run.node_count; ++n, offsets += 8) {
    unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
      const auto codes = [&](int vector) WINNOW_LANE_LAMBDA {
        return lbp_codes(D32(), [&](int r, V32& c0, V32& c1, V32& c2, V32& c3) WINNOW_LANE_LAMBDA {
          const std::uint32_t* row = bundle.sum + offsets[4 + r];
          c0 = load32<load>(row, offsets[0], vector, bundle.at);
          c1 = load32<load>(row, offsets[1], vector, bundle.at);
          c2 = load32<load>(row, offsets[2], vector, bundle.at);
          c3 = load32<load>(row, offsets[3], vector, bundle.at);
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

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_LBP_INL_H
