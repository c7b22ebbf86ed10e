// Trains rejection cascades from packs of samples.
//
//   winnow::TrainOptions options;
//   options.stages = 15;
//   winnow::TrainResult result = winnow::train_cascade(pack, options);
//   result.cascade.save("mug.winnow", winnow::CascadeFormat::kWinnow);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/cascade.h>
#include <winnow/export.h>
#include <winnow/pack.h>

namespace winnow {

enum class FeatureSet {
  kHaar,        // upright, the five classic kinds: 162,336 in a 24x24 window
  kHaarMore,    // and lines of four and centres, upright
  kHaarTilted,  // OpenCV's full set: lines of four, centres, and all but the checker turned by 45 degrees
  kLbp,         // grids of 3 x 3 equal cells
};
WINNOW_API const char* feature_set_name(FeatureSet set);  // "haar", "haar-more", "haar-tilted", "lbp"
WINNOW_API std::int64_t count_features(FeatureSet set, Size window);

enum class BoostKind { kGentle, kReal, kDiscrete };
WINNOW_API const char* boost_kind_name(BoostKind kind);  // "gentle", "real", "discrete"

enum class WeakKind {
  kTree,   // of thresholds, or of LBP subsets
  kTable,  // a leaf for each of 16 bins of one Haar feature
};
WINNOW_API const char* weak_kind_name(WeakKind kind);  // "tree", "table"

struct TrainOptions {
  FeatureSet features = FeatureSet::kHaar;
  BoostKind boost = BoostKind::kGentle;
  WeakKind weak = WeakKind::kTree;
  // A soft cascade: one sum that runs through all weak classifiers, and a limit after each. A stage is a
  // round then: it makes the cascade twice as long, up to `max_weak` in the last one, sets all limits anew,
  // and mines what still passes. `min_hit` is of all positives, and `max_false` means nothing.
  bool soft = false;
  int stages = 20;
  double min_hit = 0.995;  // of the positives that reach a stage, it passes at least this part
  double max_false = 0.5;  // of its negatives, it passes at most this part
  int max_weak = 200;      // weak classifiers of a stage
  int depth = 1;           // of their trees: 1 is a stump
  int negatives = 0;       // of a stage; 0: twice as many as positives, at least 1000
  // Standard deviation, as a part of 255, of noise that is added to every other negative picture, at most:
  // where positives have some, noise alone must not tell them apart.
  double negative_noise = 0;
  int pool = 0;                // so many features, drawn at random, are all that are ever tried; 0: all
  int features_per_round = 0;  // about so many of them, drawn anew each round; 0: all
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all of the machine's
  BackendKind backend = BackendKind::kAuto;
  std::int64_t memory = std::int64_t{2}
                        << 30;  // for what is computed once and kept; the answer does not depend on it
  // A folder where the state is kept while training; "": none. With `resume`, goes on from there if there is
  // a state of the same pack and options (another's is an error); the result is the same as without the
  // break. More `stages` than before make a finished training longer (not of a soft cascade, whose stages are
  // shorter the more there are). Without `resume` a state that is there
  // is an error: nothing is written over.
  std::string checkpoint;
  bool resume = false;
};

// What a finished stage is like, measured on the samples that it was trained on.
struct TrainedStage {
  int weak = 0;
  double hit = 1, false_alarm = 1;   // parts of the stage's own positives and negatives
  int positives = 0, negatives = 0;  // that it was trained on
  int kept = 0;                      // of the negatives, those the stage before had already seen
  std::int64_t mined_windows = 0;    // searched for the others
  double mining_seconds = 0, boosting_seconds = 0;
};

struct TrainStep {
  enum class What {
    kMining,  // `negatives` found so far in `mined_windows`
    kWeak,    // a weak classifier was added
    kStageDone,
  };
  What what = What::kMining;
  int stage = 0;  // from 0
  TrainedStage so_far;
  int wanted_negatives = 0;
  double seconds = 0;  // since the start
};
// False stops the training after the state has been saved: `TrainResult::stopped` says so then.
using TrainWatcher = std::function<bool(const TrainStep&)>;

struct TrainResult {
  Cascade cascade;
  std::vector<TrainedStage> stages;
  // Why there are fewer stages than were asked for, in one sentence, and what would help; "" if there are
  // not.
  std::string ended_early;
  bool stopped = false;  // by the watcher
  std::string backend;
  double seconds = 0;
};

// An Error (kUsage) for options that make no sense, kFormat for samples that nothing can be learned from (no
// positives, all alike, negatives smaller than the window), kIo for a checkpoint that cannot be written. A
// stop by the watcher before the first stage is done is an Error, too (kUsage). exact: the same pack and
// options give the same cascade on every backend, number of threads and amount of memory, whether or not it
// was interrupted.
WINNOW_API TrainResult train_cascade(const Pack& pack, const TrainOptions& options,
                                     const TrainWatcher& watcher = {});
// Throws as that does what can be said before there are samples, which may take long to read or to make.
WINNOW_API void check_training(const TrainOptions& options);

struct JoinOptions {
  double min_hit = 0.98;  // of the pack's positives that have contrast, at least this part passes all limits
  int threads = 0;        // 0: all of the machine's
  std::int64_t memory = std::int64_t{2} << 30;  // for the positives' sums of pixels, which must fit
};

// One soft cascade of several that were trained on the same samples with other seeds or features: the sum
// runs on from one to the next, so that a window's score is the sum of theirs, which sorts better than each
// alone. Nearly all windows are gone in the first, so that the others cost next to nothing. All limits are
// set anew, from the pack's positives, those after a quarter of the first one (at most 200 weak classifiers)
// the looser, the more are joined: what was joined already counts as one. Rules and card are the first one's.
// An Error (kUsage) unless members are soft cascades of the pack's window, all of trees of one kind of
// features, or tables and after them stumps of LBP features; or if two are the same; kFormat without
// positives; kLimit if they do not fit into memory, or there is more than may be counted. exact: the same
// members and pack give the same cascade, whatever the threads.
WINNOW_API Cascade join_cascades(const std::vector<Cascade>& members, const Pack& pack,
                                 const JoinOptions& options = {});
// Throws as that does what can be said without a pack.
WINNOW_API void check_join(const std::vector<Cascade>& members, const JoinOptions& options = {});

// A page of HTML, whole in itself: what each stage leaves, hit rate over false positives, the first features
// on the mean positive, the hardest positives and negatives. Measured on the pack, at most 150 of its
// pictures.
WINNOW_API std::string training_page(const Pack& pack, const TrainOptions& options,
                                     const TrainResult& result);

}  // namespace winnow
