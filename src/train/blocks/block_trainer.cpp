// Trains cascades of HOG blocks.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "backend/backend.h"
#include "base/count_text.h"
#include "base/share_work.h"
#include "base/simd.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/block_samples.h"
#include "hog/blocks/histograms.h"
#include "hog/hog_steps.h"
#include "model/check.h"
#include "model/hog_cascade_model.h"
#include "train/blocks/block_boost.h"
#include "train/blocks/block_checkpoint.h"
#include "train/mine.h"
#include "train/options.h"
#include "train/prune.h"

namespace winnow {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSaveSeconds = 5;  // between two saves of a round's stages
// The usual least sum. At a sum of 0 a window is as likely the object as not where both are as frequent. In
// pictures, objects are rare.
constexpr std::int32_t kUsualSum = 2 * kScoreUnit;
constexpr int kShorter = 4;  // a round has this part of the next round's stages

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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
  task.rules = {ScaleRule::kOpenCvHog, StepRule::kFixed, options.step,
                MeanRule::kDouble,     WeightRule::kOne, options.grid};
  task.pixels = MineTask::Pixels::kRoots;
  task.border = 1;
  task.needs_contrast = false;
  task.shares = 1;
  return task;
}

// The roots of the middle of a sample, with a border of one pixel.
std::vector<std::uint8_t> middle_of(GrayView sample, Size window) {
  GrayImage roots;
  take_roots(sample, roots);
  const int left = (sample.width - window.width) / 2, top = (sample.height - window.height) / 2;
  std::vector<std::uint8_t> pixels;
  pixels.reserve(static_cast<std::size_t>(window.width + 2) * static_cast<std::size_t>(window.height + 2));
  for (int y = -1; y <= window.height; ++y) {
    const std::uint8_t* row = roots.row(mirrored(top + y, sample.height));
    for (int x = -1; x <= window.width; ++x) pixels.push_back(row[mirrored(left + x, sample.width)]);
  }
  return pixels;
}

class BlockTrainer {
 public:
  BlockTrainer(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run,
               const TrainWatcher& watcher)
      : pack_(pack),
        options_(options),
        run_(run),
        watcher_(watcher),
        backend_(find_backend(run.machine.backend, kHogCascadeKind)),
        threads_(backend_.threads(run.machine.threads)),
        task_(mine_task(options)),
        miner_(pack, task_, run.machine, run.seed),
        checkpoint_(run.checkpoint, fingerprint(pack, options, run.seed)),
        blocks_(list_hog_blocks(options.window, options.grid)) {
    if (options_.negatives == 0)
      options_.negatives = static_cast<int>(std::max<std::size_t>(1000, pack.positive_count()));
    const auto samples =
        static_cast<std::int64_t>(pack.positive_count()) + std::int64_t{options_.negatives} * options_.rounds;
    if (samples > kMostSamples)
      throw Error(ErrorCode::kLimit, "more than " + std::to_string(kMostSamples) + " samples");
    if (blocks_.empty()) refuse("the window is too small for any block");
    // The last round needs most. Its needs are checked first, so that no training ends late.
    check_room(static_cast<std::size_t>(samples), "samples",
               BlockSamples::bytes(options_.window, options_.grid, static_cast<std::size_t>(samples)) +
                   samples * static_cast<std::int64_t>(blocks_.size()) * kHogBlockValues,
               run.memory);
  }

  HogCascadeResult run() {
    begin();
    while (state_.round < options_.rounds && !stopped_ && ended_.empty()) {
      learn_round();
      if (stopped_ || !ended_.empty() || state_.round == options_.rounds) break;
      if (!next_negatives()) break;
      checkpoint_.save(state_);
    }
    if (state_.model.empty()) {
      throw Error(stopped_ ? ErrorCode::kUsage : ErrorCode::kFormat,
                  stopped_ ? "stopped before the first round was done" : ended_);
    }
    HogCascadeResult result{
        HogCascade::parse(state_.model, ""), {}, ended_, stopped_, backend_.name, seconds()};
    result.rounds.assign(state_.rounds.begin(), state_.rounds.begin() + state_.round);
    return result;
  }

 private:
  double seconds() const { return seconds_before_ + seconds_since(start_); }
  TrainedStage& round() { return state_.rounds[static_cast<std::size_t>(state_.round)]; }

  bool tell(TrainStep::What what) {
    if (!watcher_) return true;
    if (!watcher_({what, state_.round, round(), options_.negatives, seconds()})) stopped_ = true;
    return !stopped_;
  }

