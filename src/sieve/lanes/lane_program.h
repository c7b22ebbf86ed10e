// A cascade made ready for lanes: one weak classifier for many windows at a time.
// In: a checked model and a geometry. Out: plain arrays that the kernels (`*_cpu-inl.h`) walk from front to
// back. Owned by a sieve, immutable, shared by its threads. exact: what the arrays leave undecided is marked
// for a second look.
//
// - A feature becomes signed corners of integral planes; rectangles that share a corner share its load.
// Features whose
//   value fits 16 bits signed are summed modulo 2^16 and lose nothing; the others are cut into pieces that
//   do.
// - A corner's offset depends on where the integral lies: row by row (step 1), with even and odd columns
// apart (step 2),
//   or packed (windows side by side, corner by corner). Each node has its offsets in all three.
// - Stage sums are 32-bit integers: leaves in units so small that only sums within `n` units of the limit are
// uncertain.
// - Nodes of a stage are sorted by shape, so that the inner loop knows how many corners it adds.
// - Fixed-point cascades (`CascadeModel::fixed_point`) have sums that are exact, in kScoreUnit, and stages so
// short
//   that several are run in one pass: a `LaneStage` is then a block of the model's, with a `LaneCheck` for
//   each.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"

namespace winnow {

enum class LaneLayout : std::uint8_t { kRows = 0, kSplit = 1, kPacked = 2 };
constexpr int kLaneLayouts = 3;

struct LaneGeometry {
  int stride = 0;        // values in a row of a strip's planes
  int patch_width = 0;   // corners in a row of a packed window
  int patch_values = 0;  // of one plane of a packed window
  int group = 0;         // windows packed side by side
};

struct LaneNode {
  float threshold;
  std::int32_t delta;     // stumps: left leaf - right leaf, in the stage's units
  std::int16_t times;     // m
  std::uint16_t slot;     // trees: where the node's verdicts go
  std::int32_t feature;   // `feature_number`
  std::int32_t subset;    // or table
  std::uint8_t lines[3];  // kPieces: cuts of each rectangle, its edges included; 0 where it is not there
};

// Consecutive nodes of one shape and one plane.
struct LaneRun {
  FeatureShape shape;
  bool tilted;
  std::int32_t first_node, node_count;
  std::int32_t corners;       // a node: entries in the offset tables
  std::int32_t first_offset;  // of the first node
};

// A tree's leaf and the nodes on the way to it; reached lanes add `value`.
struct LaneLeaf {
  std::int32_t value;
  std::int32_t first_step, step_count;
};
struct LaneStep {
  std::uint16_t slot;
  bool left;
};

// A tree of two nodes: `first` (flipped where its right child is the leaf) decides for the root's leaf, else
// `second`.
struct LanePair {
  std::uint16_t first, second;
  std::uint32_t flip;
  std::int32_t first_value, second_value;
};

// Of a fixed-point cascade: weak classifiers whose nodes are run together, and the sums that follow.
struct LanePart {
  std::int32_t first_run, run_count;
  std::int32_t first_check, check_count;
  bool tables;  // its weak classifiers; else trees
};

// What is added to every window's sum: `rows` rows of leaves, or trees; and whom it then rejects.
struct LaneCheck {
  std::int32_t rows;
  std::int32_t base;
  std::int32_t limit;
  std::int32_t next;  // the model stage that who passes enters, if it is of the same block; else -1
  std::int32_t first_leaf, leaf_count;
  std::int32_t first_pair, pair_count;
};

struct alignas(64) LaneTable {
  std::int32_t leaves[kTableBins];
  std::uint8_t bytes[2][kTableBins];  // of its leaves: all lower ones, all upper ones
  float low, per_unit;
};

struct LaneStage {
  std::int32_t first_run, run_count;
  std::int32_t base;          // what every lane starts with
  std::int32_t reject_below;  // sums below are rejected,
  std::int32_t accept_from;   // from here on accepted, between them a second look decides
  std::int32_t trees, nodes;
  std::int32_t first_leaf, leaf_count;  // larger trees
  std::int32_t first_pair, pair_count;  // trees of two nodes
  bool stumps;
  bool last;          // of the cascade
  bool always_look;   // trees too large for lanes: every window gets the second look
  std::int32_t cost;  // of a group of windows, in about cycles
  // Of an octet, at most so many living windows are cheaper packed than left where they are.
  std::int32_t pack_limit;
  std::int32_t enters;  // the model stage that it begins with
  std::int32_t first_part, part_count;
};

struct LaneProgram {
  FeatureKind kind;
  LaneGeometry geometry;
  bool tilted = false;
  bool wide = true;      // 32-bit sums are needed: by few cascades
  bool packs = false;    // windows are small enough for it
  bool shelves = false;  // windows wait to be packed, and nothing but packed corners is read of them
  bool flat_windows = false;
  float flat_above = 0;  // norms above this are flat windows
  int model_stages = 0;
  std::vector<LaneStage> stages;
  std::vector<LaneRun> runs;
  std::vector<LaneNode> nodes;
  std::vector<LaneLeaf> leaves;
  std::vector<LaneStep> steps;
  std::vector<LanePair> pairs;
  std::vector<std::int32_t> offsets[kLaneLayouts];
  std::vector<std::int16_t> weights;       // kCorners, beside `offsets`
  std::vector<float> rect_weights;         // kPieces and kRects: three a node, by node index
  std::vector<std::uint8_t> subset_bytes;  // LBP: 32 a node
  int max_nodes = 0;                       // of a stage
  // Of fixed-point cascades.
  bool fixed_point = false;
  bool carries = false;  // sums go from block to block
  bool trees = false;    // of several nodes: verdicts are kept, not leaves
  int max_rows = 0;      // of a part
  std::vector<LanePart> parts;
  std::vector<LaneCheck> checks;
  std::vector<LaneTable> tables;

  std::int64_t packed_corners() const;  // of a group, all planes
  // What packing a window costs, and a group of windows in two stages, in the same unit (about a cycle).
  int pack_cost() const;
  int cost_from(int stage) const;
  void find_pack_limits();  // of all stages, from their costs
  bool reads_wide() const;  // its lanes do
  void find_wide(Size window);
  void find_shelves();
};

LaneProgram make_lane_program(const CascadeModel& model, const LaneGeometry& geometry);

}  // namespace winnow
