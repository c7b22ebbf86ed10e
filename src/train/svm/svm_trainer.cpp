// Trains linear SVMs over histograms of oriented gradients.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

#include <winnow/describe.h>
#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "backend/backend.h"
#include "base/random.h"
#include "base/share_work.h"
#include "base/simd.h"
#include "hog/hog_steps.h"
#include "model/hog_model.h"
#include "train/checkpoint.h"
#include "train/options.h"
#include "train/rounds.h"
#include "train/svm/linear_svm.h"
#include "train/svm/mirror.h"
#include "train/svm/working_point.h"
#include "train/trained_defaults.h"

namespace winnow {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kMagic = 0x314d5653474f4857;  // "WHOGSVM1"

// The width of the border around a sample's window, in pixels. It is one block stride, so that the blocks of
// the bordered sample include the blocks of the window.
int border_of(const HogShape& shape) {
  return shape.block_stride.width == shape.block_stride.height ? shape.block_stride.width : 0;
}

MineTask mine_task(const Pack& pack, const HogSvmOptions& options) {
  MineTask task;
  task.window = options.shape.window;
  task.kind = kHogSvmKind;
  task.rules = HogSvmBody::rules_of(options.shape);
  task.color = pack.color && options.colors != HogColors::kLeave;
  task.gray_too = options.colors == HogColors::kBoth;
  task.border = border_of(options.shape);
  task.needs_contrast = false;
  task.min_score = options.hard;
  task.cap_factor = 1;
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
              options.negatives, options.squared, options.symmetric, options.colors, seed);
}

RoundPlan round_plan(const Pack& pack, const HogSvmOptions& options, std::uint64_t seed) {
  RoundPlan plan;
  plan.task = mine_task(pack, options);
  plan.rounds = options.rounds;
  plan.negatives = options.negatives > 0
                       ? options.negatives
                       : static_cast<int>(std::max<std::size_t>(1000, 2 * pack.positive_count()));
  plan.magic = kMagic;
  plan.fingerprint = fingerprint(pack, options, seed);
  return plan;
}

class SvmTrainer final : public RoundTrainer {
 public:
  SvmTrainer(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
             const TrainWatcher& watcher)
      : SvmTrainer(pack, options, run, watcher, round_plan(pack, options, run.seed)) {}

  HogSvmResult train() {
    train_rounds();
    HogSvm svm = HogSvm::parse(model(), "");
    if (!stopped() && options_.false_alarms > 0)
      svm = set_working_point(svm, pack_, color_, options_.false_alarms, options_of_run().machine,
                              [&] { return notify(TrainStep::What::kMining); });
    HogSvmModel trained = svm.model();
    trained.card.search = trained_svm_defaults(options_.shape.window);
    return {HogSvm(std::move(trained)), finished(), ended_early(), stopped(), backend_.name, seconds()};
  }

 private:
  SvmTrainer(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
             const TrainWatcher& watcher, const RoundPlan& plan)
      : RoundTrainer(pack, plan, run, watcher),
        pack_(pack),
        options_(options),
        mined_(plan.task.mined()),
        color_(plan.task.color),
        times_(plan.task.gray_too ? 2 : 1),
        backend_(find_backend(run.machine.backend, kHogSvmKind)),
        threads_(backend_.threads(run.machine.threads)) {
    const std::size_t length =
        options.symmetric ? MirrorFold(options.shape).length() : options.shape.values();
    check_rounds(pack.positive_count(), plan,
                 static_cast<std::int64_t>(times_ * length * sizeof(std::int16_t)), run);
    // Reserves memory for the rows of all rounds. The system provides pages only when they are written.
    values_.reserve(times_ * length *
                    (pack.positive_count() +
                     static_cast<std::size_t>(plan.negatives) * static_cast<std::size_t>(plan.rounds)));
  }

  bool is_ours(const DetectorModel& model) const override {
    const std::optional<HogSvm> svm = HogSvm::from(model);
    return svm && svm->model().shape == options_.shape;
  }

  // Writes the values of row `i`. The rows of positives come first, then those of negatives in the order in
  // which they were mined. A sample has `times_` rows.
  void describe_row(std::size_t i, std::int16_t* row) const {
    const std::size_t positives = pack_.positive_count();
    const bool positive = i < times_ * positives;
    const std::size_t sample = positive ? i / times_ : i / times_ - positives;
    const bool in_color = color_ && i % times_ == 0;
    if (positive) {
      describe({pack_.positive(sample), in_color ? pack_.positive_color(sample) : RgbView{}}, row);
      return;
    }
    const std::uint8_t* pixels = negative(sample);
    // A model that reads colour takes only the size of this grey view.
    const GrayView gray{pixels, mined_.width, mined_.height, mined_.width};
    const RgbView color{reinterpret_cast<const Rgb*>(pixels), mined_.width, mined_.height,
                        static_cast<std::ptrdiff_t>(sizeof(Rgb)) * mined_.width};
    if (color_ && !in_color) {
      const GrayImage made = to_gray(color);
      describe(made.view(), row);
    } else {
      describe({gray, in_color ? color : RgbView{}}, row);
    }
  }

