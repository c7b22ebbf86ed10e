// A stage's nodes in the order in which lanes and tiles evaluate them: runs of features of one shape.
//
// In:    a stage of a checked model whose leaves are any numbers, and the shapes of the model's features.
// Out:   the nodes, their runs, and the limits of the stage's sum in integers.
// Exact: a sum below `reject_below` is a reject, and one from `accept_from` on passes. Between the two the
//        sum is undecided, and must be made again in doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"

namespace winnow {

// Units in 1 for a stage's leaves: a power of two such that no sum of them exceeds 2^29.
double leaf_unit(const CascadeModel& model, const Stage& stage);
// Of a leaf, `child` as `TreeNode` has it; off by half a unit at most.
std::int32_t leaf_units(const CascadeModel& model, const Tree& tree, int child, double unit);

// A node of a tree, or a table.
struct StageNode {
  int feature;  // `feature_number`
  float threshold;
  std::int32_t delta;  // of a stump: left leaf - right leaf, in units
  int slot;            // of a larger tree: the node's place in its stage
  int subset;          // the number of the node, or of the table
};
StageNode stage_node(const CascadeModel& model, int node, int first_node);

// Consecutive nodes of one shape and one plane, whose features have as many corners.
struct FeatureRun {
  FeatureShape shape;
  bool tilted;
  std::int32_t corners;  // of a feature
  std::int32_t first, count;
};
// Sorts the nodes, so that those of one run are neighbours; nodes of a run stay in their order.
std::vector<FeatureRun> sort_into_runs(const std::vector<Shaped>& shapes, std::vector<StageNode>& nodes);

// Throws kLimit if the nodes so far have too many corners. A million usual nodes have eight million; a small
// file may ask for a billion.
void check_corners(std::size_t corners);

struct SummedStage {
  int node_count = 0;
  bool stumps = false;       // every tree is one node
  bool always_look = false;  // its trees are too large for integer sums: every window is judged in doubles
  double unit = 1;
  std::int32_t base = 0;  // of stumps: the sum that every window starts with
  std::int32_t reject_below = 0, accept_from = 0;
  std::vector<StageNode> nodes;
  std::vector<FeatureRun> runs;
};
SummedStage sum_stage(const CascadeModel& model, const Stage& stage, const std::vector<Shaped>& shapes);

}  // namespace winnow
