// Checks the training of cascades of HOG blocks: the same model on all backends and after breaks, its
// results, and options that are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "base/device/device_for_test.h"
#include "base/folder_for_test.h"
#include "base/random.h"
#include "learn/samples_for_test.h"
#include "model/hog_cascade_model.h"
#include "train/blocks/block_boost.h"
#include "train/blocks/block_scores.h"

namespace winnow {
namespace {

// The negatives contain upper halves of the object, which the model of the first round takes for the object.
const Pack& small_pack() {
  static const Pack pack = [] {
    Pack made = sample::make_sample_pack({26, 26}, 60, 12, 3);
    std::mt19937 random(9);
    for (Pack::Negative& negative : made.negatives) {
      const auto area = static_cast<std::size_t>(negative.size.width) * negative.size.height;
      auto* const pixels =
          reinterpret_cast<std::uint8_t*>(negative.file.data() + negative.file.size() - area);
      const ImageView<std::uint8_t> picture{pixels, negative.size.width, negative.size.height,
                                            negative.size.width};
      for (int i = 0; i < 8; ++i) {
        const int side = 24 + static_cast<int>(random() % 6);
        GrayImage object(side, side);
        sample::draw_object(object.view(), {0, 0, side, side}, random);
        const int x = i % 4 * 38 + 4, y = i / 4 * 50 + 8;
        for (int row = 0; row < side * 6 / 10; ++row) {
          for (int column = 0; column < side; ++column) {
            if (object.row(row)[column] > 0) picture.row(y + row)[x + column] = object.row(row)[column];
          }
        }
      }
    }
    return made;
  }();
  return pack;
}

HogCascadeOptions small_options() {
  HogCascadeOptions options;
  options.window = {24, 24};
  options.step = 4;
  options.rounds = 2;
  options.max_stages = 12;
  options.negatives = 60;
  return options;
}

RunOptions run_on(BackendKind backend, int threads = 1) {
  RunOptions run;
  run.machine.backend = backend;
  run.machine.threads = threads;
  return run;
}

std::string refusal(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run = {}) {
  try {
    train_hog_cascade(pack, options, run);
  } catch (const Error& error) {
    return error.sentence();
  }
  return "no error";
}

TEST(BlockTrainer, BackendsAndThreadsGiveOneModel) {
  const HogCascadeResult wanted =
      train_hog_cascade(small_pack(), small_options(), run_on(BackendKind::kReference));
  EXPECT_EQ(wanted.backend, "reference");
  ASSERT_EQ(wanted.rounds.size(), 2u);
  EXPECT_EQ(wanted.rounds[0].weak, 3);
  EXPECT_EQ(wanted.rounds[1].carried_over, 60);
  EXPECT_EQ(wanted.cascade.model().stages.size(), 12u);
  // The model's mean positive is the mean of the samples' middles.
  const std::vector<std::uint8_t>& mean = wanted.cascade.model().mean;
  ASSERT_EQ(mean.size(), 24u * 24);
  int sum = 0;
  for (std::size_t i = 0; i < small_pack().positive_count(); ++i)
    sum += small_pack().positive(i).row(1 + 7)[1 + 5];
  EXPECT_EQ(mean[7 * 24 + 5], sum / static_cast<int>(small_pack().positive_count()));
  for (const int threads : {1, 3}) {
    const HogCascadeResult got =
        train_hog_cascade(small_pack(), small_options(), run_on(BackendKind::kCpu, threads));
    EXPECT_EQ(wanted.cascade.to_bytes(), got.cascade.to_bytes()) << threads;
  }
  HogCascadeOptions other = small_options();
  other.blocks_per_round = 5;
  EXPECT_NE(train_hog_cascade(small_pack(), other).cascade.to_bytes(), wanted.cascade.to_bytes());
}

#ifdef WINNOW_HAVE_CUDA

// A training on the device gives the model of the backend `reference`, even if the training began on the host
// and continues on the device after a break.
TEST(BlockTrainerCuda, GivesTheModelOfTheReference) {
  WINNOW_NEEDS_DEVICE();
  for (const int drawn : {0, 5}) {
    HogCascadeOptions options = small_options();
    options.blocks_per_round = drawn;
    const HogCascadeResult wanted = train_hog_cascade(small_pack(), options, run_on(BackendKind::kReference));
    const HogCascadeResult got = train_hog_cascade(small_pack(), options, run_on(BackendKind::kCuda, 3));
    EXPECT_EQ(got.backend, "cuda");
    EXPECT_EQ(wanted.cascade.to_bytes(), got.cascade.to_bytes()) << drawn;
    const TestFolder folder;
    RunOptions run = run_on(BackendKind::kCpu);
    run.checkpoint = folder.path();
    run.resume = true;
    bool last = false;
    const HogCascadeResult first = train_hog_cascade(small_pack(), options, run, [&](const TrainStep& step) {
      last = last || step.what == TrainStep::What::kStageDone;
      return !(last && step.what == TrainStep::What::kWeak);
    });
    EXPECT_TRUE(first.stopped);
    run.machine.backend = BackendKind::kCuda;
    EXPECT_EQ(train_hog_cascade(small_pack(), options, run).cascade.to_bytes(), wanted.cascade.to_bytes());
  }
}

#endif  // WINNOW_HAVE_CUDA

TEST(BlockTrainer, FindsWhatItLearned) {
  const HogCascadeResult result = train_hog_cascade(small_pack(), small_options());
  std::mt19937 random(8);
  GrayImage picture = sample::make_noise({120, 100}, 5);
  sample::draw_object(picture.view(), {40, 32, 24, 24}, random);
  sample::draw_object(picture.view(), {84, 68, 24, 24}, random);
  Detector detector(result.cascade);
  DetectOptions options;
  options.raw = true;
  options.min_score = -2;  // twelve stages do not separate well
  const Detections found = detector.detect(picture.view(), options);
  int firsts = 0, seconds = 0;
  for (const Detection& object : found.objects) {
    const bool first = std::abs(object.box.x - 40) < 7 && std::abs(object.box.y - 32) < 7,
               second = std::abs(object.box.x - 84) < 7 && std::abs(object.box.y - 68) < 7;
    EXPECT_TRUE(first || second) << object.box.x << " " << object.box.y;
    firsts += first ? 1 : 0, seconds += second ? 1 : 0;
  }
  EXPECT_GT(firsts, 0);
  EXPECT_GT(seconds, 0);
}

// Trains to the end, with a break after every few steps. Mining begins anew after a break, so each run takes
// more steps than the run before. `too_early` receives the errors of runs that end without a model.
template <class TooEarly>
HogCascadeResult train_with_breaks(const HogCascadeOptions& options, const RunOptions& run,
                                   TooEarly too_early) {
  for (int breaks = 0; breaks < 50; ++breaks) {
    int left = breaks + 2;
    try {
      HogCascadeResult result =
          train_hog_cascade(small_pack(), options, run, [&](const TrainStep&) { return --left > 0; });
      if (result.stopped) continue;
      EXPECT_GT(breaks, 2);
      return result;
    } catch (const Error& error) {
      too_early(error);
    }
  }
  ADD_FAILURE() << "50 breaks, and no end";
  return train_hog_cascade(small_pack(), options);
}

// Breaks after every few stages give the same bytes as no break.
TEST(BlockTrainer, ABreakChangesNothing) {
  const TestFolder folder;
  const std::vector<std::byte> wanted = train_hog_cascade(small_pack(), small_options()).cascade.to_bytes();
  RunOptions run = run_on(BackendKind::kCpu);  // so that steps do not depend on the machine
  run.checkpoint = folder.path();
  run.resume = true;
  const HogCascadeResult got = train_with_breaks(small_options(), run, [](const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
  });
  EXPECT_EQ(got.cascade.to_bytes(), wanted);
  run.resume = false;
  EXPECT_EQ(refusal(small_pack(), small_options(), run),
            "this folder has the state of a training already: resume it, or take another folder");
  run.resume = true;
  HogCascadeOptions other = small_options();
  other.min_hit = 0.9;
  EXPECT_NE(refusal(small_pack(), other, run).find("another training"), std::string::npos);
  std::ofstream(folder.path() + "/stage", std::ios::trunc) << "WNWBLKT1 and no more";
  EXPECT_NE(refusal(small_pack(), small_options(), run).find("no state of a training"), std::string::npos);
}

HogCascadeOptions stage_options() {
  HogCascadeOptions options = small_options();
  options.stages = HogStageOptions{4, 0.95, 0.4, 5};
  return options;
}

// The pack's samples have the size of the model's window. So `judge_positives` and a detector mirror the
// pixels at the same edges.
TEST(BlockTrainer, PositivesAreJudgedAsADetectorJudges) {
  const HogCascadeResult result = train_hog_cascade(small_pack(), stage_options());
  const HogCascadeModel& model = result.cascade.model();
  Pack pack = small_pack();
  pack.window = {24, 24};
  pack.positives.clear();
  for (std::size_t i = 0; i < pack.names.size(); ++i) {
    const GrayView middle = small_pack().positive(i).crop({1, 1, 24, 24});
    for (int y = 0; y < 24; ++y)
      pack.positives.insert(pack.positives.end(), middle.row(y), middle.row(y) + 24);
  }
  const std::vector<BlockScore> scores = judge_positives(pack, {24, 24}, 4, model.stages, 2);
  Detector detector(result.cascade);
  DetectOptions raw;
  raw.raw = true;
  raw.min_score = -1e6;
  std::size_t passed = 0, rejected = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Detections found = detector.detect(pack.positive(i), raw);
    ASSERT_EQ(found.counters.windows, 1);
    const auto reached =
        static_cast<std::size_t>(std::count(found.counters.reached.begin(), found.counters.reached.end(), 1));
    ASSERT_EQ(reached, scores[i].passed + 1) << i;
    ASSERT_EQ(found.objects.empty(), scores[i].passed < model.stages.size()) << i;
    ++(found.objects.empty() ? rejected : passed);
    if (!found.objects.empty()) {
      EXPECT_EQ(found.objects.front().score, static_cast<double>(scores[i].sum - model.zero) / kScoreUnit);
    }
  }
  EXPECT_GT(passed, 0u);
  EXPECT_GT(rejected, 0u);
}

// Only the last block of a stage has a limit. The limit keeps the hit rate among the positives that reach it,
// and rejects enough negatives. The next stage begins with the samples that pass.
TEST(BlockTrainer, StagesAreClosedByTheirRates) {
  const HogCascadeResult wanted =
      train_hog_cascade(small_pack(), stage_options(), run_on(BackendKind::kReference));
  for (const int threads : {1, 3}) {
    const HogCascadeResult got =
        train_hog_cascade(small_pack(), stage_options(), run_on(BackendKind::kCpu, threads));
    EXPECT_EQ(wanted.cascade.to_bytes(), got.cascade.to_bytes()) << threads;
  }
  const HogCascadeModel& model = wanted.cascade.model();
  ASSERT_GE(wanted.rounds.size(), 2u) << wanted.ended_early;
  std::size_t end = 0;
  int left = 60, carried_over = 0;
  bool closed = false;
  for (const TrainedStage& stage : wanted.rounds) {
    EXPECT_EQ(stage.positives, left);
    EXPECT_EQ(stage.carried_over, carried_over);
    EXPECT_LE(stage.negatives, 60);
    EXPECT_GE(stage.hit, 0.95);
    EXPECT_TRUE(stage.false_alarm <= 0.4 || stage.weak == 5) << stage.false_alarm << " " << stage.weak;
    closed |= stage.false_alarm <= 0.4 && stage.weak < 5;
    for (int i = 1; i < stage.weak; ++i) EXPECT_EQ(model.stages[end++].min_sum, kNoHogLimit);
    EXPECT_GT(model.stages[end++].min_sum, kNoHogLimit);
    left = static_cast<int>(std::lround(stage.hit * stage.positives));
    carried_over = static_cast<int>(std::lround(stage.false_alarm * stage.negatives));
  }
  EXPECT_TRUE(closed) << "no stage shows that blocks end early";
  EXPECT_EQ(end, model.stages.size());
  EXPECT_EQ(model.zero, model.stages.back().min_sum);
  EXPECT_NE(left, 60) << "no positive was given up";
  // A training of one stage gives the first stage of a longer training.
  HogCascadeOptions fewer = stage_options();
  fewer.stages->stages = 1;
  const HogCascadeResult first = train_hog_cascade(small_pack(), fewer);
  ASSERT_EQ(first.cascade.model().stages.size(), static_cast<std::size_t>(wanted.rounds[0].weak));
  EXPECT_TRUE(std::equal(first.cascade.model().stages.begin(), first.cascade.model().stages.end(),
                         model.stages.begin()));
  const std::vector<BlockScore> scores = judge_positives(small_pack(), {24, 24}, 4, model.stages, 2);
  EXPECT_EQ(std::count_if(scores.begin(), scores.end(),
                          [&](const BlockScore& score) { return score.passed == model.stages.size(); }),
            left);
}

TEST(BlockTrainer, ABreakWithinAStageChangesNothing) {
  const HogCascadeResult wanted = train_hog_cascade(small_pack(), stage_options());
  const TestFolder folder;
  RunOptions run = run_on(BackendKind::kCpu);  // so that steps do not depend on the machine
  run.checkpoint = folder.path();
  run.resume = true;
  const HogCascadeResult got = train_with_breaks(stage_options(), run, [](const Error& error) {
    EXPECT_EQ(error.sentence(), "stopped before the first stage was done");
  });
  EXPECT_EQ(got.cascade.to_bytes(), wanted.cascade.to_bytes());
  EXPECT_EQ(got.ended_early, wanted.ended_early);
  for (const auto& change : {HogStageOptions{5, 0.95, 0.4, 5}, HogStageOptions{4, 0.95, 0.5, 5},
                             HogStageOptions{4, 0.9, 0.4, 5}, HogStageOptions{4, 0.95, 0.4, 6}}) {
    HogCascadeOptions other = stage_options();
    other.stages = change;
    EXPECT_NE(refusal(small_pack(), other, run).find("another training"), std::string::npos);
  }
  EXPECT_NE(refusal(small_pack(), small_options(), run).find("another training"), std::string::npos);
}

TEST(BlockTrainer, RefusesWhatMakesNoSense) {
  const auto with = [](auto change) {
    HogCascadeOptions options = small_options();
    change(options);
    return refusal(small_pack(), options);
  };
  EXPECT_EQ(with([](auto& o) { o.grid = 3; }), "the grid is 3 pixels, it must be 2, 4 or 8");
  EXPECT_EQ(with([](auto& o) { o.step = 6; }), "windows must lie a multiple of the grid apart");
  EXPECT_EQ(with([](auto& o) { o.rounds = 0; }), "the number of rounds must be from 1 to 20");
  EXPECT_EQ(with([](auto& o) { o.max_stages = 0; }), "the number of stages must be from 1 to 16384");
  EXPECT_EQ(with([](auto& o) { o.negatives = 3; }), "a round needs 10 negatives at least");
  EXPECT_EQ(with([](auto& o) {
              o.window = {32, 32};
            }),
            "the pack's samples of 26x26 are smaller than the window of 32x32");
  EXPECT_EQ(with([](auto& o) { o.window = {8, 8}; }), "the window is too small for any block");
  EXPECT_EQ(with([](auto& o) { o.stages = HogStageOptions{.stages = 0}; }),
            "the number of stages must be from 1 to 200");
  EXPECT_EQ(with([](auto& o) { o.stages = HogStageOptions{.max_false = 1}; }),
            "the largest false alarm rate must be between 0 and 1");
  EXPECT_EQ(with([](auto& o) { o.stages = HogStageOptions{.min_hit = 0.3}; }),
            "the least hit rate must be above 0.5, and at most 1");
  EXPECT_EQ(with([](auto& o) { o.stages = HogStageOptions{.max_blocks = 547}; }),
            "the number of blocks of one of 30 stages must be from 1 to 546");
  RunOptions run;
  run.memory = 1 << 16;
  EXPECT_NE(refusal(small_pack(), small_options(), run).find("more than the memory allowed"),
            std::string::npos);
  Pack one = small_pack();
  one.names.resize(1);
  one.positives.resize(one.positive_bytes());
  EXPECT_EQ(refusal(one, small_options()), "one positive is too few: nothing can be learned from it");
}

TEST(BlockTrainer, ListsOfBlocksNeedAGridAndAWindowThatFit) {
  for (const int grid : {0, -4, 3, 16}) EXPECT_THROW(list_hog_blocks({64, 128}, grid), Error) << grid;
  for (const Size window : {Size{2048, 2048}, Size{1024, 64}, Size{65, 128}, Size{64, -128}})
    EXPECT_THROW(list_hog_blocks(window, 4), Error) << window.width;
  EXPECT_FALSE(list_hog_blocks({1020, 64}, 4).empty());
}

TEST(BlockTrainer, BlocksLieInTheWindowAndEachOnce) {
  for (const int grid : {2, 4, 8}) {
    const std::vector<HogBlock> blocks = list_hog_blocks({64, 128}, grid);
    EXPECT_GT(blocks.size(), 300u);
    std::vector<HogBlock> sorted = blocks;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
    for (const HogBlock& block : blocks) {
      EXPECT_LE((block.x + 2 * block.cell_width) * grid, 64);
      EXPECT_LE((block.y + 2 * block.cell_height) * grid, 128);
      EXPECT_GE(2 * std::min(block.cell_width, block.cell_height) * grid, 12);
    }
  }
}

// The two classes differ along one direction, and noise changes the values along another direction.
TEST(BlockTrainer, SeparateFindsFishersDirection) {
  BlockMoments moments;
  Random random(3);
  constexpr int kSamples = 4000;
  for (int i = 0; i < kSamples; ++i) {
    const bool positive = i % 2 == 0;
    std::int32_t units[kHogBlockValues];
    const double noise = random.bell() * 20;
    for (int k = 0; k < kHogBlockValues; ++k) units[k] = 50 + static_cast<int>(random.bell() * 3);
    // The noise moves two values together, the class moves one of them.
    units[4] += static_cast<int>(noise + (positive ? 8 : 0));
    units[9] += static_cast<int>(noise);
    for (int a = 0; a < kHogBlockValues; ++a) {
      const std::int32_t weighted = weighted_unit(units[a], 256);
      (positive ? moments.up : moments.down)[static_cast<std::size_t>(a)] += weighted;
      for (int b = 0; b <= a; ++b)
        moments.products[static_cast<std::size_t>(a * kHogBlockValues + b)] += weighted * units[b];
    }
  }
  std::array<double, kHogBlockValues> direction{};
  const double up = kSamples / 2 * 256.0;
  const double explained = separate(moments, up, up, direction);
  EXPECT_GT(explained, 0.2);
  EXPECT_GT(direction[4], 0);
  EXPECT_NEAR(direction[9] / direction[4], -1, 0.1);
  for (int k = 0; k < kHogBlockValues; ++k) {
    if (k != 4 && k != 9) {
      EXPECT_LT(std::abs(direction[static_cast<std::size_t>(k)]), 0.1 * direction[4]);
    }
  }
  EXPECT_LT(separate(moments, up, 0, direction), 0);
  EXPECT_LT(separate({}, up, up, direction), 0);
}

}  // namespace
}  // namespace winnow
