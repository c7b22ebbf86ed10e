// Evaluates Haar features in lanes, with one function per shape. Included once per SIMD target.
//
// In:     a run of nodes, their corner offsets and weights, and a bundle of kBundle windows.
// Out:    calls `then.judge(node, vector, value)` per node and vector of the bundle, then `then.end(node)`.
//         `value` is already multiplied by the norm.
// Exact:  integer shapes lose nothing in 16 bits. Pieces and rectangles are weighted in float, as in
//         `haar_value`.
// Memory: none.
#if defined(WINNOW_HAAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_HAAR_INL_H
#undef WINNOW_HAAR_INL_H
#else
#define WINNOW_HAAR_INL_H
#endif

#include "sieve/lanes/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Adds two corners and subtracts the next two. Then adds the next kPairs corners and subtracts the kPairs
// after these, each times `factor`. `corner(c)` loads corner c.
template <int kPairs, class Corner, class V>
HWY_INLINE V two_weights(const Corner& corner, V factor) {
  const V once = hn::Sub(hn::Add(corner(0), corner(1)), hn::Add(corner(2), corner(3)));
  V many;
  if constexpr (kPairs == 1) {
    many = hn::Sub(corner(4), corner(5));
  } else {
    many = hn::Sub(hn::Add(corner(4), corner(5)), hn::Add(corner(6), corner(7)));
  }
  return hn::Add(once, hn::Mul(many, factor));
}

// Adds four corners of weight 1, four edges of weight -2, and the centre of weight 4. The sum is multiplied
// by `sign`, which is +1 or -1.
template <class Corner, class V>
HWY_INLINE V checker(const Corner& corner, V sign) {
  const V outer = hn::Add(hn::Add(corner(0), corner(1)), hn::Add(corner(2), corner(3)));
  const V edges = hn::Add(hn::Add(corner(4), corner(5)), hn::Add(corner(6), corner(7)));
  const V centre = corner(8);
  const V inner = hn::Sub(hn::Add(centre, centre), edges);
  return hn::Mul(hn::Add(outer, hn::Add(inner, inner)), sign);
}

template <LaneLoad load, int kPairs, class Then>
HWY_INLINE void run_two_weights(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                                const Places& plane, const Bundle& bundle, Then& then) {
  const D16 d;
  for (int n = 0; n < run.node_count; ++n, offsets += 4 + 2 * kPairs) {
    const V16 factor = hn::Set(d, nodes[n].factor);
    unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
      const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load16<load>(plane, offsets[c], p); };
      judge16(nodes[n], p, two_weights<kPairs>(corner, factor), bundle, then);
    });
    then.end(nodes[n]);
  }
}

template <LaneLoad load, class Then>
HWY_INLINE void run_corners(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                            const std::int16_t* weights, const Places& plane, const Bundle& bundle,
                            Then& then) {
  const D16 d;
  for (int n = 0; n < run.node_count; ++n, offsets += run.corners, weights += run.corners) {
    unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
      V16 value = hn::Zero(d);
      for (int c = 0; c < run.corners; ++c) {
        value = hn::Add(value, hn::Mul(load16<load>(plane, offsets[c], p), hn::Set(d, weights[c])));
      }
      judge16(nodes[n], p, value, bundle, then);
    });
    then.end(nodes[n]);
  }
}

template <LaneLoad load, class Then>
HWY_INLINE void run_checker(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                            const Places& plane, const Bundle& bundle, Then& then) {
  const D16 d;
  for (int n = 0; n < run.node_count; ++n, offsets += 9) {
    const V16 sign = hn::Set(d, nodes[n].factor);
    unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
      const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load16<load>(plane, offsets[c], p); };
      judge16(nodes[n], p, checker(corner, sign), bundle, then);
    });
    then.end(nodes[n]);
  }
}

// Widens unsigned 16-bit lanes to 32 bits.
template <class V>
HWY_INLINE void widen(V piece, V32 (&sums)[kHalves]) {
  const D32 d;
  if constexpr (kHalves == 1) {
    sums[0] = hn::PromoteTo(d, piece);
  } else {
    const hn::Half<hn::DFromV<V>> half;
    sums[0] = hn::PromoteTo(d, hn::LowerHalf(half, piece));
    sums[1] = hn::PromoteTo(d, hn::UpperHalf(half, piece));
  }
}

