// Runs a chunk of stages of a fixed-point cascade in lanes. Included once per SIMD target.
//
// In:     up to kSquad bundles of windows (`Squad`) with their norms, sums and living windows.
// Out:    in the squad: the sums, and the windows that pass all stages. In `reached`: the windows that enter
//         each stage of the chunk, except the chunk's first stage.
// Exact:  sums are integers, and every stage's limit is checked.
// Memory: the caller owns the squad and the scratch memory (`FixedRoom`). Nothing is allocated.
#if defined(WINNOW_FIXED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_FIXED_INL_H
#undef WINNOW_FIXED_INL_H
#else
#define WINNOW_FIXED_INL_H
#endif

#include <algorithm>
#include <bit>

#include "sieve/lanes/lanes_cpu-inl.h"
#include "sieve/lanes/stage_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Truncates floats that are known to fit 32-bit integers. A plain conversion would cost more, because it also
// handles floats that do not fit.
HWY_INLINE V32 truncated(VF value) {
#if HWY_TARGET <= HWY_AVX3
  return V32{_mm512_cvttps_epi32(value.raw)};
#elif HWY_TARGET == HWY_AVX2
  return V32{_mm256_cvttps_epi32(value.raw)};
#elif HWY_ARCH_X86
  return V32{_mm_cvttps_epi32(value.raw)};
#else
  return hn::ConvertTo(D32(), value);
#endif
}

// A table held in registers.
struct TableNow {
  VF low, per_unit;
#if HWY_TARGET <= HWY_AVX3
  V32 leaves;
#elif HWY_TARGET == HWY_AVX2
  V32 leaves[2];
#else
  hn::Vec<hn::Repartition<std::uint8_t, D32>> bytes[2];
#endif

  HWY_INLINE explicit TableNow(const LaneTable& table)
      : low(hn::Set(DF(), table.low)), per_unit(hn::Set(DF(), table.per_unit)) {
#if HWY_TARGET <= HWY_AVX3
    leaves = hn::LoadU(D32(), table.leaves);
#elif HWY_TARGET == HWY_AVX2
    for (int i = 0; i < 2; ++i) leaves[i] = hn::LoadU(D32(), table.leaves + 8 * i);
#else
    const hn::Repartition<std::uint8_t, D32> d8;
    for (int i = 0; i < 2; ++i) bytes[i] = hn::LoadDup128(d8, table.bytes[i]);
#endif
  }

  // Maps bins 0 to 15 to their leaves.
  HWY_INLINE V32 leaves_of(V32 bins) const {
#if HWY_TARGET <= HWY_AVX3
    return V32{_mm512_permutexvar_epi32(bins.raw, leaves.raw)};
#elif HWY_TARGET == HWY_AVX2
    const auto find = [&](V32 half)
                          WINNOW_LANE_LAMBDA { return V32{_mm256_permutevar8x32_epi32(half.raw, bins.raw)}; };
    return hn::IfThenElse(hn::Gt(bins, hn::Set(D32(), 7)), find(leaves[1]), find(leaves[0]));
#else
    // In each lane, the first byte looks up the low byte of the leaf, and the last byte looks up the high
    // byte. The other bytes look up zero.
    const D32 d;
    const hn::Repartition<std::uint8_t, D32> d8;
    const V32 none = hn::Set(d, static_cast<std::int32_t>(0x80808000u));
    const V32 low_places = hn::Or(bins, none);
    const V32 high_places = hn::Or(hn::ShiftLeft<24>(bins), hn::Set(d, 0x00808080));
    const V32 lower = hn::BitCast(d, hn::TableLookupBytesOr0(bytes[0], hn::BitCast(d8, low_places)));
    const V32 upper = hn::BitCast(d, hn::TableLookupBytesOr0(bytes[1], hn::BitCast(d8, high_places)));
    return hn::Or(hn::ShiftRight<16>(upper), lower);
#endif
  }

  // The leaf for a value that is already multiplied by the window's norm. Finds the same bin as `table_bin`.
  HWY_INLINE V32 leaf(VF value) const {
    const DF d;
    const VF at = hn::Mul(hn::Sub(value, low), per_unit);
    return leaves_of(truncated(
        hn::IfThenElseZero(hn::Gt(at, hn::Zero(d)), hn::Min(at, hn::Set(d, float{kTableBins - 1})))));
  }
};

// The bundles of windows that go through a chunk of stages together.
struct Squad {
  int count;
  Bundle bundle[kSquad];
  Sums sums[kSquad];
  std::uint32_t alive[kSquad];

