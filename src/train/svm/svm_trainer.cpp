// Trains linear SVMs over histograms of oriented gradients.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <winnow/describe.h>
#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "backend/backend.h"
#include "base/count_text.h"
#include "base/random.h"
#include "base/share_work.h"
#include "base/simd.h"
#include "base/size_text.h"
#include "hog/hog_steps.h"
#include "model/hog_model.h"
#include "train/checkpoint.h"
#include "train/mine.h"
#include "train/options.h"
#include "train/state_file.h"
#include "train/svm/linear_svm.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kMagic = 0x314d5653474f4857;  // "WHOGSVM1"

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The border of samples: blocks of a sample with this border lie where those of the window lie.
int border_of(const HogShape& shape) {
  return shape.block_stride.width == shape.block_stride.height ? shape.block_stride.width : 0;
}

MineTask mine_task(const HogSvmOptions& options) {
  MineTask task;
  task.window = options.shape.window;
  task.kind = kHogSvmKind;
  task.rules = HogSvmBody::rules_of(options.shape);
  task.border = border_of(options.shape);
  task.needs_contrast = false;
  task.least_score = options.hard;
  task.shares = 1;
  return task;
}

std::uint64_t fingerprint(const Pack& pack, const HogSvmOptions& options, std::uint64_t seed) {
  const HogShape& shape = options.shape;
  const double numbers[] = {shape.sigma, shape.clip, options.cost, options.hard};
  std::uint64_t bits[4];
  std::memcpy(bits, numbers, sizeof(bits));
  return hash(hash_pack(pack), shape.window.width, shape.window.height, shape.block.width, shape.block.height,
              shape.block_stride.width, shape.block_stride.height, shape.cell.width, shape.cell.height,
              shape.bins, shape.directed, shape.gamma, bits[0], bits[1], bits[2], bits[3], options.rounds,
              options.negatives, seed);
}

struct SvmState {
  std::int32_t round = 0;
  std::vector<std::byte> model;  // of the round before; empty in the first round
  std::vector<TrainedStage> rounds;
  std::vector<MinedPlace> places;
  std::vector<std::uint8_t> pixels;
  std::uint64_t position = 0;
  double seconds = 0;
};

class SvmTrainer {
 public:
  SvmTrainer(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
             const TrainWatcher& watcher)
      : pack_(pack),
        options_(options),
        run_(run),
        watcher_(watcher),
        backend_(find_backend(run.machine.backend, kHogSvmKind)),
        threads_(threads_for_samples()),
        task_(mine_task(options)),
        miner_(pack, task_, run.machine, run.seed),
        fingerprint_(fingerprint(pack, options, run.seed)) {
    if (options_.negatives == 0)
      options_.negatives = static_cast<int>(std::max<std::size_t>(1000, 2 * pack.positive_count()));
    const auto samples =
        static_cast<std::int64_t>(pack.positive_count()) + std::int64_t{options_.negatives} * options_.rounds;
    if (samples > kMostSamples)
      throw Error(ErrorCode::kLimit, "more than " + std::to_string(kMostSamples) + " samples");
    check_room(static_cast<std::size_t>(samples), "samples",
               samples * static_cast<std::int64_t>(2 * options.shape.values()), run.memory);
    if (!run.checkpoint.empty()) make_state_folder(run.checkpoint);
  }

  HogSvmResult run() {
    begin();
    while (state_.round < options_.rounds && !stopped_ && ended_.empty()) {
      learn_round();
      if (stopped_ || state_.round == options_.rounds) break;
      if (!next_negatives()) break;
      save();
    }
    if (state_.model.empty()) {
      throw Error(stopped_ ? ErrorCode::kUsage : ErrorCode::kFormat,
                  stopped_ ? "stopped before the first round was done" : ended_);
    }
    HogSvmResult result{HogSvm::parse(state_.model, ""), {}, ended_, stopped_, backend_.name, seconds()};
    result.rounds.assign(state_.rounds.begin(), state_.rounds.begin() + state_.round);
    return result;
  }

