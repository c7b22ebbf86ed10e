// Trains cascades of HOG blocks (`train_hog_cascade`, winnow/train_hog.h).
//
// Exact:  the same pack, options and seed give the same model, whatever the backend, the number of threads
//         and the breaks.
// Memory: a trainer borrows pack and watcher for the call of `train_hog_cascade`; the result refers to
//         neither.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "backend/backend.h"
#include "backend/training.h"
#include "base/share_work.h"
#include "base/simd.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/block_samples.h"
#include "model/check.h"
#include "model/hog_cascade_model.h"
#include "train/blocks/block_boost.h"
#include "train/blocks/block_checkpoint.h"
#include "train/blocks/block_scores.h"
#include "train/blocks/block_stages.h"
#include "train/mean_positive.h"
#include "train/options.h"
#include "train/prune.h"
#include "train/rounds.h"
#include "train/trained_defaults.h"

namespace winnow {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSaveSeconds = 5;  // seconds between two saves of a round's stages
// The sum that a detected object needs by default. A sum of 0 would fit if objects were as frequent as other
// windows, but in pictures objects are rare.
constexpr std::int32_t kUsualSum = 2 * kScoreUnit;
constexpr int kShorter = 4;  // a round learns 1 / kShorter as many stages as the next

HogCascadeModel empty_model(const HogCascadeOptions& options) {
  HogCascadeModel model;
  model.window = options.window;
  model.grid = options.grid;
  model.step = options.step;
  model.zero = kUsualSum;
  return model;
}

MineTask mine_task(const HogCascadeOptions& options) {
  MineTask task;
  task.window = options.window;
  task.kind = kHogCascadeKind;
  task.rules = {ScaleRule::kOpenCvHog, StepRule::kFixed,   {options.step, options.step},
                MeanRule::kDouble,     WeightRule::kEqual, options.grid};
  task.pixels = MineTask::Pixels::kRoots;
  task.border = 1;
  task.needs_contrast = false;
  task.cap_factor = 1;
  return task;
}

RoundPlan round_plan(const Pack& pack, const HogCascadeOptions& options, std::uint64_t seed) {
  RoundPlan plan;
  plan.task = mine_task(options);
  plan.rounds = options.most_rounds();
  if (options.stages) {
    plan.refills = true;
    plan.unit = "stage";
  }
  plan.negatives = options.negatives > 0
                       ? options.negatives
                       : static_cast<int>(std::max<std::size_t>(1000, pack.positive_count()));
  plan.magic = kBlockState;
  plan.fingerprint = fingerprint(pack, options, seed);
  return plan;
}

class BlockTrainer final : public RoundTrainer {
 public:
  BlockTrainer(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run,
               const TrainWatcher& watcher)
      : BlockTrainer(pack, options, run, watcher, round_plan(pack, options, run.seed)) {}

  HogCascadeResult train() {
    train_rounds();
    HogCascadeModel trained = HogCascade::parse(model(), "").model();
    trained.card.search = trained_blocks_defaults(trained.window);
    return {HogCascade(std::move(trained)), finished(), ended_early(), stopped(), backend_.name, seconds()};
  }

 private:
  BlockTrainer(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run,
               const TrainWatcher& watcher, const RoundPlan& plan)
      : RoundTrainer(pack, plan, run, watcher),
        pack_(pack),
        options_(options),
        backend_(find_backend(run.machine.backend, kHogCascadeKind)),
        threads_(backend_.threads(run.machine.threads)),
        checkpoint_(run.checkpoint, plan.fingerprint),
        blocks_(list_hog_blocks(options.window, options.grid)) {
    if (blocks_.empty()) refuse("the window is too small for any block");
    check_rounds(pack.positive_count(), plan,
                 BlockSamples::bytes_of_one(options.window, options.grid) +
                     static_cast<std::int64_t>(blocks_.size()) * kHogBlockValues,
                 run);
  }

  bool is_ours(const DetectorModel& model) const override {
    const std::optional<HogCascade> cascade = HogCascade::from(model);
    return cascade && cascade->window() == options_.window && cascade->model().grid == options_.grid &&
           cascade->model().step == options_.step;
  }

