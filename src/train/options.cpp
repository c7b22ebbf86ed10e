#include "train/options.h"

#include <winnow/error.h>
#include <winnow/train.h>

#include "backend/backend.h"
#include "backend/training.h"
#include "base/size_text.h"
#include "base/threads.h"
#include "learn/steps.h"
#include "model/check.h"
#include "model/model_kinds.h"

namespace winnow {
namespace {

constexpr int kMostStages = 1000, kMostDepth = 3;
// The most weak classifiers of a stage. A leaf is below 3.5, so a float holds the stage's threshold
// exactly, in units of 1 / kScoreUnit.
constexpr int kMostWeak = 500;
// The most weak classifiers of a soft cascade, so that a float holds its running sum exactly. With gentle
// boosting a leaf is at most 1, so a cascade may have kMostGentleWeak of them.
constexpr int kMostSoftWeak = 1000, kMostGentleWeak = 4000;

}  // namespace

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, why); }

void refuse_window(int most_side) {
  refuse("the sides of the window must be from " + std::to_string(kLeastSide) + " to " +
         std::to_string(most_side));
}

void check_min_hit(double min_hit) {
  if (!(min_hit > 0.5 && min_hit <= 1)) refuse("the least hit rate must be above 0.5, and at most 1");
}

void check_means(const RunOptions& run) {
  check_threads(run.machine.threads);
  if (run.memory < 0) refuse("the memory must not be negative");
}

void check_room(std::size_t count, const char* what, std::int64_t bytes, std::int64_t allowed) {
  if (bytes <= allowed) return;
  throw Error(ErrorCode::kLimit, std::to_string(count) + " " + what + " take " +
                                     std::to_string((bytes >> 20) + 1) +
                                     " MiB, more than the memory allowed");
}

void check_training(const CascadeOptions& o, const RunOptions& run) {
  find_training<TrainSteps>(find_backend(run.machine.backend).kind, kCascadeKind);
  check_devices(run.machine.devices);
  if (o.stages() < 1 || o.stages() > kMostStages)
    refuse("the number of stages must be from 1 to " + std::to_string(kMostStages));
  check_min_hit(o.min_hit());
  if (const auto* stages = std::get_if<StageOptions>(&o.form);
      stages != nullptr && !(stages->max_false > 0 && stages->max_false < 1))
    refuse("the largest false alarm rate must be between 0 and 1");
  const int most_weak = !o.soft()                       ? kMostWeak
                        : o.boost == BoostKind::kGentle ? kMostGentleWeak
                                                        : kMostSoftWeak;
  if (o.max_weak() < 1 || o.max_weak() > most_weak)
    refuse(std::string("the number of weak classifiers of a ") + (o.soft() ? "soft cascade" : "stage") +
           " must be from 1 to " + std::to_string(most_weak));
  if (o.soft() && o.stages() > o.max_weak())
    refuse("a soft cascade must have a weak classifier for each stage");
  if (o.weak == WeakKind::kTable && o.features == FeatureSet::kLbp)
    refuse("tables are of Haar features; LBP features have a leaf for each side of a subset");
  if (o.weak == WeakKind::kTable && o.depth != 1) refuse("tables have no depth");
  if (o.depth < 1 || o.depth > kMostDepth)
    refuse("the depth of trees must be from 1 to " + std::to_string(kMostDepth));
  const std::int64_t most = o.soft() ? o.max_weak() : std::int64_t{o.stages()} * o.max_weak();
  const bool counts = o.soft() || o.weak == WeakKind::kTable;
  if (counts && most > static_cast<std::int64_t>(kMaxFixedPointWeak)) {
    refuse("a cascade of tables may have " + std::to_string(kMaxFixedPointWeak) + " of them, and " +
           std::to_string(o.stages()) + " stages might have " + std::to_string(most));
  }
  if (const std::int64_t nodes = o.weak == WeakKind::kTable ? 0 : most * ((1 << o.depth) - 1);
      nodes > static_cast<std::int64_t>(kMaxNodes)) {
    refuse("a cascade may have " + std::to_string(kMaxNodes) + " nodes of trees, and " +
           std::to_string(o.stages()) + " stages might have " + std::to_string(nodes));
  }
  if (!(o.negative_noise >= 0 && o.negative_noise <= 1)) refuse("the noise of negatives must be from 0 to 1");
  if (o.negatives < 0) refuse("the number of negatives must not be negative");
  if (o.pool < 0 || o.features_per_round < 0) refuse("the number of features must not be negative");
  check_means(run);
  if (o.negatives > 0 && o.negatives < kLeastNegatives)
    refuse("a stage needs " + std::to_string(kLeastNegatives) + " negatives at least");
  if (run.resume && run.checkpoint.empty()) refuse("to go on, the folder of the state is needed");
}

void check_samples(const Pack& pack) {
  const Size w = pack.window;
  if (w.width < kLeastSide || w.height < kLeastSide || w.width > kMostSide || w.height > kMostSide)
    refuse_window(kMostSide);
  if (pack.positives.size() != pack.positive_count() * pack.positive_bytes())
    refuse("the pack's positives are not as many bytes as they should be");
  if (pack.positive_count() < 2) {
    throw Error(ErrorCode::kFormat, pack.positive_count() == 0
                                        ? "there are no positives"
                                        : "one positive is too few: nothing can be learned from it");
  }
}

void check_middle(const Pack& pack, Size window) {
  if (pack.color && pack.colors.size() != sizeof(Rgb) * pack.positives.size())
    refuse("the pack's colours are not as many bytes as they should be");
  if (pack.positives.size() != pack.positive_count() * pack.positive_bytes())
    refuse("the pack's positives are not as many bytes as they should be");
  if (pack.window.width < window.width || pack.window.height < window.height)
    refuse("the pack's samples of " + size_text(pack.window) + " are smaller than the window of " +
           size_text(window));
  if ((pack.window.width - window.width) % 2 != 0 || (pack.window.height - window.height) % 2 != 0)
    refuse("a window of " + size_text(window) + " cannot lie in the middle of samples of " +
           size_text(pack.window) + ": the differences must be even");
  if (pack.positive_count() < 2)
    throw Error(ErrorCode::kFormat, pack.positive_count() == 0
                                        ? "there are no positives"
                                        : "one positive is too few: nothing can be learned from it");
}

}  // namespace winnow