// Sums a rectangle that is cut into pieces. `corner(c)` loads corner c. Moves the argument `c` from the
// rectangle's first corner past its last. Most rectangles have one piece.
template <class Corner>
HWY_INLINE void sum_pieces(const Corner& corner, int& c, int lines, V32 (&sums)[kHalves]) {
  const auto line = [&]() WINNOW_LANE_LAMBDA {
    c += 2;
    return hn::Sub(corner(c - 1), corner(c - 2));
  };
  const V16 first = line();
  V16 before = line();
  widen(hn::BitCast(DU16(), hn::Sub(before, first)), sums);
  for (int l = 2; l < lines; ++l) {
    const V16 next = line();
    V32 more[kHalves];
    widen(hn::BitCast(DU16(), hn::Sub(next, before)), more);
    for (int h = 0; h < kHalves; ++h) sums[h] = hn::Add(sums[h], more[h]);
    before = next;
  }
}

// (w0 s0 + w1 s1) + w2 s2 in float, as in `haar_value`, for rectangles that are cut into pieces.
template <class Corner>
HWY_INLINE void weigh_pieces(const Corner& corner, const std::uint8_t* lines, const float* weights,
                             VF (&value)[kHalves]) {
  const DF d;
  int c = 0;
  V32 sums[kHalves];
  const auto weighted = [&](int r, int h) WINNOW_LANE_LAMBDA {
    return hn::Mul(hn::Set(d, weights[r]), hn::ConvertTo(d, sums[h]));
  };
  sum_pieces(corner, c, lines[0], sums);
  for (int h = 0; h < kHalves; ++h) value[h] = weighted(0, h);
  sum_pieces(corner, c, lines[1], sums);
  for (int h = 0; h < kHalves; ++h) value[h] = hn::Add(value[h], weighted(1, h));
  if (lines[2] == 0) return;
  sum_pieces(corner, c, lines[2], sums);
  for (int h = 0; h < kHalves; ++h) value[h] = hn::Add(value[h], weighted(2, h));
}

template <LaneLoad load, class Then>
HWY_INLINE void run_pieces(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                           const float* rect_weights, const Places& plane, const Bundle& bundle, Then& then) {
  for (int n = 0; n < run.node_count; ++n, offsets += run.corners, rect_weights += 3) {
    unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
      const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load16<load>(plane, offsets[c], p); };
      VF value[kHalves];
      weigh_pieces(corner, nodes[n].lines, rect_weights, value);
      for (int h = 0; h < kHalves; ++h) judge_value(nodes[n], kHalves * p + h, value[h], bundle, then);
    });
    then.end(nodes[n]);
  }
}

// (w0 s0 + w1 s1) + w2 s2 in float, as in `haar_value`. `sum(r)` is the sum of rectangle r in one 32-bit
// vector.
template <class Sum>
HWY_INLINE VF weighted(const float* weights, const Sum& sum) {
  const DF d;
  const auto term = [&](int r) WINNOW_LANE_LAMBDA {
    return hn::Mul(hn::Set(d, weights[r]), hn::ConvertTo(d, sum(r)));
  };
  VF value = hn::Add(term(0), term(1));
  if (weights[2] != 0.f) value = hn::Add(value, term(2));
  return value;
}

template <LaneLoad load, class Then>
HWY_INLINE void run_rects(const LaneRun& run, const LaneNode* nodes, const std::int32_t* offsets,
                          const float* rect_weights, const std::uint32_t* plane, const Bundle& bundle,
                          Then& then) {
  for (int n = 0; n < run.node_count; ++n, offsets += 12, rect_weights += 3) {
    unrolled<kVectors32>([&](auto p) WINNOW_LANE_LAMBDA {
      const VF value = weighted(rect_weights, [&](int r) WINNOW_LANE_LAMBDA {
        const std::int32_t* o = offsets + 4 * r;
        const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load32<load>(plane, o[c], p, bundle.at); };
        return hn::Add(hn::Sub(corner(0), corner(1)), hn::Sub(corner(3), corner(2)));
      });
      judge_value(nodes[n], p, value, bundle, then);
    });
    then.end(nodes[n]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_HAAR_INL_H