  // Returns the round's samples: the positives with the numbers `chosen`, then all negatives.
  BlockSamples gather(const std::vector<std::size_t>& chosen) const {
    const std::size_t positives = chosen.size(), count = negatives();
    BlockSamples samples(options_.window, options_.grid, positives, count);
    share_work(threads_, samples.chunks(), 1, [&](std::size_t, std::size_t chunk) {
      std::vector<std::vector<std::uint8_t>> middles;
      middles.reserve(BlockSamples::kChunk);
      samples.fill(chunk, [&](std::size_t place) -> const std::uint8_t* {
        if (place < positives)
          return middles.emplace_back(middle_roots(pack_.positive(chosen[place]), options_.window)).data();
        if (place < samples.first_negative()) return nullptr;
        const std::size_t i = place - samples.first_negative();
        return i < count ? negative(i) : nullptr;
      });
    });
    return samples;
  }

  // If `options_.stages` is set, returns the blocks of the stages that are closed. Otherwise returns none,
  // because each round learns anew.
  std::vector<HogBlockStage> earlier() const {
    if (!options_.stages || model().empty()) return {};
    return HogCascade::parse(model(), "").model().stages;
  }

  // Returns the numbers of the positives that pass all limits of `earlier`.
  std::vector<std::size_t> positives_left(const std::vector<HogBlockStage>& earlier) const {
    std::vector<std::size_t> all(pack_.positive_count());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (earlier.empty()) return all;
    const std::vector<BlockScore> scores =
        judge_positives(pack_, options_.window, options_.grid, earlier, threads_);
    std::erase_if(all, [&](std::size_t i) { return scores[i].passed < earlier.size(); });
    return all;
  }

  // The largest number of blocks for this round.
  int most_blocks() const {
    if (options_.stages) return options_.stages->max_blocks;
    int stages = options_.max_stages;
    for (int left = options_.rounds - 1 - number(); left > 0; --left) stages /= kShorter;
    return std::max(stages, 1);
  }

  void learn_round() override {
    const auto start = Clock::now();
    const std::vector<HogBlockStage> before = earlier();
    const std::vector<std::size_t> chosen = positives_left(before);
    const std::size_t positives = chosen.size();
    const BlockSamples samples = gather(chosen);
    const MachineOptions& machine = options_of_run().machine;
    const auto learner = find_training<BlockSteps>(backend_.kind, kHogCascadeKind)
                             .make_learner(samples, blocks_, threads_, machine.devices.front());
    BlockBoost boost(samples, positives, negatives(), blocks_, *learner,
                     {options_.blocks_per_round, threads_, options_of_run().seed, number()});
    for (const HogBlockStage& stage : before) boost.add(stage);
    const std::size_t most = before.size() + static_cast<std::size_t>(most_blocks());
    // The blocks that this round has learned itself.
    const auto learned = [&] { return std::span(boost.stages()).subspan(before.size()); };
    if (options_of_run().resume) {
      for (const HogBlockStage& stage : checkpoint_.load(number(), empty_model(options_))) {
        if (boost.stages().size() < most) boost.add(stage);
      }
    }
    const auto save = [&] { checkpoint_.save(number(), {learned().begin(), learned().end()}); };
    auto saved = Clock::now();
    while (boost.stages().size() < most &&
           !(options_.stages && !learned().empty() && is_closed(boost, positives))) {
      if (!boost.add_stage()) {
        if (!learned().empty()) break;
        return end_early(std::string(options_.stages ? "stage " : "round ") + std::to_string(number() + 1) +
                         ": no block tells positives from negatives; are they the same pictures?");
      }
      note(boost, before.size(), positives, start);
      const bool go_on = notify(TrainStep::What::kWeak);
      if (!go_on || seconds_since(saved) > kSaveSeconds) {
        save();
        saved = Clock::now();
      }
      if (!go_on) return;
    }
    save();
    note(boost, before.size(), positives, start);
    if (options_.stages) {
      close_stage(boost, before, positives);
    } else {
      finish(boost, positives);
    }
  }