  void clear_sums() {
    for (int g = 0; g < count; ++g) {
      for (V32& sum : sums[g]) sum = hn::Zero(D32());
    }
  }
  bool lives() const {
    std::uint32_t any = 0;
    for (int g = 0; g < count; ++g) any |= alive[g];
    return any != 0;
  }
};

// The worker's scratch memory for verdicts and leaves, and the worker's counters.
struct FixedRoom {
  LeafRow* rows;  // one for each slot (`LaneNode::slot`) and bundle; rows of a slot are neighbours
  std::uint32_t* verdicts;
  std::int64_t* reached;
};

// Stores the leaves of tables whose feature shape has no kernel for squads.
struct TableLeaves {
  static constexpr bool kHaarOnly = true;
  const LaneTable* tables;
  LeafRow* rows;
  int squad;
  HWY_INLINE void judge(const LaneNode& node, int vector, VF value) {
    hn::StoreU(TableNow(tables[node.subset]).leaf(value), D32(),
               rows[node.slot * squad].window + vector * kN32);
  }
  HWY_INLINE void end(const LaneNode&) {}
};

// Stores a stump's left leaf minus its right leaf for windows that go left, and 0 for other windows.
// `LaneCheck::base` adds the right leaf to every sum.
struct StumpLeaves {
  static constexpr bool kHaarOnly = false;
  LeafRow* rows;
  HWY_INLINE void operator()(const LaneNode& node, int vector, hn::Mask<DF> left) {
    const D32 d;
    hn::StoreU(hn::IfThenElseZero(hn::RebindMask(d, left), hn::Set(d, node.delta)), d,
               rows[node.slot].window + vector * kN32);
  }
  HWY_INLINE void judge(const LaneNode& node, int vector, VF value) {
    (*this)(node, vector, hn::Lt(value, hn::Set(DF(), node.threshold)));
  }
  HWY_INLINE void end(const LaneNode&) {}
};

// The vector type for loads of corners. In a packed bundle, one corner of all windows is one cache line. A
// vector with room for a cache line halves the number of loads. For windows judged in place, a load of that
// width would touch two cache lines, which costs more than it saves.
template <LaneLoad load>
using DWide = hn::CappedTag<std::int16_t, load == LaneLoad::kPacked ? kBundle : 16>;

template <LaneLoad load>
HWY_INLINE hn::Vec<DWide<load>> load_corner(const Places& places, std::ptrdiff_t offset, int vector) {
  if constexpr (hn::MaxLanes(DWide<load>()) == kN16) {
    return load16<load>(places, offset, vector);
  } else {
    return hn::LoadU(DWide<load>(), places.octet[0] + offset);
  }
}

// Finds the leaves of a run of tables whose features have the shape `shape`. Each table is loaded once for
// all bundles.
template <LaneLoad load, FeatureShape shape>
HWY_INLINE void find_leaves(const LaneProgram& program, const LaneRun& run, const Squad& squad,
                            LeafRow* rows) {
  constexpr int kCorners = shape == FeatureShape::kEdge ? 6 : shape == FeatureShape::kLine ? 8 : 9;
  const DWide<load> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(DWide<load>()));
  const D32 d32;
  const std::int32_t* offsets = program.offsets[static_cast<int>(layout_of(load))].data() + run.first_offset;
  const LaneNode* node = program.nodes.data() + run.first_node;
  const bool tilted = run.tilted && load != LaneLoad::kPacked;
  const int count = squad.count;
  for (const LaneNode* end = node + run.node_count; node < end; ++node, offsets += kCorners) {
    std::ptrdiff_t at[kCorners];
    for (int c = 0; c < kCorners; ++c) at[c] = offsets[c];
    const auto factor = hn::Set(d, node->factor);
    const TableNow table(program.tables[static_cast<std::size_t>(node->subset)]);
    LeafRow* row = rows + node->slot * count;
    for (int g = 0; g < count; ++g, ++row) {
      const Bundle& bundle = squad.bundle[g];
      const Places plane(tilted ? bundle.tilted_low : bundle.low);
      const auto put = [&](int vector, auto value) WINNOW_LANE_LAMBDA {
        const VF product = hn::Mul(hn::ConvertTo(DF(), hn::PromoteTo(d32, value)), bundle.norm[vector]);
        hn::StoreU(table.leaf(product), d32, row->window + vector * kN32);
      };
      unrolled<kBundle / kLanes>([&](auto p) WINNOW_LANE_LAMBDA {
        const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load_corner<load>(plane, at[c], p); };
        hn::Vec<DWide<load>> value;
        if constexpr (shape == FeatureShape::kChecker) {
          value = checker(corner, factor);
        } else {
          value = two_weights < shape == FeatureShape::kEdge ? 1 : 2 > (corner, factor);
        }
        if constexpr (kLanes == kN32) {
          put(p, value);
        } else {
          const hn::Half<DWide<load>> half;
          put(2 * p, hn::LowerHalf(half, value));
          put(2 * p + 1, hn::UpperHalf(half, value));
        }
      });
    }
  }
}

