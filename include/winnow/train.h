// Trains rejection cascades from packs of samples.
//
//   winnow::CascadeOptions options;
//   options.form = winnow::StageOptions{.stages = 15};
//   winnow::RunOptions run;
//   run.checkpoint = "state";
//   winnow::TrainResult result = winnow::train_cascade(pack, options, run);
//   result.cascade.save("mug.winnow", winnow::CascadeFormat::kWinnow);
//
// In:     a pack (`pack.h`), what to learn (`CascadeOptions`), and how to run (`RunOptions`).
// Out:    a cascade, and for each of its stages the rates on its own samples.
// Exact:  the same pack, options and seed give the same cascade on every backend. The number of threads, the
//         amount of memory and an interruption do not change it.
// Memory: at most `RunOptions::memory`, beside the pack, for data that is computed once and kept. Arguments
//         are borrowed for the call; results belong to the caller.
// Thread: any number of trainings at once, each in its own folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <winnow/cascade.h>
#include <winnow/export.h>
#include <winnow/machine.h>
#include <winnow/pack.h>
#include <winnow/weak_learner.h>

namespace winnow {

// A cascade of stages: each stage sums its own weak classifiers.
struct StageOptions {
  int stages = 20;         // the most stages
  double min_hit = 0.995;  // each stage passes at least this fraction of the positives that reach it
  double max_false = 0.5;  // each stage passes at most this fraction of its negatives
  int max_weak = 200;      // the most weak classifiers of a stage
};

// A soft cascade: one sum runs through all weak classifiers, with a limit after each. The cascade grows in
// rounds. Each round doubles the cascade's length, up to `max_weak` in the last round, sets all limits anew,
// and mines windows that still pass.
struct SoftOptions {
  int rounds = 6;
  double min_hit = 0.98;  // the whole cascade passes at least this fraction of all positives
  int max_weak = 400;     // the most weak classifiers of the whole cascade
};

// What to learn.
struct CascadeOptions {
  FeatureSet features = FeatureSet::kHaar;
  BoostKind boost = BoostKind::kGentle;
  WeakKind weak = WeakKind::kTree;
  int depth = 1;      // depth of trees: 1 is a stump
  int negatives = 0;  // per stage or round; 0: twice as many as positives, at least 1000
  // The largest standard deviation of the noise added to negatives, as a fraction of 255. About half of the
  // negative pictures, drawn at random, get noise. Set this if positives are noisy: otherwise noise
  // alone separates positives from negatives.
  double negative_noise = 0;
  int pool = 0;                // number of features that the training tries, drawn at random; 0: all
  int features_per_round = 0;  // about this many of the `pool` are tried for each weak classifier; 0: all
  std::variant<StageOptions, SoftOptions> form;

  bool soft() const { return std::holds_alternative<SoftOptions>(form); }
  // The options of the `form` in use. For a soft cascade, `stages` gives the rounds.
  int stages() const {
    return soft() ? std::get<SoftOptions>(form).rounds : std::get<StageOptions>(form).stages;
  }
  double min_hit() const {
    return soft() ? std::get<SoftOptions>(form).min_hit : std::get<StageOptions>(form).min_hit;
  }
  int max_weak() const {
    return soft() ? std::get<SoftOptions>(form).max_weak : std::get<StageOptions>(form).max_weak;
  }
};

// The rates of a finished stage, measured on the samples that it was trained on.
struct TrainedStage {
  int weak = 0;
  double hit = 1, false_alarm = 1;   // fractions of the stage's own positives and negatives that it passes
  int positives = 0, negatives = 0;  // samples of this stage
  int carried_over = 0;              // negatives that the previous stage had already
  std::int64_t mined_windows = 0;    // windows searched to find the other negatives
  double mining_seconds = 0, boosting_seconds = 0;
};

struct TrainStep {
  enum class What {
    kMining,  // `so_far` has the negatives found and the windows searched so far
    kWeak,    // a weak classifier was added
    kStageDone,
  };
  What what = What::kMining;
  int stage = 0;  // from 0
  TrainedStage so_far;
  int wanted_negatives = 0;
  double seconds = 0;  // since the start; a resumed training adds the seconds of stages finished before
};
// The training thread calls the watcher between steps. If the watcher returns false, the training saves its
// state, if there is a checkpoint, and stops. `TrainResult::stopped` is then true.
using TrainWatcher = std::function<bool(const TrainStep&)>;

struct TrainResult {
  Cascade cascade;
  std::vector<TrainedStage> stages;
  // Says in one sentence why there are fewer stages than were asked for, and what would help. "" if no stage
  // is missing, or if the watcher stopped the training.
  std::string ended_early;
  bool stopped = false;  // whether the watcher stopped the training
  std::string backend;
  double seconds = 0;  // counted as in `TrainStep`
};

// Trains a cascade. A backend on devices uses the first of the machine's devices. Errors:
// - kUsage: options that make no sense; a stop by the watcher before the first stage is done.
// - kFormat: samples that nothing can be learned from: fewer than two positives, all samples alike, or
//   negatives smaller than the window. Also a damaged checkpoint.
// - kLimit: samples that do not fit `run.memory`, more than 4 million samples, too many features.
// - kIo: a checkpoint that cannot be written.
//
// A finished training of stages goes on if it resumes from its checkpoint with a larger number of stages. A
// soft cascade cannot be made longer by a resume: the length of a round depends on the number of rounds.
WINNOW_API TrainResult train_cascade(const Pack& pack, const CascadeOptions& options,
                                     const RunOptions& run = {}, const TrainWatcher& watcher = {});
// Throws the errors of `train_cascade` that depend on options alone. A caller can find these errors before
// making the samples, which may take long.
WINNOW_API void check_training(const CascadeOptions& options, const RunOptions& run);

struct JoinRule {
  double min_hit = 0.98;  // at least this fraction of the pack's positives with contrast passes all limits
};

// Joins soft cascades, the members, into one. The members were trained on the same samples with different
// seeds or features.
// - The weak classifiers of all members stand one after the other. A window's score is therefore the sum of
//   the members' scores, which ranks windows better than each score alone.
// - The first member rejects nearly all windows, so the others cost almost no time.
// - All limits are set anew from the pack's positives. After the first quarter of the first member, or its
//   200th weak classifier if that comes first, limits are looser than a member's. The more members, the
//   looser the limits.
// - Rules and card are the first member's.
//
// The members must have the pack's window. Their weak classifiers are all tables, or all trees of one kind of
// feature. Or the first members have tables, and the last ones have stumps of LBP features. Errors:
// - kUsage: members that do not fit these rules; two equal members.
// - kFormat: no positives, or none with contrast.
// - kLimit: sums of the positives that do not fit `run.memory`, more than 65,535 weak classifiers in all, a
//   limit beyond 4096.
//
// The same members and pack give the same cascade for every number of threads.
WINNOW_API Cascade join_cascades(const std::vector<Cascade>& members, const Pack& pack,
                                 const JoinRule& rule = {}, const RunOptions& run = {});
// Throws the errors of `join_cascades` that do not depend on the pack.
WINNOW_API void check_join(const std::vector<Cascade>& members, const JoinRule& rule, const RunOptions& run);

// One self-contained page of HTML. It shows what each stage leaves, the hit rate over false positives, the
// first features on the mean positive, and the hardest positives and negatives. Rates are measured on the
// pack, on at most 150 of its pictures. Pass the pack of the training; this is not checked.
WINNOW_API std::string training_page(const Pack& pack, const CascadeOptions& options, const RunOptions& run,
                                     const TrainResult& result);

}  // namespace winnow