  // Returns the limit that keeps the wanted hit rate: the stage's if `options_.stages` is set, else the
  // cascade's.
  BlockLimit limit(const BlockBoost& boost, std::size_t positives) const {
    return limit_of(boost.scores(), positives, options_.stages ? options_.stages->min_hit : options_.min_hit);
  }

  bool is_closed(const BlockBoost& boost, std::size_t positives) const {
    return limit(boost, positives).false_alarm <= options_.stages->max_false;
  }

  void note(const BlockBoost& boost, std::size_t before, std::size_t positives, Clock::time_point start) {
    TrainedStage& now = round();
    now.weak = static_cast<int>(boost.stages().size() - before);
    now.positives = static_cast<int>(positives);
    now.negatives = static_cast<int>(negatives());
    now.boosting_seconds = seconds_since(start);
    const BlockLimit found = limit(boost, positives);
    now.hit = found.hit;
    now.false_alarm = found.false_alarm;
  }

  // Ends a stage of several blocks: gives its last block a limit, and removes the negatives that the limit
  // rejects.
  void close_stage(const BlockBoost& boost, const std::vector<HogBlockStage>& before, std::size_t positives) {
    HogCascadeModel model = empty_model(options_);
    model.stages = boost.stages();
    for (std::size_t i = 0; i < model.stages.size(); ++i)
      model.stages[i].min_sum = i < before.size() ? before[i].min_sum : kNoHogLimit;
    model.stages.back().min_sum = model.zero = limit(boost, positives).min_sum;
    std::vector<std::uint8_t> kept(negatives());
    for (std::size_t i = 0; i < kept.size(); ++i)
      kept[i] = boost.scores()[positives + i] >= model.zero ? 1 : 0;
    keep_negatives(kept);
    finish_model(std::move(model));
  }

  void finish(BlockBoost& boost, std::size_t positives) {
    HogCascadeModel model = empty_model(options_);
    model.stages = boost.stages();
    Pruner pruner(boost.scores(), positives, options_.min_hit, {}, kBlockSchedule);
    std::vector<std::int32_t> sums(positives + negatives(), 0), more;
    for (HogBlockStage& stage : model.stages) {
      boost.scores_of(stage, more);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
      stage.min_sum = pruner.next(sums);
    }
    finish_model(std::move(model));
  }

  void finish_model(HogCascadeModel model) {
    const GrayImage mean = mean_positive(pack_, options_.window);
    model.mean.assign(mean.row(0), mean.row(options_.window.height));
    check_hog_cascade(model);
    finish_round(HogCascade(std::move(model)).to_bytes());
  }

  const Pack& pack_;
  HogCascadeOptions options_;
  const BackendTable& backend_;
  int threads_;
  BlockCheckpoint checkpoint_;
  std::vector<HogBlock> blocks_;
};

}  // namespace

void check_training(const HogCascadeOptions& options, const RunOptions& run) {
  find_training<BlockSteps>(find_backend(run.machine.backend, kHogCascadeKind).kind, kHogCascadeKind);
  check_devices(run.machine.devices);
  // `check_hog_cascade` also checks window, grid and step. It requires that the model has a stage, and a
  // default stage fits any window.
  HogCascadeModel model = empty_model(options);
  model.stages.emplace_back();
  try {
    check_hog_cascade(model);
  } catch (const Error& error) {
    refuse(error.sentence());
  }
  if (options.max_stages < 1 || options.max_stages > static_cast<int>(kMaxHogStages))
    refuse("the number of stages must be from 1 to " + std::to_string(kMaxHogStages));
  check_min_hit(options.min_hit);
  if (options.blocks_per_round < 0) refuse("the number of blocks must not be negative");
  if (options.stages) check_stages(*options.stages);
  check_rounds(options.stages ? 1 : options.rounds, options.negatives, run);
}

HogCascadeResult train_hog_cascade(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run,
                                   const TrainWatcher& watcher) {
  check_training(options, run);
  check_middle(pack, options.window);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  return BlockTrainer(pack, options, run, watcher).train();
}

}  // namespace winnow
