#include <winnow/error.h>
#include <winnow/train.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "scale/integral.h"
#include "sieve/stages.h"
#include "sieve/stages_rule.h"
#include "train/options.h"
#include "train/prune.h"
#include "train/sample_planes.h"
#include "train/share_work.h"

namespace winnow {
namespace {

// Stages whose scores are found at once.
constexpr std::size_t kStagesAtOnce = 32;

void check(const std::vector<Cascade>& members, const Pack& pack, const JoinOptions& options) {
  if (members.empty()) refuse("there is no cascade to be joined");
  if (!(options.min_hit > 0.5 && options.min_hit <= 1))
    refuse("the least hit rate must be above 0.5, and at most 1");
  if (options.threads < 0 || options.memory < 0) refuse("numbers of threads and bytes must not be negative");
  const CascadeModel& first = members.front().model();
  for (const Cascade& member : members) {
    const CascadeModel& model = member.model();
    if (model.rules.sum != SumRule::kRunning)
      refuse("'" + member.name() + "' is no soft cascade: only those can be joined");
    if (model.kind != first.kind || model.tables.empty() != first.tables.empty() ||
        model.rules != first.rules)
      refuse("'" + member.name() + "' is of another kind than '" + members.front().name() + "'");
    if (model.window != first.window || model.window != pack.window) {
      const auto size = [](Size s) { return std::to_string(s.width) + "x" + std::to_string(s.height); };
      refuse("windows differ: " + size(model.window) + " of '" + member.name() + "', " + size(first.window) +
             " of '" + members.front().name() + "', " + size(pack.window) + " of the pack");
    }
  }
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

// All weak classifiers of all members, with the limits that they had.
void append_model(const CascadeModel& from, CascadeModel& to) {
  const auto features =
                 static_cast<std::int32_t>(to.kind == FeatureKind::kHaar ? to.haar.size() : to.lbp.size()),
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
    node.feature += features;
    to.nodes.push_back(node);
  }
  for (Table table : from.tables) {
    table.feature += features;
    to.tables.push_back(table);
  }
  append(from.leaves, to.leaves);
  append(from.subsets, to.subsets);
  append(from.haar, to.haar);
  append(from.lbp, to.lbp);
}

// Positives as the detector sees windows, and what the cascade so far makes of each.
class Positives {
 public:
  Positives(const Pack& pack, const CascadeModel& model, const JoinOptions& options)
      : model_(model),
        threads_(options.threads > 0 ? options.threads
                                     : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        width_(pack.window.width + 1),
        height_(pack.window.height + 1),
        tilted_(std::any_of(model.haar.begin(), model.haar.end(),
                            [](const HaarFeature& f) { return f.tilted; })) {
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < pack.positive_count(); ++i) {
      const WindowNorm norm = sample_norm(pack.positive(i));
      if (model.rules.flat == FlatRule::kOpenCvVariance && norm.flat) continue;
      seen.push_back(i);
      norms_.push_back(model.rules.flat == FlatRule::kOpenCvVariance ? norm.factor : 1.f);
    }
    if (seen.empty()) throw Error(ErrorCode::kFormat, "there are no positives, or none with contrast");
    const std::size_t bytes = seen.size() * values() * sizeof(std::uint32_t);
    if (static_cast<std::int64_t>(bytes) > options.memory) {
      throw Error(ErrorCode::kLimit, std::to_string(seen.size()) + " positives take " +
                                         std::to_string((bytes >> 20) + 1) +
                                         " MiB, more than the memory allowed");
    }
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

  // Calls `each(stage, scores)` stage by stage with all positives' sums after it.
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
          scores[s - first][i] = static_cast<std::int32_t>(std::llrint(sums[i] * kScoreUnit));
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
  std::vector<std::uint32_t> planes_;  // of each positive: sums, turned sums
};

}  // namespace

Cascade join_cascades(const std::vector<Cascade>& members, const Pack& pack, const JoinOptions& options) {
  check(members, pack, options);
  CascadeModel model = members.front().model();
  for (std::size_t i = 1; i < members.size(); ++i) append_model(members[i].model(), model);
  const Positives positives(pack, model, options);
  std::vector<std::int32_t> finals;
  positives.run([&](std::size_t s, const std::vector<std::int32_t>& scores) {
    if (s + 1 == model.stages.size()) finals = scores;
  });
  Pruner pruner(finals, positives.count(), options.min_hit, static_cast<int>(members.size()));
  std::vector<float> limits;
  positives.run([&](std::size_t, const std::vector<std::int32_t>& scores) {
    limits.push_back(static_cast<float>(pruner.next(scores)) / static_cast<float>(kScoreUnit));
  });
  for (std::size_t s = 0; s < limits.size(); ++s) model.stages[s].threshold = limits[s];
  return Cascade(std::move(model));
}

}  // namespace winnow
