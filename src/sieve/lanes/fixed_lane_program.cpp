#include "sieve/lanes/fixed_lane_program.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "sieve/lanes/lane_builder.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

constexpr int kMostNodes = 1 << 12;  // the most nodes of a segment, if verdicts of nodes are kept
constexpr int kMostRows = 32;        // the most rows of leaves of a segment; a row takes 128 bytes

// Chunk c ends with the stage that brings it to at least kChunkStages[c] weak classifiers. The last entry
// holds for all later chunks, too. Chunks are short where many windows live.
constexpr int kChunkStages[] = {6, 6, 8, 12, 20, 32, 64, 128, 256};

class FixedBuilder : public LaneBuilder {
 public:
  FixedBuilder(const CascadeModel& model, const LaneGeometry& geometry) : LaneBuilder(model, geometry) {
    program_.fixed_point = true;
    program_.carries = model.rules.sum == SumRule::kRunning;
    program_.trees = std::any_of(model.trees.begin(), model.trees.end(),
                                 [](const Tree& tree) { return tree.node_count > 1; });
    for (const Table& table : model.tables) add_table(table);
    const int count = program_.model_stages;
    for (int first = 0; first < count;) {
      const int end = chunk_end(first);
      add_chunk(first, end);
      first = end;
    }
  }

 private:
  void add_table(const Table& from) {
    LaneTable to{{}, {}, from.low, from.per_unit};
    for (int b = 0; b < kTableBins; ++b) {
      to.leaves[b] = fixed_units(from.leaves[b]);
      to.bytes[0][b] = static_cast<std::uint8_t>(to.leaves[b] & 0xFF);
      to.bytes[1][b] = static_cast<std::uint8_t>(to.leaves[b] >> 8 & 0xFF);
    }
    program_.tables.push_back(to);
  }

  // A chunk has one stage if each stage has its own sum. If windows are skipped after rejects, the first
  // chunk has one stage, because the verdict of the first stage decides which windows are skipped.
  int chunk_end(int first) const {
    if (!program_.carries || (first == 0 && model_.rules.skip_after_first_stage_reject)) return first + 1;
    const int wanted = kChunkStages[std::min(program_.stages.size(), std::size(kChunkStages) - 1)];
    int end = first, weak = 0;
    while (end < program_.model_stages && weak < wanted) weak += model_.stages[end++].tree_count;
    return end;
  }

  void add_chunk(int first, int end) {
    LaneStage chunk{};
    chunk.first_stage = first;
    chunk.first_segment = static_cast<std::int32_t>(program_.segments.size());
    for (int s = first; s < end; ++s) add_stage(s, s + 1 < end ? s + 1 : -1, chunk);
    end_segment(chunk);
    chunk.segment_count = static_cast<std::int32_t>(program_.segments.size()) - chunk.first_segment;
    program_.stages.push_back(chunk);
  }

  void add_stage(int index, int next, LaneStage& chunk) {
    const Stage& stage = model_.stages[index];
    chunk.trees += stage.tree_count;
    const int end = stage.first_tree + stage.tree_count;
    const bool tables = model_.is_table(stage.first_tree);
    if (tables != tables_) end_segment(chunk);
    tables_ = tables;
    begin_check();
    for (int t = stage.first_tree; t < end; ++t) {
      if (static_cast<int>(items_.size()) >= (program_.trees ? kMostNodes : kMostRows)) {
        end_check();
        end_segment(chunk);
        begin_check();
      }
      tables ? add_item({model_.tables[t].feature, 0, 0, 0, t}) : add_tree_of(model_.tree_of(t));
    }
    check_.limit = fixed_units(stage.threshold);
    check_.next = next;
    end_check();
  }

  void begin_check() {
    check_ = {};
    check_.limit = std::numeric_limits<std::int32_t>::min();
    check_.next = -1;
    check_.first_leaf = static_cast<std::int32_t>(program_.leaves.size());
    check_.first_pair = static_cast<std::int32_t>(program_.pairs.size());
  }

  void end_check() {
    check_.leaf_count = static_cast<std::int32_t>(program_.leaves.size()) - check_.first_leaf;
    check_.pair_count = static_cast<std::int32_t>(program_.pairs.size()) - check_.first_pair;
    checks_.push_back(check_);
  }

  void end_segment(LaneStage& chunk) {
    if (checks_.empty()) return;
    const int rows = static_cast<int>(items_.size());
    (program_.trees ? program_.max_nodes : program_.max_rows) =
        std::max(program_.trees ? program_.max_nodes : program_.max_rows, rows);
    chunk.nodes += rows;
    const Runs runs = add_nodes(items_, chunk.cost);
    program_.segments.push_back({runs.first, runs.count, static_cast<std::int32_t>(program_.checks.size()),
                                 static_cast<std::int32_t>(checks_.size()), tables_});
    program_.checks.insert(program_.checks.end(), checks_.begin(), checks_.end());
    checks_.clear();
    items_.clear();
  }

  // Rows are numbered in the order of weak classifiers.
  void add_item(StageNode item) {
    item.slot = static_cast<int>(items_.size());
    items_.push_back(item);
    ++check_.rows;
  }

  void add_tree_of(const Tree& tree) {
    if (program_.trees) {
      // Slots are numbered from the segment's first node.
      const int first_node = tree.first_node - static_cast<int>(items_.size());
      for (int n = 0; n < tree.node_count; ++n)
        items_.push_back(stage_node(model_, tree.first_node + n, first_node));
      check_.base += add_tree(tree, first_node, kScoreUnit);
      return;
    }
    StageNode item = stage_node(model_, tree.first_node, 0);
    const TreeNode& node = model_.nodes[tree.first_node];
    const std::int32_t right = leaf(tree, node.right, kScoreUnit);
    item.delta = leaf(tree, node.left, kScoreUnit) - right;
    check_.base += right;
    add_item(item);
  }

  // The segment that is being built.
  bool tables_ = false;
  std::vector<StageNode> items_;
  std::vector<LaneCheck> checks_;
  LaneCheck check_{};
};

}  // namespace

LaneProgram make_fixed_lane_program(const CascadeModel& model, const LaneGeometry& geometry) {
  return FixedBuilder(model, geometry).take();
}

}  // namespace winnow
