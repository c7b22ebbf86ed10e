// Makes a cascade ready for lanes, which judge many windows at a time with one weak classifier.
//
// In:     a checked model and a geometry. kLimit if the features have too many corners (`check_corners`).
// Out:    plain arrays that the kernels (`*_cpu-inl.h`) walk from front to back.
// Exact:  a window whose fast verdict is undecided is judged again by the exact rule.
// Memory: a sieve and its clones for threads own the program. The program is immutable and does not refer to
//         the model.
// Thread: any number of threads share it.
//
// - A feature becomes signed corners of integral planes. Rectangles that share a corner share its load. A
//   feature whose value fits int16 is summed modulo 2^16 and loses nothing. Other features are cut into
//   pieces whose sums fit 16 bits, or are summed in 32 bits.
// - A corner's offset depends on the layout of the plane. A layout is row by row (step 1), even and odd
//   columns apart (step 2), or packed (windows side by side, corner by corner). Each node has its offsets in
//   all three.
// - Stage sums are 32-bit integers. Units are so small that few sums are undecided: with n weak classifiers,
//   only sums within n / 2 + 2 units of the limit.
// - Nodes of a stage are sorted by shape, so that the inner loop knows how many corners it adds.
// - Fixed-point cascades (`CascadeModel::fixed_point`) have exact sums in units of 1 / kScoreUnit. Their
//   stages are so short that several run in one pass. A `LaneStage` is then a chunk of the model's stages,
//   with at least one `LaneCheck` per stage.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"

