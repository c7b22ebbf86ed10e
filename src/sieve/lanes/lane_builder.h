// Builds the parts that every lane program has, fixed-point or not: features as shapes, nodes in runs, trees,
// and the limit of norms.
//
// In:     a checked model, which must outlive the builder, and a geometry. A derived class adds the stages.
// Out:    a `LaneProgram` with runs, nodes, offsets, trees and packing limits, which says whether it needs a
//         shelf (`pending.h`). kLimit if the model's features have too many corners.
// Exact:  shapes and units as in `feature_shape.h` and `feature_runs.h`.
// Memory: `take` gives the program to the caller. The program does not refer to the model.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_runs.h"
#include "sieve/feature_shape.h"
#include "sieve/lanes/lane_program.h"

namespace winnow {

class LaneBuilder {
 public:
  LaneBuilder(const CascadeModel& model, const LaneGeometry& geometry);
  LaneProgram take();  // call once, after the last stage

 protected:
  // The runs that `add_nodes` or `add_runs` adds to the program. `add_nodes` first sorts the nodes into runs.
  // Both functions add the nodes' cost to `cost`.
  struct Runs {
    std::int32_t first, count;
  };
  Runs add_nodes(std::vector<StageNode>& nodes, std::int32_t& cost);
  Runs add_runs(const std::vector<FeatureRun>& runs, const std::vector<StageNode>& nodes, std::int32_t& cost);

  const std::vector<FeatureForm>& shapes() const { return forms_; }
  std::int32_t leaf(const Tree& tree, int child, double unit) const {
    return leaf_units(model_, tree, child, unit);
  }
  // Adds a tree and returns the tree's last leaf in units, with which every lane starts. A lane that reaches
  // another leaf adds the difference between its leaf and the last leaf.
  std::int32_t add_tree(const Tree& tree, int first_node, double unit);

  const CascadeModel& model_;
  LaneProgram program_;

 private:
  void shape_features();
  void add_node(const StageNode& node, std::int32_t& cost);
  void find_flat_limit();
  std::int32_t add_pair(const Tree& tree, int first_node, double unit);
  void walk(const Tree& tree, int root, int first_node, double unit, std::vector<LaneStep>& path,
            std::vector<std::pair<std::int32_t, std::vector<LaneStep>>>& found) const;

  std::vector<FeatureForm> forms_;
};

}  // namespace winnow