HWY_INLINE bool two_pieces(const LaneProgram& program, const LaneRun& run, int first) {
  const LaneNode* node = program.nodes.data() + run.first_node;
  return std::all_of(node, node + run.node_count, [&](const LaneNode& n) {
    return n.lines[0] == first && n.lines[1] == 2 && n.lines[2] == 0;
  });
}

// Finds the leaves of a run of tables whose features are in pieces and have two rectangles. The first
// rectangle has kFirst - 1 pieces, and the second has one.
template <LaneLoad load, int kFirst>
HWY_INLINE void find_piece_leaves(const LaneProgram& program, const LaneRun& run, const Squad& squad,
                                  LeafRow* rows) {
  constexpr int kCorners = 2 * kFirst + 4;
  constexpr std::uint8_t kLines[3] = {kFirst, 2, 0};
  const std::int32_t* offsets = program.offsets[static_cast<int>(layout_of(load))].data() + run.first_offset;
  const float* weights = program.rect_weights.data() + 3 * run.first_node;
  const LaneNode* node = program.nodes.data() + run.first_node;
  const bool tilted = run.tilted && load != LaneLoad::kPacked;
  const int count = squad.count;
  for (const LaneNode* end = node + run.node_count; node < end; ++node, offsets += kCorners, weights += 3) {
    std::ptrdiff_t at[kCorners];
    for (int c = 0; c < kCorners; ++c) at[c] = offsets[c];
    const float own[3] = {weights[0], weights[1], 0};
    const TableNow table(program.tables[static_cast<std::size_t>(node->subset)]);
    LeafRow* row = rows + node->slot * count;
    for (int g = 0; g < count; ++g, ++row) {
      const Bundle& bundle = squad.bundle[g];
      const Places plane(tilted ? bundle.tilted_low : bundle.low);
      unrolled<kVectors16>([&](auto p) WINNOW_LANE_LAMBDA {
        const auto corner = [&](int c) WINNOW_LANE_LAMBDA { return load16<load>(plane, at[c], p); };
        VF value[kHalves];
        weigh_pieces(corner, kLines, own, value);
        for (int h = 0; h < kHalves; ++h) {
          const int vector = kHalves * p + h;
          hn::StoreU(table.leaf(hn::Mul(value[h], bundle.norm[vector])), D32(), row->window + vector * kN32);
        }
      });
    }
  }
}

template <LaneLoad load>
HWY_NOINLINE void find_other_leaves(const LaneProgram& program, const LaneRun& run, const Squad& squad,
                                    LeafRow* rows) {
  for (int g = 0; g < squad.count; ++g) {
    TableLeaves then{program.tables.data(), rows + g, squad.count};
    run_nodes_of<load>(program, run, squad.bundle[g], then);
  }
}

template <LaneLoad load>
HWY_NOINLINE void find_table_leaves(const LaneProgram& program, const LaneSegment& segment,
                                    const Squad& squad, LeafRow* rows) {
  for (int r = segment.first_run; r < segment.first_run + segment.run_count; ++r) {
    const LaneRun& run = program.runs[static_cast<std::size_t>(r)];
    switch (run.shape) {
      case FeatureShape::kEdge:
        find_leaves<load, FeatureShape::kEdge>(program, run, squad, rows);
        break;
      case FeatureShape::kLine:
        find_leaves<load, FeatureShape::kLine>(program, run, squad, rows);
        break;
      case FeatureShape::kChecker:
        find_leaves<load, FeatureShape::kChecker>(program, run, squad, rows);
        break;
      case FeatureShape::kPieces:
        if (two_pieces(program, run, 2)) {
          find_piece_leaves<load, 2>(program, run, squad, rows);
          break;
        }
        if (two_pieces(program, run, 3)) {
          find_piece_leaves<load, 3>(program, run, squad, rows);
          break;
        }
        [[fallthrough]];
      default:
        find_other_leaves<load>(program, run, squad, rows);
    }
  }
}

template <LaneLoad load>
HWY_NOINLINE void find_stump_leaves(const LaneProgram& program, const LaneSegment& segment,
                                    const Bundle& bundle, LeafRow* rows) {
  run_nodes<load>(program, segment, bundle, StumpLeaves{rows});
}

