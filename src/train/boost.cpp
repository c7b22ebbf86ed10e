#include "train/boost.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "sieve/stages_rule.h"
#include "train/weight_rule.h"

namespace winnow {
namespace {

// A constant in the hash that chooses the features to try. Other random choices hash other constants.
constexpr std::uint64_t kForRound = 0x726f756e64;

bool goes_left(FeatureKind kind, const WeakNode& node, std::uint8_t bin) {
  return kind == FeatureKind::kHaar ? bin <= node.last : lbp_goes_left(node.subset, bin);
}

std::int32_t leaf_of(BoostKind boost, Weights leaf, Weights all, std::int32_t vote, bool of_table = false) {
  const std::uint32_t sum = all.positive + all.negative;
  switch (boost) {
    case BoostKind::kGentle:
      return of_table ? table_leaf(leaf.positive, leaf.negative, sum)
                      : gentle_leaf(leaf.positive, leaf.negative);
    case BoostKind::kReal:
      return real_leaf(leaf.positive, leaf.negative, sum);
    case BoostKind::kDiscrete:
      return leaf.positive > leaf.negative ? vote : -vote;
  }
  return 0;
}

}  // namespace

StageBoost::StageBoost(const RunFeatures& features, BinTable& table, std::size_t positives,
                       std::size_t samples, const CascadeOptions& options, std::uint64_t seed, int stage)
    : features_(features),
      table_(table),
      options_(options),
      seed_(seed),
      positives_(positives),
      stage_(stage),
      balance_(static_cast<double>(positives) / static_cast<double>(samples - positives)),
      scores_(samples),
      weights_(samples) {}

// The negatives pass the cascade so far, so their weights are far above the weights of the positives.
// `balance_` therefore gives both classes the same total weight when a stage begins, as if a constant were
// added to all scores.
void StageBoost::go_on_from(const std::vector<WeakTree>& before) {
  std::vector<std::int32_t> leaves;
  for (const WeakTree& tree : before) {
    leaves_of(tree, leaves);
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += leaves[i];
  }
  std::uint64_t positive = 0, negative = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    if (i < positives_) {
      positive += raw_weight(scores_[i], 1);
    } else {
      negative += raw_weight(-scores_[i], 1);
    }
  }
  balance_ = std::clamp(static_cast<double>(positive) / static_cast<double>(negative), 1e-4, 1e4);
}

void StageBoost::weigh() {
  const std::size_t count = scores_.size();
  std::vector<std::uint64_t> raw(count);
  for (std::size_t i = 0; i < count; ++i)
    raw[i] = i < positives_ ? raw_weight(scores_[i], 1) : raw_weight(-scores_[i], balance_);
  const int shift = weight_shift(std::accumulate(raw.begin(), raw.end(), std::uint64_t{0}));
  for (std::size_t i = 0; i < count; ++i) weights_[i] = static_cast<std::uint32_t>(raw[i] >> shift);
}

