// Runs one stage for a bundle of kBundle windows: runs of features of one shape, then trees, then the limits.
// Included once per SIMD target.
//
// In:     a bundle of windows with their norms, and a stage of the lane program.
// Out:    bits of the windows that pass, and of the windows that are undecided. `verdicts` gets the bits of
//         each node for trees and for the last stage.
// Exact:  a window is passed or rejected only if the rounding of leaves cannot change the verdict.
// Memory: `verdicts` is the caller's, with room for `max_nodes`. Nothing is allocated.
#if defined(WINNOW_STAGE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_STAGE_INL_H
#undef WINNOW_STAGE_INL_H
#else
#define WINNOW_STAGE_INL_H
#endif

#include "sieve/lanes/haar_cpu-inl.h"
#include "sieve/lanes/lanes_cpu-inl.h"
#include "sieve/lanes/lbp_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

template <LaneLoad load, class Then>
HWY_INLINE void run_nodes_of(const LaneProgram& program, const LaneRun& run, const Bundle& bundle,
                             Then& then) {
  // Planes of 32-bit sums always lie row by row.
  const std::int32_t* narrow = program.offsets[static_cast<int>(layout_of(load))].data();
  const std::int32_t* wide = program.offsets[static_cast<int>(LaneLayout::kRows)].data();
  const LaneNode* nodes = program.nodes.data() + run.first_node;
  const bool tilted_plane = run.tilted && load != LaneLoad::kPacked;
  const Places plane16(tilted_plane ? bundle.tilted_low : bundle.low);
  const std::uint32_t* plane32 = run.tilted ? bundle.tilted : bundle.sum;
  const std::int32_t *o16 = narrow + run.first_offset, *o32 = wide + run.first_offset;
  const std::int16_t* weights = program.weights.data() + run.first_offset;
  const float* rect_weights = program.rect_weights.data() + 3 * run.first_node;
  const std::uint8_t* subsets = program.subset_bytes.data();
  switch (run.shape) {
    case FeatureShape::kEdge:
      run_two_weights<load, 1>(run, nodes, o16, plane16, bundle, then);
      break;
    case FeatureShape::kLine:
      run_two_weights<load, 2>(run, nodes, o16, plane16, bundle, then);
      break;
    case FeatureShape::kCorners:
      run_corners<load>(run, nodes, o16, weights, plane16, bundle, then);
      break;
    case FeatureShape::kChecker:
      run_checker<load>(run, nodes, o16, plane16, bundle, then);
      break;
    case FeatureShape::kPieces:
      run_pieces<load>(run, nodes, o16, rect_weights, plane16, bundle, then);
      break;
    case FeatureShape::kRects:
      run_rects<load>(run, nodes, o32, rect_weights, plane32, bundle, then);
      break;
    case FeatureShape::kLbp:
      if constexpr (!Then::kHaarOnly) run_lbp<load>(run, nodes, o16, subsets, plane16, then);
      break;
    case FeatureShape::kLbpWide:
      if constexpr (!Then::kHaarOnly) run_lbp_wide<load>(run, nodes, o32, subsets, bundle, then);
      break;
  }
}

// `Holder` is a LaneStage or a LaneSegment.
template <LaneLoad load, class Holder, class Then>
HWY_INLINE void run_nodes(const LaneProgram& program, const Holder& holder, const Bundle& bundle, Then then) {
  for (int r = holder.first_run; r < holder.first_run + holder.run_count; ++r)
    run_nodes_of<load>(program, program.runs[static_cast<std::size_t>(r)], bundle, then);
}

// Adds the leaves of a stage's trees, from the verdicts of their nodes.
template <class Holder>
HWY_INLINE void add_trees(const LaneProgram& program, const Holder& stage, const std::uint32_t* verdicts,
                          Sums& sums) {
  const LanePair* pair = program.pairs.data() + stage.first_pair;
  for (int i = 0; i < stage.pair_count; ++i, ++pair) {
    const std::uint32_t first = verdicts[pair->first] ^ pair->flip, second = verdicts[pair->second] & ~first;
    unrolled<kVectors32>([&](auto p) WINNOW_LANE_LAMBDA {
      add_where(sums[p], bits_mask(first, p), pair->first_value);
      add_where(sums[p], bits_mask(second, p), pair->second_value);
    });
  }
  const LaneLeaf* leaf = program.leaves.data() + stage.first_leaf;
  for (int l = 0; l < stage.leaf_count; ++l, ++leaf) {
    std::uint32_t reached = ~0u;
    for (int s = leaf->first_step; s < leaf->first_step + leaf->step_count; ++s) {
      const LaneStep step = program.steps[static_cast<std::size_t>(s)];
      reached &= step.left ? verdicts[step.slot] : ~verdicts[step.slot];
    }
    for (int p = 0; p < kVectors32; ++p) add_where(sums[p], bits_mask(reached, p), leaf->value);
  }
}

struct StageBits {
  std::uint32_t pass, unsure;
};

// Judges all windows of a bundle. The windows in `unsure` must be judged again in doubles. In the last stage,
// stores the verdicts of all nodes, from which the score is computed.
template <LaneLoad load>
HWY_NOINLINE StageBits run_stage(const LaneProgram& program, const LaneStage& stage, const Bundle& bundle,
                                 std::uint32_t* verdicts) {
  if (stage.needs_doubles) return {0, ~0u};
  const D32 d;
  Sums sums;
  for (int p = 0; p < kVectors32; ++p) sums[p] = hn::Set(d, stage.base);
  if (!stage.stumps) {
    run_nodes<load>(program, stage, bundle, Verdict<false, true>{sums, verdicts});
    add_trees(program, stage, verdicts, sums);
  } else if (stage.last) {
    run_nodes<load>(program, stage, bundle, Verdict<true, true>{sums, verdicts});
  } else {
    run_nodes<load>(program, stage, bundle, Verdict<true, false>{sums, verdicts});
  }
  StageBits bits{0, 0};
  unrolled<kVectors32>([&](auto p) WINNOW_LANE_LAMBDA {
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

#endif  // WINNOW_STAGE_INL_H