  void begin() {
    if (run_.resume) {
      if (auto saved = checkpoint_.load_start(task_.bytes())) {
        state_ = std::move(*saved);
        if (state_.round >= options_.rounds || state_.places.size() > static_cast<std::size_t>(kMostSamples))
          throw Error(ErrorCode::kFormat, "this state of a training does not fit the pack", run_.checkpoint);
        if (!state_.model.empty() &&
            !same_form(HogCascade::parse(state_.model, run_.checkpoint).model(), empty_model(options_)))
          throw Error(ErrorCode::kFormat, "this state of a training does not fit the pack", run_.checkpoint);
        miner_.set_position(state_.position);
        seconds_before_ = state_.seconds;
        return;
      }
    } else if (checkpoint_.has_start()) {
      throw Error(ErrorCode::kUsage,
                  "this folder has the state of a training already: resume it, or take another folder",
                  run_.checkpoint);
    }
    state_.rounds.emplace_back();
    if (next_negatives()) checkpoint_.save(state_);
  }

  static bool same_form(const HogCascadeModel& a, const HogCascadeModel& b) {
    return a.window == b.window && a.grid == b.grid && a.step == b.step;
  }

  // Adds windows that pass the model so far to the negatives. Returns false if there are too few, or if the
  // watcher stops.
  bool next_negatives() {
    const auto start = Clock::now();
    std::optional<DetectorModel> so_far;
    if (!state_.model.empty()) so_far.emplace(HogCascade::parse(state_.model, ""));
    Mined mined;
    mined.places = std::move(state_.places);
    mined.pixels = std::move(state_.pixels);
    const std::size_t before = mined.places.size();
    std::vector<MinedPlace> known = mined.places;
    std::sort(known.begin(), known.end());
    const auto note = [&](const Mined& now) {
      round().kept = static_cast<int>(before);
      round().negatives = static_cast<int>(now.places.size());
      round().mined_windows = now.windows;
      round().mining_seconds = seconds_since(start);
    };
    miner_.mine(
        so_far, static_cast<std::size_t>(options_.negatives), known,
        [&](const Mined& now) {
          note(now);
          return tell(TrainStep::What::kMining);
        },
        mined);
    note(mined);
    state_.position = miner_.position();
    state_.seconds = seconds();
    const std::size_t found = mined.places.size() - before;
    state_.places = std::move(mined.places);
    state_.pixels = std::move(mined.pixels);
    if (stopped_) return false;
    if (found >= static_cast<std::size_t>(kLeastNegatives)) return true;
    char windows[32];
    std::snprintf(windows, sizeof(windows), "%.2g", static_cast<double>(round().mined_windows));
    ended_ = "round " + std::to_string(state_.round + 1) + ": " +
             count_text(static_cast<std::int64_t>(found), "false alarm") + " found in " + windows +
             " windows of " + count_text(static_cast<std::int64_t>(miner_.pictures()), "picture") +
             "; more or larger negatives are needed";
    return false;
  }

  BlockSamples gather() const {
    const std::size_t positives = pack_.positive_count(), negatives = state_.places.size();
    BlockSamples samples(options_.window, options_.grid, positives, negatives);
    share_work(threads_, samples.groups(), 1, [&](std::size_t, std::size_t group) {
      std::vector<std::vector<std::uint8_t>> middles;
      middles.reserve(BlockSamples::kGroup);
      samples.fill(group, [&](std::size_t place) -> const std::uint8_t* {
        if (place < positives)
          return middles.emplace_back(middle_of(pack_.positive(place), options_.window)).data();
        if (place < samples.first_negative()) return nullptr;
        const std::size_t i = place - samples.first_negative();
        return i < negatives ? state_.pixels.data() + i * task_.bytes() : nullptr;
      });
    });
    return samples;
  }

  int most_stages() const {
    int stages = options_.max_stages;
    for (int left = options_.rounds - 1 - state_.round; left > 0; --left) stages /= kShorter;
    return std::max(stages, 1);
  }

  void learn_round() {
    const auto start = Clock::now();
    const BlockSamples samples = gather();
    const std::size_t positives = pack_.positive_count(), negatives = state_.places.size();
    const auto learner =
        backend_.make_block_learner(samples, blocks_, threads_, run_.machine.devices.front());
    BlockBoost boost(samples, positives, negatives, blocks_, *learner,
                     {options_.blocks_per_round, threads_, run_.seed, state_.round});
    const auto most = static_cast<std::size_t>(most_stages());
    if (run_.resume) {
      for (const HogBlockStage& stage : checkpoint_.load_stages(state_.round, empty_model(options_))) {
        if (boost.stages().size() < most) boost.add(stage);
      }
    }
    auto saved = Clock::now();
    while (boost.stages().size() < most) {
      if (!boost.add_stage()) {
        if (boost.stages().empty())
          ended_ = "round " + std::to_string(state_.round + 1) +
                   ": no block tells positives from negatives; are they the same pictures?";
        break;
      }
      note(boost, positives, negatives, start);
      const bool go_on = tell(TrainStep::What::kWeak);
      if (!go_on || seconds_since(saved) > kSaveSeconds) {
        checkpoint_.save(state_.round, boost.stages());
        saved = Clock::now();
      }
      if (!go_on) return;
    }
    if (!ended_.empty()) return;
    checkpoint_.save(state_.round, boost.stages());
    note(boost, positives, negatives, start);
    finish(boost, positives, negatives);
  }

