// Haar features in lanes: a function for each shape. Included once a SIMD target.
#if defined(WINNOW_HAAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_HAAR_INL_H
#undef WINNOW_HAAR_INL_H
#else
#define WINNOW_HAAR_INL_H
#endif

#include "sieve/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

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

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_HAAR_INL_H