 private:
  int threads_for_samples() const {
    return find_backend(run_.machine.backend, kHogSvmKind).threads(run_.machine.threads);
  }
  double seconds() const { return seconds_before_ + seconds_since(start_); }
  TrainedStage& round() { return state_.rounds[static_cast<std::size_t>(state_.round)]; }
  std::string path() const { return (fs::path(run_.checkpoint) / "stage").string(); }

  bool tell(TrainStep::What what) {
    if (!watcher_) return true;
    if (!watcher_({what, state_.round, round(), options_.negatives, seconds()})) stopped_ = true;
    return !stopped_;
  }

  void save() const {
    if (run_.checkpoint.empty()) return;
    StateWriter out;
    out.put(kMagic);
    out.put(fingerprint_);
    out.put(state_.round);
    out.put_list(state_.model);
    put_stages(out, state_.rounds);
    out.put_list(state_.places);
    out.put_list(state_.pixels);
    out.put(state_.position);
    out.put(state_.seconds);
    out.write(path());
  }

  bool load() {
    if (!is_state_file(path())) return false;
    StateReader in(path());
    if (in.get<std::uint64_t>() != kMagic) in.fail("another version wrote it, or something else");
    if (in.get<std::uint64_t>() != fingerprint_) refuse_other_state(path());
    state_.round = in.get<std::int32_t>();
    state_.model = in.get_list<std::byte>();
    state_.rounds = get_stages(in);
    state_.places = in.get_list<MinedPlace>();
    state_.pixels = in.get_list<std::uint8_t>();
    state_.position = in.get<std::uint64_t>();
    state_.seconds = in.get<double>();
    if (state_.round < 0 || state_.round >= options_.rounds ||
        state_.rounds.size() != static_cast<std::size_t>(state_.round) + 1 ||
        state_.model.empty() != (state_.round == 0) ||
        state_.places.size() > static_cast<std::size_t>(kMostSamples) ||
        state_.pixels.size() != state_.places.size() * task_.bytes() ||
        (!state_.model.empty() && HogSvm::parse(state_.model, path()).model().shape != options_.shape))
      in.fail("it makes no sense");
    return true;
  }

  void begin() {
    if (run_.resume) {
      if (load()) {
        miner_.set_position(state_.position);
        seconds_before_ = state_.seconds;
        return;
      }
    } else if (!run_.checkpoint.empty() && is_state_file(path())) {
      throw Error(ErrorCode::kUsage,
                  "this folder has the state of a training already: resume it, or take another folder",
                  run_.checkpoint);
    }
    state_ = {};
    state_.rounds.emplace_back();
    if (next_negatives()) save();
  }