template <LaneLoad load>
HWY_NOINLINE void find_verdicts(const LaneProgram& program, const LaneSegment& segment, const Bundle& bundle,
                                std::uint32_t* verdicts) {
  Sums none;
  run_nodes<load>(program, segment, bundle, Verdict<false, true>{none, verdicts});
}

// The windows whose sums are not below the limit.
HWY_INLINE std::uint32_t at_least(const Sums& sums, std::int32_t limit) {
  const V32 from = hn::Set(D32(), limit);
#if HWY_TARGET <= HWY_AVX3
  return _cvtmask32_u32(_mm512_kunpackw(_mm512_cmpge_epi32_mask(sums[1].raw, from.raw),
                                        _mm512_cmpge_epi32_mask(sums[0].raw, from.raw)));
#else
  std::uint32_t below = 0;
  unrolled<kVectors32>([&](auto p) WINNOW_LANE_LAMBDA {
    below |= mask_bits(hn::RebindMask(DF(), hn::Lt(sums[p], from))) << (p * kN32);
  });
  return ~below;
#endif
}

// Adds a segment's leaves and checks its limits, stage by stage, for kBundles bundles. Each weak classifier
// has one row of leaves per bundle, side by side. The rows of the next weak classifier begin `stride` rows
// later.
template <int kBundles>
HWY_NOINLINE void check_segment(const LaneProgram& program, const LaneSegment& segment, Squad& squad,
                                int first, const LeafRow* row, int stride, const FixedRoom& room) {
  Sums sums[kBundles];
  std::uint32_t alive[kBundles];
  for (int g = 0; g < kBundles; ++g) {
    for (int p = 0; p < kVectors32; ++p) sums[g][p] = squad.sums[first + g][p];
    alive[g] = squad.alive[first + g];
  }
  const auto for_all = [&](auto f) WINNOW_LANE_LAMBDA {
    unrolled<kBundles>([&](auto g) WINNOW_LANE_LAMBDA {
      unrolled<kVectors32>([&](auto p) WINNOW_LANE_LAMBDA { f(g, p); });
    });
  };
  const LaneCheck* check = program.checks.data() + segment.first_check;
  for (const LaneCheck* end = check + segment.check_count; check < end; ++check) {
    for (int r = 0; r < check->rows; ++r, row += stride) {
      for_all([&](auto g, auto p) WINNOW_LANE_LAMBDA {
        sums[g][p] = hn::Add(sums[g][p], hn::LoadU(D32(), row[g].window + p * kN32));
      });
    }
    if (!segment.tables) {
      for_all([&](auto g, auto p)
                  WINNOW_LANE_LAMBDA { sums[g][p] = hn::Add(sums[g][p], hn::Set(D32(), check->base)); });
      if (program.trees) add_trees(program, *check, room.verdicts, sums[0]);
    }
    int living = 0;
    unrolled<kBundles>([&](auto g) WINNOW_LANE_LAMBDA {
      alive[g] &= at_least(sums[g], check->limit);
      living += std::popcount(alive[g]);
    });
    if (check->next >= 0) room.reached[check->next] += living;
  }
  for (int g = 0; g < kBundles; ++g) {
    for (int p = 0; p < kVectors32; ++p) squad.sums[first + g][p] = sums[g][p];
    squad.alive[first + g] = alive[g];
  }
}

// Runs a squad through a chunk of stages. Windows that pass all stages of the chunk stay alive. Counts the
// windows that enter each stage of the chunk, except the chunk's first stage.
template <LaneLoad load>
HWY_INLINE void run_chunk(const LaneProgram& program, const LaneStage& stage, Squad& squad,
                          const FixedRoom& room) {
  // The sums of a whole squad fit the registers only if vectors have the largest width.
  constexpr int kTogether = kN32 == 16 ? kSquad : 1;
  const LaneSegment* segment = program.segments.data() + stage.first_segment;
  for (int i = 0; i < stage.segment_count && squad.lives(); ++i, ++segment) {
    if (segment->tables) {
      find_table_leaves<load>(program, *segment, squad, room.rows);
      int g = 0;
      for (; g + kTogether <= squad.count; g += kTogether)
        check_segment<kTogether>(program, *segment, squad, g, room.rows + g, squad.count, room);
      for (; g < squad.count; ++g)
        check_segment<1>(program, *segment, squad, g, room.rows + g, squad.count, room);
      continue;
    }
    for (int g = 0; g < squad.count; ++g) {
      if (program.trees) {
        find_verdicts<load>(program, *segment, squad.bundle[g], room.verdicts);
      } else {
        find_stump_leaves<load>(program, *segment, squad.bundle[g], room.rows);
      }
      check_segment<1>(program, *segment, squad, g, room.rows, 1, room);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_FIXED_INL_H
