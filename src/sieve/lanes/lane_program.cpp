#include "sieve/lanes/lane_program.h"

#include <algorithm>

#include "sieve/lanes/fixed_lane_program.h"
#include "sieve/lanes/lane_builder.h"

namespace winnow {
namespace {

class Builder : public LaneBuilder {
 public:
  Builder(const CascadeModel& model, const LaneGeometry& geometry) : LaneBuilder(model, geometry) {
    for (const Stage& stage : model.stages) add_stage(stage);
  }

 private:
  void add_stage(const Stage& stage) {
    const SummedStage sum = sum_stage(model_, stage, shapes());
    LaneStage out{};
    out.trees = stage.tree_count;
    out.first_stage = static_cast<std::int32_t>(&stage - model_.stages.data());
    out.nodes = sum.node_count;
    out.stumps = sum.stumps;
    out.needs_doubles = sum.needs_doubles;
    if (out.needs_doubles) {
      out.cost = out.nodes * 64;
      program_.stages.push_back(out);
      return;
    }
    const Runs runs = add_runs(sum.runs, sum.nodes, out.cost);
    out.first_run = runs.first;
    out.run_count = runs.count;
    out.base = sum.base;
    out.first_leaf = static_cast<std::int32_t>(program_.leaves.size());
    out.first_pair = static_cast<std::int32_t>(program_.pairs.size());
    if (!out.stumps) {
      const int first_node = model_.trees[stage.first_tree].first_node;
      for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t)
        out.base += add_tree(model_.trees[t], first_node, sum.unit);
    }
    out.pair_count = static_cast<std::int32_t>(program_.pairs.size()) - out.first_pair;
    out.leaf_count = static_cast<std::int32_t>(program_.leaves.size()) - out.first_leaf;
    out.reject_below = sum.reject_below;
    out.accept_from = sum.accept_from;
    program_.max_nodes = std::max(program_.max_nodes, out.nodes);
    program_.stages.push_back(out);
  }
};

// An octet is eight neighbouring windows. Returns the largest number of its living windows for which packing
// them is cheaper than judging the octet in place. Compares the costs of this stage and the next.
int pack_limit_of(const LaneProgram& program, int stage) {
  const int cost = program.cost_from(stage), octets = program.geometry.bundle / 8;
  int n = 0;
  while (n < 8 && (n + 1) * (program.pack_cost() + cost / 28) < cost / octets) ++n;
  return n;
}

}  // namespace

std::int64_t LaneProgram::packed_corners() const {
  return static_cast<std::int64_t>(geometry.patch_values) * (tilted ? 2 : 1);
}

int LaneProgram::pack_cost() const {
  const int chunks = (geometry.patch_width + 7) / 8 * (geometry.patch_values / geometry.patch_width);
  return chunks * (tilted ? 2 : 1) * 3 / 2;  // measured: 1.5 cycles per chunk of eight corners
}

int LaneProgram::cost_from(int stage) const {
  int cost = 0;
  for (int s = stage; s < stage + 2 && s < static_cast<int>(stages.size()); ++s) {
    cost += stages[static_cast<std::size_t>(s)].cost;
  }
  return cost;
}

void LaneProgram::find_pack_limits() {
  for (int s = 0; s < static_cast<int>(stages.size()); ++s)
    stages[static_cast<std::size_t>(s)].pack_limit = pack_limit_of(*this, s);
}

bool LaneProgram::reads_wide() const {
  return std::any_of(runs.begin(), runs.end(), [](const LaneRun& run) {
    return run.shape == FeatureShape::kRects || run.shape == FeatureShape::kLbpWide;
  });
}

// Decides whether 32-bit sums are needed. Norms need 32-bit sums if the sum of half a window does not fit 16
// bits. A stage that judges every window in doubles needs 32-bit sums, too. Without them, `stage_sum` would
// add up each large rectangle from pieces whose sums fit 16 bits, which is slow.
void LaneProgram::find_wide(Size window) {
  const bool in_doubles =
      std::any_of(stages.begin(), stages.end(), [](const LaneStage& stage) { return stage.needs_doubles; });
  const int width = window.width - 2, height = window.height - 2;
  const bool halves_fit = std::int64_t{width} * ((height + 1) / 2) * 255 <= 65535;
  wide = reads_wide() || in_doubles || (flat_windows && !halves_fit);
}

// Decides whether pending windows may stay on a shelf (`pending.h`). Windows are pending only if a stage
// after the first packs windows. A shelf holds no 32-bit sums, so a program that reads 32-bit sums has no
// shelf.
void LaneProgram::find_shelves() {
  const bool defers = std::any_of(stages.begin() + 1, stages.end(),
                                  [](const LaneStage& stage) { return stage.pack_limit > 0; });
  shelves = defers && !reads_wide();
}

LaneProgram make_lane_program(const CascadeModel& model, const LaneGeometry& geometry) {
  return model.fixed_point() ? make_fixed_lane_program(model, geometry) : Builder(model, geometry).take();
}

}  // namespace winnow