namespace winnow {

enum class LaneLayout : std::uint8_t { kRows = 0, kSplit = 1, kPacked = 2 };
constexpr int kLaneLayouts = 3;

struct LaneGeometry {
  int stride = 0;        // values per row of a strip's planes
  int patch_width = 0;   // corners per row of a packed window, at least 8
  int patch_values = 0;  // corners of one plane of a packed window
  int bundle = 0;        // the number of windows that are packed side by side
};

struct LaneNode {
  float threshold;
  std::int32_t delta;    // stumps: left leaf - right leaf, in the stage's units
  std::int16_t factor;   // as in `FeatureForm`
  std::uint16_t slot;    // the place of the node's verdicts, or of its `LeafRow` (fixed-point stumps, tables)
  std::int32_t feature;  // the number that `feature_number` gives
  std::int32_t subset;   // the number of the node or table in the model
  std::uint8_t lines[3];  // kPieces: as in `FeatureForm`
};

// Consecutive nodes of one shape and one plane.
struct LaneRun {
  FeatureShape shape;
  bool tilted;
  std::int32_t first_node, node_count;
  std::int32_t corners;       // the number of entries of each node in the offset tables
  std::int32_t first_offset;  // the place of the first node's first corner in the offset tables
};

// A tree's leaf, and the nodes on the path to it. Lanes that reach the leaf add `value`: the leaf less the
// tree's last leaf in depth-first order. The last leaf is not listed, because `base` contains it.
struct LaneLeaf {
  std::int32_t value;
  std::int32_t first_step, step_count;
};
struct LaneStep {
  std::uint16_t slot;
  bool left;
};

// A tree of two nodes. If the root `first` sends a window to the root's leaf, the window adds `first_value`.
// If not, and the node `second` sends the window left, the window adds `second_value`. `flip` is all ones if
// the root's leaf is the root's right child. Both values are differences to the second node's right leaf,
// which `base` contains.
struct LanePair {
  std::uint16_t first, second;
  std::uint32_t flip;
  std::int32_t first_value, second_value;
};

// A segment of a chunk of a fixed-point cascade: weak classifiers whose nodes run together, and the checks
// that follow.
struct LaneSegment {
  std::int32_t first_run, run_count;
  std::int32_t first_check, check_count;
  bool tables;  // whether the weak classifiers are tables, not trees
};

// Adds leaves to every window's sum, then rejects sums below `limit`. Tables add `rows` rows of leaves.
// Stumps add `rows` rows and `base`. Larger trees add `base` and the leaves that are reached. A stage too
// long for one segment has several checks. All of the stage's checks but its last have the least integer as
// `limit`, and so reject nothing.
struct LaneCheck {
  std::int32_t rows;
  std::int32_t base;
  std::int32_t limit;
  std::int32_t next;  // the number of the model's next stage, if it is in the same chunk; else -1
  std::int32_t first_leaf, leaf_count;
  std::int32_t first_pair, pair_count;
};

struct alignas(64) LaneTable {
  std::int32_t leaves[kTableBins];    // in units of 1 / kScoreUnit
  std::uint8_t bytes[2][kTableBins];  // the low bytes of all leaves, then their high bytes
  float low, per_unit;
};

struct LaneStage {
  std::int32_t first_run, run_count;
  std::int32_t base;          // the sum with which every lane starts
  std::int32_t reject_below;  // windows with smaller sums are rejected
  std::int32_t accept_from;   // larger or equal sums pass; between both limits, sums in double decide
  std::int32_t trees, nodes;
  std::int32_t first_leaf, leaf_count;  // of trees with three or more nodes
  std::int32_t first_pair, pair_count;  // of trees with two nodes
  bool stumps;
  bool last;           // whether this is the last stage of the cascade
  bool needs_doubles;  // whether trees are too large for lanes; then sums in double decide
  std::int32_t cost;   // rough cycles to judge a bundle of windows
  // If at most this many of eight neighbouring windows live, packing them is cheaper than judging in place.
  std::int32_t pack_limit;
  std::int32_t first_stage;  // the number of the stage, or of a chunk's first stage, in the model
  std::int32_t first_segment, segment_count;
};

struct LaneProgram {
  FeatureKind kind;
  LaneGeometry geometry;
  bool tilted = false;
  bool wide = true;      // whether 32-bit sums are needed; few cascades need them
  bool packs = false;    // whether windows are small enough to be packed
  bool shelves = false;  // whether pending windows may stay on a shelf (`pending.h`)
  bool flat_windows = false;
  float flat_above = 0;  // a window with a larger norm is flat
  int model_stages = 0;
  std::vector<LaneStage> stages;
  std::vector<LaneRun> runs;
  std::vector<LaneNode> nodes;
  std::vector<LaneLeaf> leaves;
  std::vector<LaneStep> steps;
  std::vector<LanePair> pairs;
  // Offsets of corners from the window's corner, in values of a plane. kPacked: in values of the patch, which
  // has `bundle` values per corner.
  std::vector<std::int32_t> offsets[kLaneLayouts];
  std::vector<std::int16_t> weights;       // kCorners: weights of corners, indexed as `offsets`
  std::vector<float> rect_weights;         // kPieces and kRects: three per node, by node index
  std::vector<std::uint8_t> subset_bytes;  // LBP: 32 bytes per node
  int max_nodes = 0;                       // the most nodes of a stage, or of a segment if fixed-point
  // For fixed-point cascades only:
  bool fixed_point = false;
  bool carries = false;  // whether sums continue from chunk to chunk
  bool trees = false;    // whether some trees have several nodes; then verdicts are kept, not leaves
  int max_rows = 0;      // the most rows of a segment
  std::vector<LaneSegment> segments;
  std::vector<LaneCheck> checks;
  std::vector<LaneTable> tables;

  std::int64_t packed_corners() const;  // the number of corners of a packed window, in all planes
  // Rough costs in cycles. `pack_cost`: to pack one window. `cost_from`: to run stage `stage` and the next
  // stage for a bundle.
  int pack_cost() const;
  int cost_from(int stage) const;
  // `LaneBuilder` calls these functions after it has added all stages. Each but `reads_wide` sets a member.
  void find_pack_limits();      // sets `pack_limit` of each stage, from the stages' costs
  bool reads_wide() const;      // whether lanes read 32-bit sums
  void find_wide(Size window);  // sets `wide`
  void find_shelves();          // sets `shelves`
};

LaneProgram make_lane_program(const CascadeModel& model, const LaneGeometry& geometry);

}  // namespace winnow
