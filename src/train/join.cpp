// Joins soft cascades into one, as winnow/train.h declares; its opening comment holds here.
#include <winnow/error.h>
#include <winnow/train.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/share_work.h"
#include "base/size_text.h"
#include "learn/sample_planes.h"
#include "model/check.h"
#include "scale/integral.h"
#include "sieve/stages.h"
#include "sieve/stages_rule.h"
#include "train/options.h"
#include "train/prune.h"
#include "train/weight_rule.h"

namespace winnow {
namespace {

// The number of stages that a thread computes for one positive before it goes on to the next positive.
constexpr std::size_t kStagesAtOnce = 32;

std::string number_of(std::size_t i, const Cascade& member) {
  return "cascade " + std::to_string(i + 1) + (member.name().empty() ? "" : " ('" + member.name() + "')");
}

// Returns the reason why `model` cannot follow `first` in a joined cascade; "" if `model` can follow.
std::string difference(const CascadeModel& model, const CascadeModel& first) {
  ModelRules rules = model.rules;
  if (first.kind == FeatureKind::kLbp && !model.tables.empty())
    return "has tables, which must come before LBP features";
  if (!first.tables.empty() && model.kind == FeatureKind::kLbp) {
    // LBP features need no contrast, so the first model's rule for flat windows is valid for both.
    rules.flat = first.rules.flat;
    for (const Tree& tree : model.trees) {
      if (tree.node_count > 1) return "has trees of more than one node, which cannot follow tables";
    }
  } else if (model.kind != first.kind) {
    return "has another kind of features";
  } else if (model.tables.empty() != first.tables.empty()) {
    return "has trees where the other has tables, or the reverse";
  }
  if (model.window != first.window)
    return "has a window of " + size_text(model.window) + ", not " + size_text(first.window);
  if (rules != first.rules) return "follows other rules";
  return "";
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

// Appends the stages of `from` with their limits, and renumbers the features and nodes that they refer to.
void append_model(const CascadeModel& from, CascadeModel& to) {
  const auto haar = static_cast<std::int32_t>(to.haar.size()), lbp = static_cast<std::int32_t>(to.lbp.size()),
             weak = static_cast<std::int32_t>(to.weak_count()),
             nodes = static_cast<std::int32_t>(to.nodes.size()),
             leaves = static_cast<std::int32_t>(to.leaves.size());
  for (Stage stage : from.stages) {
    stage.first_tree += weak;
    to.stages.push_back(stage);
  }
  for (Tree tree : from.trees) {
    tree.first_node += nodes;
    tree.first_leaf += leaves;
    to.trees.push_back(tree);
  }
  for (TreeNode node : from.nodes) {
    node.feature += from.tree_kind() == FeatureKind::kHaar ? haar : lbp;
    to.nodes.push_back(node);
  }
  for (Table table : from.tables) {
    table.feature += haar;
    to.tables.push_back(table);
  }
  append(from.leaves, to.leaves);
  append(from.subsets, to.subsets);
  append(from.haar, to.haar);
  append(from.lbp, to.lbp);
}

// Keeps the integral planes of the positives, and computes their running sums after each stage of the
// cascade.
class Positives {
 public:
  Positives(const Pack& pack, const CascadeModel& model, const RunOptions& run)
      : model_(model),
        threads_(threads_for(run.machine.threads)),
        width_(pack.window.width + 1),
        height_(pack.window.height + 1),
        tilted_(model.tilted()) {
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < pack.positive_count(); ++i) {
      const bool any = model.rules.flat == FlatRule::kNone;
      const WindowNorm norm = any ? WindowNorm{false, 1.f} : sample_norm(pack.positive(i));
      if (norm.flat) continue;
      seen.push_back(i);
      norms_.push_back(norm.factor);
    }
    if (seen.empty()) throw Error(ErrorCode::kFormat, "there are no positives, or none with contrast");
    check_room(seen.size(), "positives",
               static_cast<std::int64_t>(seen.size() * values() * sizeof(std::uint32_t)), run.memory);
    planes_.resize(seen.size() * values());
    share_work(threads_, seen.size(), 64, [&](std::size_t, std::size_t i) {
      std::uint32_t* own = planes_.data() + i * values();
      const auto plane = [&](std::uint32_t* at) {
        return PlaneView{at, width_, height_, static_cast<std::ptrdiff_t>(sizeof(std::uint32_t)) * width_};
      };
      integral_ref(pack.positive(seen[i]),
                   {plane(own), {}, tilted_ ? plane(own + values() / 2) : PlaneView{}});
    });
  }

  std::size_t count() const { return norms_.size(); }

  // Calls `each(stage, scores)` for each stage in order. `scores` has the running sum of each positive after
  // the stage, in units of 1 / kScoreUnit.
  template <class Each>
  void run(Each each) const {
    std::vector<double> sums(count());
    std::vector<std::vector<std::int32_t>> scores(kStagesAtOnce, std::vector<std::int32_t>(count()));
    for (std::size_t first = 0; first < model_.stages.size(); first += kStagesAtOnce) {
      const std::size_t end = std::min(first + kStagesAtOnce, model_.stages.size());
      share_work(threads_, count(), 64, [&](std::size_t, std::size_t i) {
        const std::uint32_t* own = planes_.data() + i * values();
        const WindowSums window{own, tilted_ ? own + values() / 2 : nullptr, width_, norms_[i]};
        for (std::size_t s = first; s < end; ++s) {
          sums[i] = stage_sum(model_, model_.stages[s], window, sums[i]);
          scores[s - first][i] = static_cast<std::int32_t>(sums[i] * kScoreUnit);
        }
      });
      for (std::size_t s = first; s < end; ++s) each(s, scores[s - first]);
    }
  }

 private:
  std::size_t values() const {
    return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * (tilted_ ? 2 : 1);
  }

  const CascadeModel& model_;
  int threads_, width_, height_;
  bool tilted_;
  std::vector<float> norms_;
  std::vector<std::uint32_t> planes_;  // for each positive: upright sums, then tilted sums if needed
};

}  // namespace

void check_join(const std::vector<Cascade>& members, const JoinRule& rule, const RunOptions& run) {
  if (members.empty()) refuse("there is no cascade to be joined");
  check_min_hit(rule.min_hit);
  check_means(run);
  std::size_t weak = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const CascadeModel& model = members[i].model();
    if (model.rules.sum != SumRule::kRunning)
      refuse(number_of(i, members[i]) + " is no soft cascade: only those can be joined");
    const std::string differs = difference(model, members[0].model());
    if (!differs.empty())
      refuse(number_of(i, members[i]) + " cannot be joined with " + number_of(0, members[0]) + ": it " +
             differs);
    for (std::size_t other = 0; other < i; ++other) {
      if (model.same_as(members[other].model()))
        refuse(number_of(i, members[i]) + " is the same as " + number_of(other, members[other]));
    }
    for (std::size_t other = 0; other < i && !model.tables.empty(); ++other) {
      if (members[other].model().trees.empty()) continue;
      if (model.mixed() && members[other].model().mixed())
        refuse(number_of(other, members[other]) + " and " + number_of(i, members[i]) +
               " both end with LBP features: what they were joined of can be joined");
      refuse(number_of(i, members[i]) + " must come before " + number_of(other, members[other]) +
             ": tables come before LBP features");
    }
    weak += model.weak_count();
  }
  if (weak > kMaxFixedPointWeak) {
    throw Error(ErrorCode::kLimit, std::to_string(weak) + " weak classifiers in all are more than the " +
                                       std::to_string(kMaxFixedPointWeak) + " that may be counted");
  }
}