  // Adds windows that pass the model so far. Returns false if there are too few, or if the watcher stops.
  bool next_negatives() {
    const auto start = Clock::now();
    std::optional<DetectorModel> so_far;
    if (!state_.model.empty()) so_far.emplace(HogSvm::parse(state_.model, ""));
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

  // Describes the window in the middle of a sample.
  void describe(GrayView sample, std::int16_t* row) const {
    const Size window = options_.shape.window;
    const int left = (sample.width - window.width) / 2, top = (sample.height - window.height) / 2;
    const int stride = border_of(options_.shape);
    const int border = stride > 0 && left >= stride && top >= stride ? stride : 0;
    const GrayView part{sample.row(top - border) + left - border, window.width + 2 * border,
                        window.height + 2 * border, sample.stride};
    const WindowValues values = describe_windows(part, options_.shape);
    const std::span<const float> here = border > 0 ? values.at(1, 1) : values.at(0, 0);
    for (std::size_t k = 0; k < here.size(); ++k)
      row[k] = static_cast<std::int16_t>(std::lrint(here[k] * (1 << kHogValueBits)));
  }

  void learn_round() {
    const auto start = Clock::now();
    const std::size_t positives = pack_.positive_count(), count = positives + state_.places.size(),
                      length = options_.shape.values();
    std::vector<std::int16_t> values(count * length);
    share_work(threads_, count, 8, [&](std::size_t, std::size_t i) {
      const Size mined = task_.mined();
      describe(i < positives ? pack_.positive(i)
                             : GrayView{state_.pixels.data() + (i - positives) * task_.bytes(), mined.width,
                                        mined.height, mined.width},
               values.data() + i * length);
    });
    const SvmRows rows{values, length, positives};
    TrainedStage& now = round();
    now.positives = static_cast<int>(positives);
    now.negatives = static_cast<int>(count - positives);
    // A positive costs no more than a negative. Raised to the number of hard negatives, its cost made windows
    // without the object score higher: 17.7 % misses at 1e-4 in place of 15.6 %.
    const SvmRules rules{options_.cost, options_.cost, 0.02, 500, run_.seed};
    const SvmSolution solution = solve_svm(rows, rules, [&](int passes) {
      now.weak = passes;
      now.boosting_seconds = seconds_since(start);
      return tell(TrainStep::What::kWeak);
    });
    if (stopped_) return;
    now.weak = solution.passes;
    std::vector<std::uint8_t> passes(count);
    share_work(threads_, count, 64, [&](std::size_t, std::size_t i) {
      passes[i] = row_score(rows.row(i), solution.weights) + solution.bias >= 0 ? 1 : 0;
    });
    const auto part = [&](std::size_t begin, std::size_t end) {
      return static_cast<double>(std::count(passes.begin() + static_cast<std::ptrdiff_t>(begin),
                                            passes.begin() + static_cast<std::ptrdiff_t>(end), 1)) /
             static_cast<double>(end - begin);
    };
    now.hit = part(0, positives);
    now.false_alarm = part(positives, count);
    now.boosting_seconds = seconds_since(start);
    HogSvmModel model;
    model.shape = options_.shape;
    model.weights = solution.weights;
    model.bias = static_cast<double>(static_cast<float>(solution.bias));  // OpenCV's files have a float
    state_.model = HogSvm(std::move(model)).to_bytes(HogFormat::kWinnow);
    tell(TrainStep::What::kStageDone);
    ++state_.round;
    state_.rounds.emplace_back();
  }

  const Pack& pack_;
  HogSvmOptions options_;
  const RunOptions run_;
  const TrainWatcher& watcher_;
  const BackendTable& backend_;
  int threads_;
  MineTask task_;
  Miner miner_;
  std::uint64_t fingerprint_;
  SvmState state_;
  bool stopped_ = false;
  std::string ended_;
  double seconds_before_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

void check_training(const HogSvmOptions& options, const RunOptions& run) {
  find_backend(run.machine.backend, kHogSvmKind);
  check_devices(run.machine.devices);
  try {
    check_hog_shape(options.shape);
  } catch (const Error& error) {
    refuse(error.sentence());
  }
  if (options.rounds < 1 || options.rounds > 20) refuse("the number of rounds must be from 1 to 20");
  if (!(options.cost >= 1e-6 && options.cost <= 1e6)) refuse("the cost must be from 1e-6 to 1e6");
  if (!(options.hard >= -1000 && options.hard <= 1000)) refuse("the hard score must be from -1000 to 1000");
  if (options.negatives < 0) refuse("the number of negatives must not be negative");
  if (options.negatives > 0 && options.negatives < kLeastNegatives)
    refuse("a round needs " + std::to_string(kLeastNegatives) + " negatives at least");
  check_means(run);
  if (run.resume && run.checkpoint.empty()) refuse("to go on, the folder of the state is needed");
}

HogSvmResult train_hog_svm(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
                           const TrainWatcher& watcher) {
  check_training(options, run);
  check_middle(pack, options.shape.window);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  return SvmTrainer(pack, options, run, watcher).run();
}

}  // namespace winnow
