// Boosting: one weak classifier after the other.
// In: a stage's samples as a table of bytes, positives first. Out: trees or tables, the samples' scores, and
// the cut that passes enough positives. exact: scores and weights are integers. A weak classifier depends on
// the seed, the stage and the trees before it alone, so that a list of trees is all that must be kept to go
// on later.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/train.h>

#include "learn/bin_table.h"

namespace winnow {

// As `TreeNode` has it: `left` and `right` above 0 are nodes, others are leaves.
struct WeakNode {
  std::int32_t feature = 0, last = 0;  // Haar: bins up to `last` go left
  LbpSubset subset{};                  // LBP: these do
  std::int32_t left = 0, right = 0;
};
struct WeakTree {
  std::vector<WeakNode> nodes;
  std::vector<std::int32_t> leaves;  // in kScoreUnit
  // A table: one node, which only names its feature.
  bool is_table() const { return leaves.size() == kTableBins; }
};

struct StageCut {
  std::int32_t least = 0;  // score of a sample that passes
  std::size_t positives_passed = 0, negatives_passed = 0;
};

class StageBoost {
 public:
  // All of it must outlive this.
  StageBoost(const RunFeatures& features, BinTable& table, std::size_t positives, std::size_t samples,
             const CascadeOptions& options, std::uint64_t seed, int stage);

  // Of a cascade whose sum runs on: what it was before this stage. Comes first.
  void go_on_from(const std::vector<WeakTree>& before);
  // False if no feature tells more than is known.
  bool add_weak();
  // One that is known already.
  void add(WeakTree tree);

  // The stage's own.
  const std::vector<WeakTree>& trees() const { return trees_; }
  // What a weak classifier says of every sample: `leaves` is given its worth.
  void leaves_of(const WeakTree& tree, std::vector<std::int32_t>& leaves) const;
  const std::vector<std::int32_t>& scores() const { return scores_; }
  // The highest that passes the part `min_hit` of the positives.
  StageCut cut() const;
  bool passes(std::size_t sample, const StageCut& cut) const { return scores_[sample] >= cut.least; }

 private:
  void weigh();
  WeakTree grow(const std::vector<int>& tried) const;
  WeakTree grow_table(const std::vector<int>& tried) const;
  std::vector<int> candidates() const;
  void send(const WeakNode& node, std::vector<std::uint8_t>& left) const;

  const RunFeatures& features_;
  BinTable& table_;
  const CascadeOptions& options_;
  const std::uint64_t seed_;
  std::size_t positives_;
  int stage_;
  double balance_;  // of a negative's weight
  std::vector<std::int32_t> scores_;
  std::vector<std::uint32_t> weights_;
  std::vector<WeakTree> trees_;
};

// The stage as the detector has it.
void append_stage(const RunFeatures& features, const std::vector<WeakTree>& trees, std::int32_t least,
                  CascadeModel& model);
// A stage for each weak classifier, which all samples pass that have at least so much.
void append_soft(const RunFeatures& features, const std::vector<WeakTree>& weak,
                 const std::vector<std::int32_t>& least, CascadeModel& model);

}  // namespace winnow
