// Trains cascades, stage by stage or round by round, as winnow/train.h declares; its opening comment holds
// here.
#include <algorithm>
#include <chrono>
#include <cstring>

#include <winnow/error.h>
#include <winnow/train.h>

#include "backend/backend.h"
#include "backend/training.h"
#include "base/count_text.h"
#include "base/share_work.h"
#include "base/simd.h"
#include "learn/steps.h"
#include "model/check.h"
#include "model/model_kinds.h"
#include "train/boost.h"
#include "train/checkpoint.h"
#include "train/mine.h"
#include "train/options.h"
#include "train/prune.h"

namespace winnow {
namespace {

using Clock = std::chrono::steady_clock;
// Seconds between two saves of a stage's weak classifiers.
constexpr double kSaveSeconds = 5;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

MineTask mine_task(const Pack& pack, const CascadeOptions& options) {
  MineTask task;
  task.window = pack.window;
  task.noise = options.negative_noise;
  return task;
}

class Trainer {
 public:
  Trainer(const Pack& pack, const CascadeOptions& options, const RunOptions& run, const TrainWatcher& watcher)
      : pack_(pack),
        options_(options),
        run_(run),
        watcher_(watcher),
        backend_(find_backend(run.machine.backend)),
        steps_(find_training<TrainSteps>(backend_.kind, kCascadeKind)),
        threads_(backend_.threads(run.machine.threads)),
        miner_(pack, mine_task(pack, options), run.machine, run.seed),
        checkpoint_(run.checkpoint, fingerprint(pack, options, run.seed)) {
    if (options_.negatives == 0)
      options_.negatives = static_cast<int>(std::max<std::size_t>(1000, 2 * pack.positive_count()));
    if (pack.positive_count() + static_cast<std::size_t>(options_.negatives) > std::size_t{kMostSamples})
      throw Error(ErrorCode::kLimit, "more than " + std::to_string(kMostSamples) + " samples");
  }

  TrainResult run() {
    features_.list = list_features(options_.features, pack_.window, options_.pool, run_.seed);
    if (features_.list.size() == 0) refuse("the window is too small for any feature");
    features_.compiled = bin_features(features_.list);
    begin();
    while (state_.stage < options_.stages() && !stopped_ && ended_.empty()) {
      boost_stage();
      if (stopped_ || !ended_.empty() || state_.stage == options_.stages()) break;
      if (!next_negatives()) break;
      checkpoint_.save(state_);
    }
    if (state_.model.stages.empty()) {
      throw Error(stopped_ ? ErrorCode::kUsage : ErrorCode::kFormat,
                  stopped_ ? "stopped before the first stage was done" : ended_);
    }
    TrainResult result{Cascade(state_.model), {}, ended_, stopped_, backend_.name, seconds()};
    result.stages.assign(state_.stages.begin(), state_.stages.begin() + state_.stage);
    return result;
  }

 private:
  double seconds() const { return seconds_before_ + seconds_since(start_); }
  TrainedStage& stage() { return state_.stages[static_cast<std::size_t>(state_.stage)]; }

  // Returns false if the watcher stops the training.
  bool notify(TrainStep::What what) {
    if (!watcher_) return true;
    TrainStep step{what, state_.stage, stage(), options_.negatives, seconds()};
    if (!watcher_(step)) stopped_ = true;
    return !stopped_;
  }

