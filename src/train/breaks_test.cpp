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

void expect_goes_on(TrainOptions options) {
  const auto wanted = bytes_of(train_cascade(small_pack(), options));
  TestFolder folder;
  options.checkpoint = folder.path();
  options.resume = true;
  int breaks = 0;
  while (true) {
    int own = 0;
    const auto stop_soon = [&](const TrainStep&) { return ++own < 3 + breaks; };
    try {
      const TrainResult result = train_cascade(small_pack(), options, stop_soon);
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
  TrainOptions soft = small_options();
  soft.soft = true;
  soft.stages = 4;
  soft.max_weak = 24;
  expect_goes_on(soft);
  soft.weak = WeakKind::kTable;
  expect_goes_on(soft);
}

TEST(Trainer, MoreStagesMakeItLonger) {
  const TestFolder folder;
  TrainOptions options = small_options();
  options.stages = 4;
  const TrainResult wanted = train_cascade(small_pack(), options);
  ASSERT_EQ(wanted.cascade.model().stages.size(), 4u);
  options.checkpoint = folder.path();
  options.resume = true;
  double mined = 0;  // time at which the last stage's negatives were found; the checkpoint has it
  for (const int stages : {1, 3, 4}) {
    options.stages = stages;
    double first = -1, last = 0;
    const TrainResult result = train_cascade(small_pack(), options, [&](const TrainStep& step) {
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
  options.stages = 2;  // the checkpoint is of the last stage's start
  expect_refused(small_pack(), options, "the state has 3 stages done already, more than the 2 wanted");
}

// A stop by the watcher saves every weak classifier, even less than kSaveSeconds after the last save.
TEST(Trainer, ABreakLosesNothing) {
  const TestFolder folder;
  TrainOptions options = small_options();
  options.max_false = 1e-4;
  options.features_per_round = 2;
  options.checkpoint = folder.path();
  options.resume = true;
  for (const int until : {3, 5}) {
    int first = 0;
    try {
      train_cascade(small_pack(), options, [&](const TrainStep& step) {
        if (step.what == TrainStep::What::kWeak && first == 0) first = step.so_far.weak;
        return step.so_far.weak < until;
      });
      FAIL() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
    }
    EXPECT_EQ(first, until == 3 ? 1 : 3);
  }
  const Checkpoint checkpoint(options.checkpoint, fingerprint(small_pack(), options.cascade(), options.seed));
  std::vector<WeakTree> trees = checkpoint.load_trees(0);
  ASSERT_EQ(trees.size(), 5u);
  while (std::ssize(trees) <= options.max_weak) trees.push_back(trees[0]);
  checkpoint.save(0, trees);
  expect_refused(small_pack(), options, "too many trees");
}

// The length of a round depends on the number of rounds, so finished rounds would not fit a longer cascade.
TEST(Trainer, ASoftCascadeIsNotMadeLonger) {
  const TestFolder folder;
  TrainOptions options = small_options();
  options.soft = true;
  options.max_weak = 16;
  options.stages = 2;
  options.checkpoint = folder.path();
  options.resume = true;
  train_cascade(small_pack(), options);
  options.stages = 3;
  try {
    train_cascade(small_pack(), options);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
  }
}

TEST(Trainer, AnothersCheckpoint) {
  TestFolder folder;
  TrainOptions options = small_options();
  options.stages = 1;
  options.checkpoint = folder.path();
  train_cascade(small_pack(), options);
  options.resume = true;
  options.seed = 2;
  expect_refused(small_pack(), options, "another training");
  options.seed = 1;
  fs::resize_file(fs::path(folder.path()) / "stage", 100);
  expect_refused(small_pack(), options, "checksum");
  std::ofstream(fs::path(folder.path()) / "file") << "x";
  options.checkpoint = (fs::path(folder.path()) / "file").string();
  expect_refused(small_pack(), options, "cannot be made");
}

}  // namespace
}  // namespace winnow
