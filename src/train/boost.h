// Boosts one stage: adds weak classifiers, one after the other, and finds the stage's threshold.
//
// In:     a table with the bytes of a stage's samples (`BinTable`), positives first; the options and the
//         seed.
// Out:    trees or tables; each sample's score in units of 1 / kScoreUnit; the threshold that passes enough
//         positives; the stage in the form of a `CascadeModel`.
// Exact:  scores and weights are integers. A checkpoint needs only the trees: a weak classifier depends only
//         on the samples, the options, the seed, the stage and the earlier trees.
// Memory: a `StageBoost` owns its trees, and a score and a weight for each sample. References that it returns
//         are valid as long as the `StageBoost` lives. Growing a weak classifier allocates working memory.
//         Features, table and options must outlive the `StageBoost`.
// Thread: one thread at a time; the `BinTable` uses more threads inside.
#pragma once

#include <cstdint>
#include <vector>

#include <winnow/train.h>

#include "learn/bin_table.h"

namespace winnow {

// A split of a weak classifier. `left` and `right` are its children, as in `TreeNode`: a number above 0 is a
// node's index, any other number is minus a leaf's index.
struct WeakNode {
  std::int32_t feature = 0, last = 0;  // Haar: bins up to `last` go left
  LbpSubset subset{};                  // LBP: codes in the subset go left
  std::int32_t left = 0, right = 0;
};
struct WeakTree {
  std::vector<WeakNode> nodes;
  std::vector<std::int32_t> leaves;  // in units of 1 / kScoreUnit
  // Whether this is a table instead of a tree. A table has one node, which only names the feature.
  bool is_table() const { return leaves.size() == kTableBins; }
};

struct StageCut {
  std::int32_t min_score = 0;  // the lowest score that passes, in units of 1 / kScoreUnit
  std::size_t positives_passed = 0, negatives_passed = 0;
};

class StageBoost {
 public:
  // `positives` and `samples` are counts; `samples` includes the positives, which come first. Features, table
  // and options must outlive the `StageBoost`.
  StageBoost(const RunFeatures& features, BinTable& table, std::size_t positives, std::size_t samples,
             const CascadeOptions& options, std::uint64_t seed, int stage);

  // For a soft cascade: starts from the scores that the earlier stages' weak classifiers give, and balances
  // the weights of both classes. Must be the first call.
  void go_on_from(const std::vector<WeakTree>& before);
  // Grows one weak classifier and adds it. Returns false, and adds nothing, if no feature separates the
  // classes any further.
  bool add_weak();
  // Adds a weak classifier that a checkpoint kept.
  void add(WeakTree tree);

  // The weak classifiers of this stage alone.
  const std::vector<WeakTree>& trees() const { return trees_; }
  // Fills `leaves` with the leaf that each sample reaches, in units of 1 / kScoreUnit.
  void leaves_of(const WeakTree& tree, std::vector<std::int32_t>& leaves) const;
  const std::vector<std::int32_t>& scores() const { return scores_; }
  // Returns the highest threshold that passes at least the fraction `CascadeOptions::min_hit()` of the
  // positives.
  StageCut cut() const;
  bool passes(std::size_t sample, const StageCut& cut) const { return scores_[sample] >= cut.min_score; }

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
  double balance_;  // factor of each negative's weight
  std::vector<std::int32_t> scores_;
  std::vector<std::uint32_t> weights_;
  std::vector<WeakTree> trees_;
};

// Appends a stage of these trees to `model`. It passes sums of `min_score` or more (unit: 1 / kScoreUnit).
void append_stage(const RunFeatures& features, const std::vector<WeakTree>& trees, std::int32_t min_score,
                  CascadeModel& model);
// Appends one stage to `model` for each weak classifier. The stage of `weak[i]` passes running sums of at
// least `min_scores[i]`, in units of 1 / kScoreUnit.
void append_soft(const RunFeatures& features, const std::vector<WeakTree>& weak,
                 const std::vector<std::int32_t>& min_scores, CascadeModel& model);

}  // namespace winnow