  void begin() {
    if (run_.resume) {
      if (auto saved = checkpoint_.load_start()) {
        state_ = std::move(*saved);
        const bool good = fits(state_, features_, pack_, options_);
        if (good) features_.rules = state_.rules;  // the next check needs the rules
        if (!good || !std::all_of(state_.weak.begin(), state_.weak.end(),
                                  [&](const WeakTree& weak) { return fits(weak, features_, options_); }))
          throw Error(ErrorCode::kFormat, "this state of a training does not fit the pack", run_.checkpoint);
        if (state_.stage == 0) begin_model();
        miner_.set_position(state_.position);
        seconds_before_ = state_.seconds;
        if (state_.stage > options_.stages())
          refuse("the state has " + std::to_string(state_.stage) + " stages done already, more than the " +
                 std::to_string(options_.stages()) + " wanted");
        return;
      }
    } else if (checkpoint_.has_start()) {
      throw Error(ErrorCode::kUsage,
                  "this folder has the state of a training already: resume it, or take another folder",
                  run_.checkpoint);
    }
    begin_model();
    state_.alive.assign(pack_.positive_count(), 1);
    state_.stages.emplace_back();
    next_negatives();  // no checkpoint yet: `boost_stage` saves one when it has chosen the rules
  }

  void begin_model() {
    state_.model = {};
    state_.model.kind = features_.list.kind;
    state_.model.window = pack_.window;
    state_.model.rules = opencv_rules(features_.list.kind);
    if (options_.soft() || options_.weak == WeakKind::kTable) state_.model.rules.threshold_slack = 0;
    if (options_.soft()) {
      state_.model.rules.sum = SumRule::kRunning;
      state_.model.rules.skip_after_first_stage_reject = false;
    }
  }

  // Gathers negatives that pass the cascade so far: first the negatives that the last stage did not
  // reject, then newly mined ones. Returns false if too few are found, or if the watcher stops the training.
  bool next_negatives() {
    const auto start = Clock::now();
    std::optional<DetectorModel> so_far;
    if (state_.stage > 0) so_far.emplace(Cascade(state_.model));
    Mined mined;
    mined.places = std::move(state_.places);
    mined.pixels = std::move(state_.pixels);
    stage().carried_over = static_cast<int>(mined.places.size());
    std::vector<MinedPlace> known = mined.places;
    std::sort(known.begin(), known.end());
    const auto wanted = static_cast<std::size_t>(options_.negatives);
    if (mined.places.size() < wanted) {
      miner_.mine(
          so_far, wanted - mined.places.size(), known,
          [&](const Mined& now) {
            stage().negatives = static_cast<int>(now.places.size());
            stage().mined_windows = now.windows;
            stage().mining_seconds = seconds_since(start);
            return notify(TrainStep::What::kMining);
          },
          mined);
    }
    stage().negatives = static_cast<int>(mined.places.size());
    stage().mined_windows = mined.windows;
    stage().mining_seconds = seconds_since(start);
    state_.position = miner_.position();
    state_.seconds = seconds();
    const std::size_t found = mined.places.size();
    state_.places = std::move(mined.places);
    state_.pixels = std::move(mined.pixels);
    if (stopped_) return false;
    if (found >= static_cast<std::size_t>(kLeastNegatives)) return true;
    const std::string pictures = count_text(static_cast<std::int64_t>(miner_.pictures()), "picture");
    if (state_.stage == 0) {
      ended_ = "only " + count_text(static_cast<std::int64_t>(found), "window") + " with contrast " +
               (found == 1 ? "was" : "were") + " found in " + pictures +
               "; more or larger negatives are needed";
      return false;
    }
    char windows[32];
    std::snprintf(windows, sizeof(windows), "%.2g", static_cast<double>(stage().mined_windows));
    ended_ = "stage " + std::to_string(state_.stage + 1) + ": " +
             count_text(static_cast<std::int64_t>(found), "false alarm") + " found in " + windows +
             " windows of " + pictures + "; more or larger negatives are needed";
    return false;
  }

  // Returns the stage's samples: the positives with `state_.alive` 1, then the negatives. Fills `positives`
  // with the numbers that these positives have in the pack.
  std::vector<GrayView> samples(std::vector<std::size_t>& positives) const {
    std::vector<GrayView> views;
    for (std::size_t i = 0; i < state_.alive.size(); ++i) {
      if (state_.alive[i] == 0) continue;
      positives.push_back(i);
      views.push_back(pack_.positive(i));
    }
    const std::size_t bytes = pack_.positive_bytes();
    for (std::size_t i = 0; i < state_.places.size(); ++i)
      views.push_back(
          {state_.pixels.data() + i * bytes, pack_.window.width, pack_.window.height, pack_.window.width});
    return views;
  }