std::vector<int> StageBoost::candidates() const {
  const int all = features_.list.size(), wanted = options_.features_per_round;
  std::vector<int> chosen;
  if (wanted <= 0 || wanted >= all) {
    chosen.resize(static_cast<std::size_t>(all));
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  const auto one_in =
      (~std::uint64_t{0} / static_cast<std::uint64_t>(all)) * static_cast<std::uint64_t>(wanted);
  for (int f = 0; f < all; ++f) {
    if (hash(seed_, kForRound, stage_, trees_.size(), f) < one_in) chosen.push_back(f);
  }
  return chosen;
}

void StageBoost::send(const WeakNode& node, std::vector<std::uint8_t>& left) const {
  std::vector<std::uint8_t> row;
  table_.row(node.feature, row);
  for (std::size_t i = 0; i < row.size(); ++i) left[i] = goes_left(features_.list.kind, node, row[i]);
}

// Grows nodes breadth first. A node becomes a leaf if no split makes its samples purer.
WeakTree StageBoost::grow(const std::vector<int>& tried) const {
  struct Open {
    std::vector<std::uint8_t> members;
    Weights weights;
    int parent, depth;
    bool is_left;
  };
  const BoostKind boost = options_.boost;
  const Weights all = sum_weights(weights_, positives_);
  WeakTree tree;
  std::vector<Open> open;
  open.push_back({std::vector<std::uint8_t>(scores_.size(), 1), all, -1, 0, false});
  std::vector<Weights> leaf_weights;
  const auto hang = [&](const Open& from, std::int32_t what) {
    if (from.parent < 0) return;
    WeakNode& parent = tree.nodes[static_cast<std::size_t>(from.parent)];
    (from.is_left ? parent.left : parent.right) = what;
  };
  std::vector<std::uint32_t> own(scores_.size());
  for (std::size_t next = 0; next < open.size(); ++next) {
    Split split;
    if (open[next].depth < options_.depth) {
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = open[next].members[i] != 0 ? weights_[i] : 0;
      split = table_.best_split(tried, own, boost);
    }
    if (split.feature < 0 || !(split.gain > purity(boost, open[next].weights))) {
      hang(open[next], -static_cast<std::int32_t>(leaf_weights.size()));
      leaf_weights.push_back(open[next].weights);
      continue;
    }
    WeakNode node;
    node.feature = split.feature;
    node.last = split.last;
    if (features_.list.kind == FeatureKind::kLbp) {
      std::vector<std::uint8_t> row;
      BinWeights sums;
      std::uint8_t order[kBins];
      table_.row(split.feature, row);
      weigh_bins_ref(row, own, positives_, sums);
      split_of(SplitKind::kLikelihood, boost, sums, open[next].weights, order);
      for (int i = 0; i < split.last; ++i)
        node.subset[order[i] / 32] |= static_cast<std::int32_t>(std::uint32_t{1} << order[i] % 32);
    }
    const auto number = static_cast<std::int32_t>(tree.nodes.size());
    hang(open[next], number);
    tree.nodes.push_back(node);
    std::vector<std::uint8_t> left(scores_.size()), right(scores_.size());
    send(node, left);
    for (std::size_t i = 0; i < left.size(); ++i) {
      right[i] = open[next].members[i] != 0 && left[i] == 0;
      left[i] = open[next].members[i] != 0 && left[i] != 0;
    }
    const int depth = open[next].depth + 1;
    open[next].members = {};
    open.push_back({std::move(left), split.left, number, depth, true});
    open.push_back({std::move(right), split.right, number, depth, false});
  }
  if (tree.nodes.empty()) return tree;
  std::uint32_t wrong = 0;
  for (const Weights& leaf : leaf_weights) wrong += std::min(leaf.positive, leaf.negative);
  const std::int32_t vote = discrete_vote(wrong, all.positive + all.negative);
  for (const Weights& leaf : leaf_weights) tree.leaves.push_back(leaf_of(boost, leaf, all, vote));
  return tree;
}

WeakTree StageBoost::grow_table(const std::vector<int>& tried) const {
  const Split split = table_.best_split(tried, weights_, options_.boost);
  WeakTree tree;
  if (split.feature < 0) return tree;
  std::vector<std::uint8_t> row;
  BinWeights sums;
  table_.row(split.feature, row);
  weigh_bins_ref(row, weights_, positives_, sums);
  const Weights all = sum_weights(weights_, positives_);
  std::uint32_t wrong = 0;
  Weights bins[kTableBins];
  for (int b = 0; b < kTableBins; ++b) {
    bins[b] = table_bin_weights(sums, b);
    wrong += std::min(bins[b].positive, bins[b].negative);
  }
  const std::int32_t vote = discrete_vote(wrong, all.positive + all.negative);
  tree.nodes.push_back({split.feature, 0, {}, 0, 0});
  for (const Weights& bin : bins) tree.leaves.push_back(leaf_of(options_.boost, bin, all, vote, true));
  return tree;
}

bool StageBoost::add_weak() {
  weigh();
  const auto useless = [](const WeakTree& tree) {
    const auto same = [&](std::int32_t leaf) { return leaf == tree.leaves.front(); };
    return tree.nodes.empty() || std::all_of(tree.leaves.begin(), tree.leaves.end(), same);
  };
  const std::vector<int> some = candidates();
  const auto grow_any = [&](const std::vector<int>& tried) {
    return options_.weak == WeakKind::kTable ? grow_table(tried) : grow(tried);
  };
  WeakTree tree = grow_any(some);
  if (useless(tree) && std::ssize(some) < features_.list.size()) {
    // The drawn features separate nothing, but other features may.
    std::vector<int> all(static_cast<std::size_t>(features_.list.size()));
    std::iota(all.begin(), all.end(), 0);
    tree = grow_any(all);
  }
  if (useless(tree)) return false;
  add(std::move(tree));
  return true;
}

void StageBoost::leaves_of(const WeakTree& tree, std::vector<std::int32_t>& leaves) const {
  leaves.resize(scores_.size());
  if (tree.is_table()) {
    std::vector<std::uint8_t> row;
    table_.row(tree.nodes[0].feature, row);
    for (std::size_t i = 0; i < row.size(); ++i) leaves[i] = tree.leaves[row[i] / kBinsOfTableBin];
    return;
  }
  std::vector<std::vector<std::uint8_t>> left(tree.nodes.size(), std::vector<std::uint8_t>(scores_.size()));
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) send(tree.nodes[n], left[n]);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    std::int32_t at = 0;
    do {
      const auto n = static_cast<std::size_t>(at);
      at = left[n][i] != 0 ? tree.nodes[n].left : tree.nodes[n].right;
    } while (at > 0);
    leaves[i] = tree.leaves[static_cast<std::size_t>(-at)];
  }
}