Cascade join_cascades(const std::vector<Cascade>& members, const Pack& pack, const JoinRule& rule,
                      const RunOptions& run) {
  check_join(members, rule, run);
  check_samples(pack);
  const Size window = members[0].window();
  if (window != pack.window)
    refuse("the pack is of " + size_text(pack.window) + ", the cascades' window is " + size_text(window));
  CascadeModel model = members.front().model();
  for (std::size_t i = 1; i < members.size(); ++i) append_model(members[i].model(), model);
  const Positives positives(pack, model, run);
  std::vector<std::int32_t> finals;
  positives.run([&](std::size_t s, const std::vector<std::int32_t>& scores) {
    if (s + 1 == model.stages.size()) finals = scores;
  });
  Pruner pruner(finals, positives.count(), rule.min_hit,
                {static_cast<int>(members.size()), static_cast<int>(members[0].model().weak_count())});
  positives.run([&](std::size_t s, const std::vector<std::int32_t>& scores) {
    const std::int32_t limit = pruner.next(scores, model.stages[s].tree_count);
    if (std::abs(limit) > kMostThresholdUnits)
      throw Error(ErrorCode::kLimit, "the cascades' scores add up to more than a limit may be");
    model.stages[s].threshold = in_ones(limit);
  });
  return Cascade(std::move(model));
}

}  // namespace winnow
