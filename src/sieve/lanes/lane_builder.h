// What programs of both kinds are built of: features as shapes, nodes in runs, trees, limits of the norms.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <winnow/cascade_model.h>

#include "sieve/feature_shape.h"
#include "sieve/lanes/lane_program.h"

namespace winnow {

// Units in 1 for a stage's leaves: a power of two such that no sum of them exceeds 2^29.
double leaf_unit(const CascadeModel& model, const Stage& stage);
// Of a leaf, `child` as `TreeNode` has it; off by half a unit at most.
std::int32_t leaf_units(const CascadeModel& model, const Tree& tree, int child, double unit);

class LaneBuilder {
 public:
  LaneBuilder(const CascadeModel& model, const LaneGeometry& geometry);
  LaneProgram take();  // after the last stage

 protected:
  // A node, or a table.
  struct Item {
    int feature;  // `feature_number`
    float threshold;
    std::int32_t delta;  // stumps
    int slot;            // trees
    int subset;          // or table
  };
  Item node_item(int node, int first_node) const;

  // Sorted by shape, as runs; adds what they cost to `cost`.
  struct Runs {
    std::int32_t first, count;
  };
  Runs add_items(std::vector<Item>& items, std::int32_t& cost);

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
  void find_flat_limit();
  std::int32_t add_pair(const Tree& tree, int first_node, double unit);
  void walk(const Tree& tree, int root, int first_node, double unit, std::vector<LaneStep>& path,
            std::vector<std::pair<std::int32_t, std::vector<LaneStep>>>& found) const;

  std::vector<Shaped> shaped_;
};

}  // namespace winnow
