#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/folder_for_test.h"
#include "train/checkpoint.h"
#include "train/trainer_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using sample::bytes_of;
using sample::expect_refused;
using sample::small_options;
using sample::small_pack;
using sample::small_run;

RunOptions resumed_in(const TestFolder& folder) {
  RunOptions run = small_run();
  run.checkpoint = folder.path();
  run.resume = true;
  return run;
}

void expect_goes_on(const CascadeOptions& options) {
  const auto wanted = bytes_of(train_cascade(small_pack(), options, small_run()));
  const TestFolder folder;
  const RunOptions run = resumed_in(folder);
  int breaks = 0;
  while (true) {
    int own = 0;
    const auto stop_soon = [&](const TrainStep&) { return ++own < 3 + breaks; };
    try {
      const TrainResult result = train_cascade(small_pack(), options, run, stop_soon);
      if (!result.stopped) {
        EXPECT_EQ(bytes_of(result), wanted);
        break;
      }
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUsage) << error.what();
    }
    ASSERT_LT(++breaks, 200);
  }
  EXPECT_GT(breaks, 3);
}

TEST(Trainer, GoesOnAfterAnyBreak) {
  expect_goes_on(small_options());
  CascadeOptions soft = small_options();
  soft.form = SoftOptions{.rounds = 4, .min_hit = 0.995, .max_weak = 24};
  expect_goes_on(soft);
  soft.weak = WeakKind::kTable;
  expect_goes_on(soft);
}

TEST(Trainer, MoreStagesMakeItLonger) {
  const TestFolder folder;
  const RunOptions run = resumed_in(folder);
  CascadeOptions options = small_options();
  options.form = StageOptions{.stages = 4};
  const TrainResult wanted = train_cascade(small_pack(), options, small_run());
  ASSERT_EQ(wanted.cascade.model().stages.size(), 4u);
  double mined = 0;  // training seconds in the checkpoint, which was saved after the last mining
  for (const int stages : {1, 3, 4}) {
    options.form = StageOptions{.stages = stages};
    double first = -1, last = 0;
    const TrainResult result = train_cascade(small_pack(), options, run, [&](const TrainStep& step) {
      if (first < 0) first = step.seconds;
      if (step.what == TrainStep::What::kMining) last = step.seconds;
      return true;
    });
    EXPECT_GT(first, mined) << "time before a break is counted, too";
    mined = std::max(mined, last);
    EXPECT_EQ(result.cascade.model().stages.size(), static_cast<std::size_t>(stages));
    if (stages == 4) {
      EXPECT_EQ(bytes_of(result), bytes_of(wanted));
    }
  }
  options.form = StageOptions{.stages = 2};  // the checkpoint holds the start of the last stage
  expect_refused(small_pack(), options, "the state has 3 stages done already, more than the 2 wanted", run);
}

// A stop by the watcher saves every weak classifier, even less than kSaveSeconds after the last save.
TEST(Trainer, ABreakLosesNothing) {
  const TestFolder folder;
  const RunOptions run = resumed_in(folder);
  CascadeOptions options = small_options();
  options.form = StageOptions{.stages = 5, .max_false = 1e-4};
  options.features_per_round = 2;
  for (const int until : {3, 5}) {
    int first = 0;
    try {
      train_cascade(small_pack(), options, run, [&](const TrainStep& step) {
        if (step.what == TrainStep::What::kWeak && first == 0) first = step.so_far.weak;
        return step.so_far.weak < until;
      });
      FAIL() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
    }
    EXPECT_EQ(first, until == 3 ? 1 : 3);
  }
  const Checkpoint checkpoint(run.checkpoint, fingerprint(small_pack(), options, run.seed));
  std::vector<WeakTree> trees = checkpoint.load_trees(0);
  ASSERT_EQ(trees.size(), 5u);
  while (std::ssize(trees) <= options.max_weak()) trees.push_back(trees[0]);
  checkpoint.save(0, trees);
  expect_refused(small_pack(), options, "too many trees", run);
}

// The length of a round depends on the number of rounds, so finished rounds would not fit a longer cascade.
TEST(Trainer, ASoftCascadeIsNotMadeLonger) {
  const TestFolder folder;
  const RunOptions run = resumed_in(folder);
  CascadeOptions options = small_options();
  SoftOptions soft{.rounds = 2, .min_hit = 0.995, .max_weak = 16};
  options.form = soft;
  train_cascade(small_pack(), options, run);
  soft.rounds = 3;
  options.form = soft;
  try {
    train_cascade(small_pack(), options, run);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
  }
}

TEST(Trainer, AnothersCheckpoint) {
  const TestFolder folder;
  RunOptions run = small_run();
  run.checkpoint = folder.path();
  CascadeOptions options = small_options();
  options.form = StageOptions{.stages = 1};
  train_cascade(small_pack(), options, run);
  run.resume = true;
  run.seed = 2;
  expect_refused(small_pack(), options, "another training", run);
  run.seed = 1;
  fs::resize_file(fs::path(folder.path()) / "stage", 100);
  expect_refused(small_pack(), options, "checksum", run);
  std::ofstream(fs::path(folder.path()) / "file") << "x";
  run.checkpoint = (fs::path(folder.path()) / "file").string();
  expect_refused(small_pack(), options, "cannot be made", run);
}

}  // namespace
}  // namespace winnow