void StageBoost::add(WeakTree tree) {
  std::vector<std::int32_t> leaves;
  leaves_of(tree, leaves);
  for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += leaves[i];
  trees_.push_back(std::move(tree));
}

StageCut StageBoost::cut() const {
  std::vector<std::int32_t> of_positives(scores_.begin(),
                                         scores_.begin() + static_cast<std::ptrdiff_t>(positives_));
  const auto lost =
      static_cast<std::ptrdiff_t>((1 - options_.min_hit()) * static_cast<double>(positives_) + 1e-9);
  const auto place = of_positives.begin() + std::min<std::ptrdiff_t>(lost, std::ssize(of_positives) - 1);
  std::nth_element(of_positives.begin(), place, of_positives.end());
  StageCut cut{*place, 0, 0};
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    if (passes(i, cut)) ++(i < positives_ ? cut.positives_passed : cut.negatives_passed);
  }
  return cut;
}

namespace {

template <class T>
std::int32_t number_of(const T& feature, std::vector<T>& list) {
  const auto known = std::find(list.begin(), list.end(), feature);
  const auto number = static_cast<std::int32_t>(known - list.begin());
  if (known == list.end()) list.push_back(feature);
  return number;
}

void append_table(const RunFeatures& features, const WeakTree& weak, CascadeModel& model) {
  const auto f = static_cast<std::size_t>(weak.nodes[0].feature);
  const BinRule& rule = features.rules[f];
  // A bin of the table covers 16 consecutive bins of the 256. The division by 16 is exact.
  Table table{number_of(features.list.haar[f], model.haar), rule.low, rule.per_unit / kBinsOfTableBin, {}};
  std::transform(weak.leaves.begin(), weak.leaves.end(), table.leaves.begin(), in_ones);
  model.tables.push_back(table);
}

void append_tree(const RunFeatures& features, const WeakTree& weak, CascadeModel& model) {
  Tree tree;
  tree.first_node = static_cast<std::int32_t>(model.nodes.size());
  tree.node_count = static_cast<std::int32_t>(weak.nodes.size());
  tree.first_leaf = static_cast<std::int32_t>(model.leaves.size());
  model.trees.push_back(tree);
  for (const WeakNode& weak_node : weak.nodes) {
    const auto f = static_cast<std::size_t>(weak_node.feature);
    TreeNode node{weak_node.left, weak_node.right, 0, 0};
    if (features.list.kind == FeatureKind::kLbp) {
      node.feature = number_of(features.list.lbp[f], model.lbp);
      model.subsets.push_back(weak_node.subset);
    } else {
      node.feature = number_of(features.list.haar[f], model.haar);
      node.threshold = threshold_after(features.rules[f], weak_node.last);
    }
    model.nodes.push_back(node);
  }
  for (const std::int32_t leaf : weak.leaves) model.leaves.push_back(in_ones(leaf));
}

void append_weak(const RunFeatures& features, const WeakTree& weak, CascadeModel& model) {
  weak.is_table() ? append_table(features, weak, model) : append_tree(features, weak, model);
}

}  // namespace

void append_stage(const RunFeatures& features, const std::vector<WeakTree>& trees, std::int32_t min_score,
                  CascadeModel& model) {
  Stage stage;
  stage.first_tree = static_cast<std::int32_t>(model.weak_count());
  stage.tree_count = static_cast<std::int32_t>(trees.size());
  for (const WeakTree& weak : trees) append_weak(features, weak, model);
  // The threshold lies half a unit below the least sum that passes. Readers of OpenCV's format may subtract a
  // slack from the threshold, and half a unit exceeds this slack. A fixed-point cascade compares sums
  // exactly, so its threshold is the least sum itself.
  stage.threshold = model.fixed_point()
                        ? in_ones(min_score)
                        : static_cast<float>((static_cast<double>(min_score) - 0.5) / kScoreUnit);
  model.stages.push_back(stage);
}

void append_soft(const RunFeatures& features, const std::vector<WeakTree>& weak,
                 const std::vector<std::int32_t>& min_scores, CascadeModel& model) {
  for (std::size_t i = 0; i < weak.size(); ++i) {
    model.stages.push_back({static_cast<std::int32_t>(model.weak_count()), 1, in_ones(min_scores[i])});
    append_weak(features, weak[i], model);
  }
}

}  // namespace winnow
