// What programs of both kinds are built of: features as shapes, nodes in runs, trees, limits of the norms.
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
  LaneProgram take();  // after the last stage

 protected:
  // Nodes as runs; adds what they cost to `cost`. `add_nodes` sorts them first.
  struct Runs {
    std::int32_t first, count;
  };
  Runs add_nodes(std::vector<StageNode>& nodes, std::int32_t& cost);
  Runs add_runs(const std::vector<FeatureRun>& runs, const std::vector<StageNode>& nodes, std::int32_t& cost);

  const std::vector<Shaped>& shapes() const { return shaped_; }
  std::int32_t leaf(const Tree& tree, int child, double unit) const {
    return leaf_units(model_, tree, child, unit);
  }
  // Every leaf but the last reached one adds its difference to that one, which every lane starts with: here
  // it is.
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

  std::vector<Shaped> shaped_;
};

}  // namespace winnow