  // The largest number of weak classifiers for this stage alone.
  std::size_t most_weak() const {
    if (!options_.soft()) return static_cast<std::size_t>(options_.max_weak());
    const auto before = state_.weak.size();
    const int left = options_.stages() - 1 - state_.stage;  // number of rounds after this round
    const int all = std::max(left < 31 ? options_.max_weak() >> left : 0, 1);
    // The result is at least 1.
    return static_cast<std::size_t>(all) - std::min(before, static_cast<std::size_t>(all) - 1);
  }

  // True if the false alarm rate of a stage is low enough. A round of a soft cascade has no such goal.
  bool few_pass(const StageCut& cut, std::size_t negatives) const {
    const auto* stages = std::get_if<StageOptions>(&options_.form);
    return stages != nullptr &&
           static_cast<double>(cut.negatives_passed) <= stages->max_false * static_cast<double>(negatives);
  }

  // The detector rejects windows without contrast before the first stage of Haar features, so training must
  // not use them.
  void drop_flat_positives() {
    std::size_t left = 0;
    for (std::size_t i = 0; i < state_.alive.size(); ++i) {
      if (state_.alive[i] != 0 && sample_norm(pack_.positive(i)).flat) state_.alive[i] = 0;
      left += state_.alive[i];
    }
    if (left < 2)
      throw Error(ErrorCode::kFormat, "the positives have no contrast: nothing can be learned from them");
  }

  void boost_stage() {
    const auto start = Clock::now();
    if (state_.stage == 0 && features_.list.kind == FeatureKind::kHaar) drop_flat_positives();
    std::vector<std::size_t> positives;
    const std::vector<GrayView> views = samples(positives);
    const std::int64_t plane_bytes = sample_plane_bytes(pack_.window, features_.list.tilted, views.size());
    check_room(views.size(), "samples", plane_bytes, run_.memory);
    SamplePlanes planes(pack_.window, features_.list.tilted, views.size());
    share_work(threads_, planes.chunks(), 1, [&](std::size_t, std::size_t chunk) {
      planes.fill_chunk(chunk * kSampleChunk, [&](std::size_t i) { return views[i]; });
    });
    if (features_.rules.empty()) {
      choose_rules(steps_, planes, threads_, options_.weak, features_);
      state_.rules = features_.rules;
      checkpoint_.save(state_);
    }
    const auto table = steps_.make_table({&features_, &planes, positives.size(), run_.memory - plane_bytes,
                                          threads_, run_.machine.devices.front(), options_.weak});
    StageBoost boost(features_, *table, positives.size(), views.size(), options_, run_.seed, state_.stage);
    if (options_.soft()) boost.go_on_from(state_.weak);
    if (run_.resume) {
      std::vector<WeakTree> trees = checkpoint_.load_trees(state_.stage);
      if (trees.size() > most_weak())
        throw Error(ErrorCode::kFormat, "this state of a training has too many trees", run_.checkpoint);
      for (WeakTree& tree : trees) {
        if (!fits(tree, features_, options_))
          throw Error(ErrorCode::kFormat, "this state of a training has a tree that makes no sense",
                      run_.checkpoint);
        boost.add(std::move(tree));
      }
    }
    auto saved = Clock::now();
    while (true) {
      if (!boost.trees().empty()) {
        const StageCut cut = boost.cut();
        note(boost, cut, positives.size(), views.size() - positives.size(), start);
        if (few_pass(cut, views.size() - positives.size()) || boost.trees().size() >= most_weak()) {
          finish(boost, cut, positives);
          return;
        }
        const bool go_on = notify(TrainStep::What::kWeak);
        if (!go_on || seconds_since(saved) > kSaveSeconds) {
          checkpoint_.save(state_.stage, boost.trees());
          saved = Clock::now();
        }
        if (!go_on) return;
      }
      if (boost.add_weak()) continue;
      if (boost.trees().empty()) {
        ended_ = "stage " + std::to_string(state_.stage + 1) +
                 ": no feature tells positives from negatives; are they the same pictures?";
        return;
      }
      finish(boost, boost.cut(), positives);
      return;
    }
  }