  // The part of the negatives whose sum is that of the weakest positive that `min_hit` wants, or more.
  void note(const BlockBoost& boost, std::size_t positives, std::size_t negatives, Clock::time_point start) {
    TrainedStage& now = round();
    now.weak = static_cast<int>(boost.stages().size());
    now.positives = static_cast<int>(positives);
    now.negatives = static_cast<int>(negatives);
    now.boosting_seconds = seconds_since(start);
    std::vector<std::int32_t> sums(boost.scores().begin(),
                                   boost.scores().begin() + static_cast<std::ptrdiff_t>(positives));
    const auto lost =
        std::min(static_cast<std::size_t>((1 - options_.min_hit) * static_cast<double>(positives) + 1e-9),
                 positives - 1);
    const auto place = sums.begin() + static_cast<std::ptrdiff_t>(lost);
    std::nth_element(sums.begin(), place, sums.end());
    const auto passes = [&](std::int32_t score) { return score >= *place; };
    const auto first_negative = boost.scores().begin() + static_cast<std::ptrdiff_t>(positives);
    now.hit = static_cast<double>(std::count_if(boost.scores().begin(), first_negative, passes)) /
              static_cast<double>(positives);
    now.false_alarm = static_cast<double>(std::count_if(first_negative, boost.scores().end(), passes)) /
                      static_cast<double>(negatives);
  }

  void finish(BlockBoost& boost, std::size_t positives, std::size_t negatives) {
    HogCascadeModel model = empty_model(options_);
    model.stages = boost.stages();
    Pruner pruner(boost.scores(), positives, options_.min_hit, {}, kBlocks);
    std::vector<std::int32_t> sums(positives + negatives, 0), more;
    for (HogBlockStage& stage : model.stages) {
      boost.scores_of(stage, more);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
      stage.least = pruner.next(sums);
    }
    check_hog_cascade(model);
    state_.model = HogCascade(model).to_bytes();
    tell(TrainStep::What::kStageDone);
    ++state_.round;
    state_.rounds.emplace_back();
  }

  const Pack& pack_;
  HogCascadeOptions options_;
  const RunOptions run_;
  const TrainWatcher& watcher_;
  const BackendTable& backend_;
  int threads_;
  MineTask task_;
  Miner miner_;
  BlockCheckpoint checkpoint_;
  std::vector<HogBlock> blocks_;
  BlockRoundStart state_;
  bool stopped_ = false;
  std::string ended_;
  double seconds_before_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

void check_training(const HogCascadeOptions& options, const RunOptions& run) {
  const BackendTable& backend = find_backend(run.machine.backend, kHogCascadeKind);
  if (backend.make_block_learner == nullptr)
    throw Error(ErrorCode::kBackend, std::string("the backend ") + backend.name +
                                         " does not train cascades of HOG blocks; cpu does");
  check_devices(run.machine.devices);
  // What the model's own check says about its form, about a stage that any window has.
  HogCascadeModel model = empty_model(options);
  model.stages.emplace_back();
  try {
    check_hog_cascade(model);
  } catch (const Error& error) {
    refuse(error.sentence());
  }
  if (options.rounds < 1 || options.rounds > 20) refuse("the number of rounds must be from 1 to 20");
  if (options.max_stages < 1 || options.max_stages > static_cast<int>(kMaxHogStages))
    refuse("the number of stages must be from 1 to " + std::to_string(kMaxHogStages));
  check_min_hit(options.min_hit);
  if (options.negatives < 0) refuse("the number of negatives must not be negative");
  if (options.negatives > 0 && options.negatives < kLeastNegatives)
    refuse("a round needs " + std::to_string(kLeastNegatives) + " negatives at least");
  if (options.blocks_per_round < 0) refuse("the number of blocks must not be negative");
  check_means(run);
  if (run.resume && run.checkpoint.empty()) refuse("to go on, the folder of the state is needed");
}

HogCascadeResult train_hog_cascade(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run,
                                   const TrainWatcher& watcher) {
  check_training(options, run);
  check_middle(pack, options.window);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  return BlockTrainer(pack, options, run, watcher).run();
}

}  // namespace winnow
