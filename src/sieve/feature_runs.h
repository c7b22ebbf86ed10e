// Sorts the nodes of a stage into runs, for lanes and tiles. The features of a run have the same shape.
//
// In:     a stage of a checked model, with leaves of any value, and the shapes of the model's features,
//         indexed by `feature_number`. `sum_stage` takes stages of trees only, not of tables.
// Out:    the nodes, their runs, and the limits of the stage's sum in integers. A stage with `needs_doubles`
//         gets only its number of nodes.
// Exact:  a sum below `reject_below` is a reject, and a sum of at least `accept_from` passes. A sum between
//         the two is undecided and must be computed again in doubles.
// Memory: the results are the caller's. Nothing refers to the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"

namespace winnow {

// The number of units that stand for 1.0 in a stage's leaves. This power of two keeps every sum of leaves
// within 2^29 units.
double leaf_unit(const CascadeModel& model, const Stage& stage);
// A leaf in units, rounded to the nearest unit. `child`: the `left` or `right` of a `TreeNode`, which is 0 or
// less for a leaf.
std::int32_t leaf_units(const CascadeModel& model, const Tree& tree, int child, double unit);

// A node of a tree, or a table.
struct StageNode {
  int feature;  // the number that `feature_number` gives
  float threshold;
  std::int32_t delta;  // stumps: left leaf - right leaf, in units
  int slot;            // larger trees: the node's place in its stage
  int subset;          // the number of the node or table in the model
};
// Makes the `StageNode` of the model's node number `node`. The `slot` is counted from `first_node`, and
// `delta` is 0.
StageNode stage_node(const CascadeModel& model, int node, int first_node);

// Consecutive nodes of one shape and one plane, with equally many corners.
struct FeatureRun {
  FeatureShape shape;
  bool tilted;
  std::int32_t corners;  // the number of corners of each feature
  std::int32_t first, count;
};
// Sorts `nodes` so that the nodes of one run are neighbours. The nodes of a run keep their order.
std::vector<FeatureRun> sort_into_runs(const std::vector<FeatureForm>& shapes, std::vector<StageNode>& nodes);

// Throws kLimit if `corners`, the number of corners of all nodes so far, exceeds 2^25. A million usual nodes
// have eight million corners, but a small file may ask for a billion corners.
void check_corners(std::size_t corners);

struct SummedStage {
  int node_count = 0;
  bool stumps = false;         // every tree is one node
  bool needs_doubles = false;  // whether trees are too large for integer sums; then sums in double decide
  double unit = 1;
  std::int32_t base = 0;  // stumps: the sum with which every window begins; larger trees: 0
  std::int32_t reject_below = 0, accept_from = 0;
  std::vector<StageNode> nodes;
  std::vector<FeatureRun> runs;
};
SummedStage sum_stage(const CascadeModel& model, const Stage& stage, const std::vector<FeatureForm>& shapes);

}  // namespace winnow