  void note(const StageBoost& boost, const StageCut& cut, std::size_t positives, std::size_t negatives,
            Clock::time_point start) {
    stage().weak = static_cast<int>(boost.trees().size());
    stage().positives = static_cast<int>(positives);
    stage().negatives = static_cast<int>(negatives);
    stage().hit = static_cast<double>(cut.positives_passed) / static_cast<double>(positives);
    stage().false_alarm = static_cast<double>(cut.negatives_passed) / static_cast<double>(negatives);
    stage().boosting_seconds = seconds_since(start);
  }

  void finish(const StageBoost& boost, const StageCut& cut, const std::vector<std::size_t>& positives) {
    checkpoint_.save(state_.stage, boost.trees());
    std::vector<std::uint8_t> passes;
    if (options_.soft()) {
      passes = finish_soft(boost, positives.size());
    } else {
      append_stage(features_, boost.trees(), cut.min_score, state_.model);
      for (std::size_t i = 0; i < boost.scores().size(); ++i) passes.push_back(boost.passes(i, cut));
      for (std::size_t i = 0; i < positives.size(); ++i) state_.alive[positives[i]] = passes[i];
    }
    const std::size_t bytes = pack_.positive_bytes();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state_.places.size(); ++i) {
      if (passes[positives.size() + i] == 0) continue;
      state_.places[kept] = state_.places[i];
      std::memmove(state_.pixels.data() + kept * bytes, state_.pixels.data() + i * bytes, bytes);
      ++kept;
    }
    state_.places.resize(kept);
    state_.pixels.resize(kept * bytes);
    notify(TrainStep::What::kStageDone);
    ++state_.stage;
    state_.stages.emplace_back();
  }

  // Sets all limits anew and returns for each sample whether it passes. Positives that a limit rejects stay
  // in the training, because later rounds set other limits.
  std::vector<std::uint8_t> finish_soft(const StageBoost& boost, std::size_t positives) {
    state_.weak.insert(state_.weak.end(), boost.trees().begin(), boost.trees().end());
    Pruner pruner(boost.scores(), positives, options_.min_hit());
    std::vector<std::int32_t> scores(boost.scores().size()), leaves, limits;
    for (const WeakTree& weak : state_.weak) {
      boost.leaves_of(weak, leaves);
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += leaves[i];
      limits.push_back(pruner.next(scores));
    }
    begin_model();
    append_soft(features_, state_.weak, limits, state_.model);
    const auto& alive = pruner.alive();
    const auto first_negative = alive.begin() + static_cast<std::ptrdiff_t>(positives);
    const auto fraction = [](auto begin, auto end) {
      return static_cast<double>(std::count(begin, end, 1)) / static_cast<double>(end - begin);
    };
    stage().hit = fraction(alive.begin(), first_negative);
    stage().false_alarm = fraction(first_negative, alive.end());
    return alive;
  }

  const Pack& pack_;
  CascadeOptions options_;
  const RunOptions run_;
  const TrainWatcher& watcher_;
  const BackendTable& backend_;
  const TrainSteps& steps_;
  int threads_;
  Miner miner_;
  Checkpoint checkpoint_;
  RunFeatures features_;
  StageStart state_;
  bool stopped_ = false;
  std::string ended_;
  double seconds_before_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

TrainResult train_cascade(const Pack& pack, const CascadeOptions& options, const RunOptions& run,
                          const TrainWatcher& watcher) {
  check_training(options, run);
  check_samples(pack);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  return Trainer(pack, options, run, watcher).run();
}

}  // namespace winnow