  // Writes the HOG values of the window in the middle of a sample.
  void describe(const PictureView& sample, std::int16_t* row) const {
    const Size window = options_.shape.window;
    const Size size = sample.size();
    const int left = (size.width - window.width) / 2, top = (size.height - window.height) / 2;
    const int step = border_of(options_.shape);
    const int border = step > 0 && left >= step && top >= step ? step : 0;
    const WindowValues values = describe_windows(
        sample.crop({left - border, top - border, window.width + 2 * border, window.height + 2 * border}),
        options_.shape);
    const std::span<const float> here = border > 0 ? values.at(1, 1) : values.at(0, 0);
    for (std::size_t k = 0; k < here.size(); ++k)
      row[k] = static_cast<std::int16_t>(std::lrint(here[k] * (1 << kHogValueBits)));
  }

  void learn_round() override {
    const auto start = Clock::now();
    const std::size_t positives = times_ * pack_.positive_count(), count = positives + times_ * negatives();
    const std::optional<MirrorFold> fold =
        options_.symmetric ? std::optional<MirrorFold>(options_.shape) : std::nullopt;
    const std::size_t length = fold ? fold->length() : options_.shape.values();
    const std::size_t known = values_.size() / length;  // rows of earlier rounds
    values_.resize(count * length);
    share_work(threads_, count - known, 8, [&](std::size_t, std::size_t at) {
      const std::size_t i = known + at;
      std::int16_t* const row = values_.data() + i * length;
      if (!fold) {
        describe_row(i, row);
        return;
      }
      std::vector<std::int16_t> whole(options_.shape.values());
      describe_row(i, whole.data());
      fold->fold(whole.data(), row);
    });
    const SvmRows rows{values_, length, positives};
    TrainedStage& now = round();
    now.positives = static_cast<int>(pack_.positive_count());
    now.negatives = static_cast<int>(negatives());
    // An error on a positive costs as much as an error on a negative. With a cost for positives that grew
    // with the number of hard negatives, windows without the object scored higher. At 1e-4 false positives
    // per window, 17.7 % of the objects were then missed instead of 15.6 %.
    const SvmRules rules{options_.cost, options_.cost, 0.02, options_.squared, 500, options_of_run().seed};
    const SvmSolution solution = solve_svm(rows, rules, [&](int passes) {
      now.weak = passes;
      now.boosting_seconds = seconds_since(start);
      return notify(TrainStep::What::kWeak);
    });
    if (stopped()) return;
    now.weak = solution.passes;
    std::vector<std::uint8_t> passes(count);
    share_work(threads_, count, 64, [&](std::size_t, std::size_t i) {
      passes[i] = row_score(rows.row(i), solution.weights) + solution.bias >= 0 ? 1 : 0;
    });
    const auto fraction = [&](std::size_t begin, std::size_t end) {
      return static_cast<double>(std::count(passes.begin() + static_cast<std::ptrdiff_t>(begin),
                                            passes.begin() + static_cast<std::ptrdiff_t>(end), 1)) /
             static_cast<double>(end - begin);
    };
    now.hit = fraction(0, positives);
    now.false_alarm = fraction(positives, count);
    now.boosting_seconds = seconds_since(start);
    HogSvmModel model;
    model.shape = options_.shape;
    model.weights = fold ? fold->unfold(solution.weights) : solution.weights;
    model.bias = static_cast<double>(static_cast<float>(solution.bias));  // OpenCV's files store a float
    finish_round(HogSvm(std::move(model)).to_bytes(HogFormat::kWinnow));
  }

  const Pack& pack_;
  HogSvmOptions options_;
  Size mined_;
  bool color_;
  std::size_t times_;                 // rows per sample
  std::vector<std::int16_t> values_;  // the values of all rows, row after row
  const BackendTable& backend_;
  int threads_;
};

}  // namespace

const char* hog_colors_name(HogColors colors) {
  return colors == HogColors::kUse ? "use" : colors == HogColors::kLeave ? "leave" : "both";
}

HogColors parse_hog_colors(const std::string& name) {
  for (const HogColors colors : {HogColors::kUse, HogColors::kLeave, HogColors::kBoth}) {
    if (name == hog_colors_name(colors)) return colors;
  }
  refuse("colors are use, leave or both, not \"" + name + "\"");
}

void check_training(const HogSvmOptions& options, const RunOptions& run) {
  find_backend(run.machine.backend, kHogSvmKind);
  check_devices(run.machine.devices);
  try {
    check_hog_shape(options.shape);
  } catch (const Error& error) {
    refuse(error.sentence());
  }
  if (options.symmetric && !has_mirrored_bins(options.shape))
    refuse("symmetric weights over directed gradients need an even number of bins");
  if (!(options.cost >= 1e-6 && options.cost <= 1e6)) refuse("the cost must be from 1e-6 to 1e6");
  if (!(options.hard >= -1000 && options.hard <= 1000)) refuse("the hard score must be from -1000 to 1000");
  if (!(options.false_alarms >= 0 && options.false_alarms <= 0.5))
    refuse("false alarms per window must be from 0 to 0.5");
  check_rounds(options.rounds, options.negatives, run);
}

HogSvmResult train_hog_svm(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
                           const TrainWatcher& watcher) {
  check_training(options, run);
  check_middle(pack, options.shape.window);
  if (options.colors == HogColors::kBoth && !pack.color)
    refuse("to learn samples in colour and in grey, the pack needs colours (--color of winnow train pack)");
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  return SvmTrainer(pack, options, run, watcher).train();
}

}  // namespace winnow
