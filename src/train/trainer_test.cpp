#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/device_for_test.h"
#include "base/folder_for_test.h"
#include "train/samples_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::make_noise;
using testing::make_sample_pack;

TrainOptions small_options() {
  TrainOptions options;
  options.stages = 5;
  options.negatives = 300;
  options.features_per_round = 400;
  options.backend = BackendKind::kCpu;
  options.threads = 2;
  return options;
}

const Pack& small_pack() {
  static const Pack pack = make_sample_pack({16, 16}, 80, 20, 1);
  return pack;
}

std::vector<std::byte> bytes_of(const TrainResult& result) {
  return result.cascade.to_bytes(CascadeFormat::kWinnow);
}

void expect_refused(const Pack& pack, const TrainOptions& options, const std::string& part) {
  try {
    train_cascade(pack, options);
    ADD_FAILURE() << "not refused: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// Every kind of features with every kind of boosting, weak classifier and sum.
std::vector<TrainOptions> kinds_of_options() {
  std::vector<TrainOptions> kinds;
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    for (const BoostKind boost : {BoostKind::kGentle, BoostKind::kReal, BoostKind::kDiscrete}) {
      TrainOptions options = small_options();
      options.features = set;
      options.boost = boost;
      options.stages = 3;
      options.depth = boost == BoostKind::kReal ? 2 : 1;
      kinds.push_back(options);
      if (boost == BoostKind::kDiscrete) continue;
      options.soft = true;
      options.max_weak = 21;
      options.negative_noise = 0.03;
      options.min_hit = 0.95;
      kinds.push_back(options);
      if (set == FeatureSet::kLbp) continue;
      options.weak = WeakKind::kTable;
      options.depth = 1;
      kinds.push_back(options);
      options.soft = false;
      kinds.push_back(options);
    }
  }
  return kinds;
}

std::string words_of(const TrainOptions& options) {
  return std::string(feature_set_name(options.features)) + ", " + boost_kind_name(options.boost) + ", " +
         weak_kind_name(options.weak) + (options.soft ? ", soft" : "");
}

TEST(Trainer, TheSameFromEveryBackendThreadAndMemory) {
  for (const TrainOptions& options : kinds_of_options()) {
    SCOPED_TRACE(words_of(options));
    const auto wanted = bytes_of(train_cascade(small_pack(), options));
    TrainOptions one = options;
    one.threads = 1;
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), one)), wanted);
    TrainOptions reference = options;
    reference.backend = BackendKind::kReference;
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), reference)), wanted);
    TrainOptions tight = options;
    tight.memory = 1 << 20;
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), tight)), wanted);
  }
}

// Mining goes through the device's sieve, too.
TEST(TrainerCuda, TheSameAsFromTheCpu) {
  WINNOW_NEEDS_DEVICE();
  for (TrainOptions options : kinds_of_options()) {
    SCOPED_TRACE(words_of(options));
    const auto wanted = bytes_of(train_cascade(small_pack(), options));
    options.backend = BackendKind::kCuda;
    const TrainResult result = train_cascade(small_pack(), options);
    EXPECT_EQ(result.backend, "cuda");
    EXPECT_EQ(bytes_of(result), wanted);
    options.memory = 1 << 20;
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), options)), wanted) << "with little memory";
  }
}

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
  double mined = 0;  // when the last stage's negatives were found, which its state knows
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
  options.stages = 2;  // the state is that of the last stage's beginning
  expect_refused(small_pack(), options, "the state has 3 stages done already, more than the 2 wanted");
}

// Its stages are shorter the more there are: none of those that are done would fit.
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

// With some positives that are no objects, so that stages lose some.
Pack pack_with_doubts() {
  Pack pack = make_sample_pack({16, 16}, 80, 20, 1);
  for (unsigned i = 0; i < 10; ++i) {
    const GrayImage noise = make_noise(pack.window, 4000 + i);
    std::copy_n(noise.row(0), pack.positive_bytes(),
                pack.positives.begin() + static_cast<std::ptrdiff_t>(i * 8 * pack.positive_bytes()));
  }
  return pack;
}

// The samples' own passes are those that the detector lets through: what was trained is what runs.
TEST(Trainer, TheDetectorSeesTheSamplesAsTrainingDid) {
  const Pack pack = pack_with_doubts();
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    TrainOptions options = small_options();
    options.features = set;
    options.min_hit = 0.9;
    const TrainResult result = train_cascade(pack, options);
    std::size_t alive = pack.positive_count();
    for (const TrainedStage& stage : result.stages) {
      EXPECT_EQ(static_cast<std::size_t>(stage.positives), alive) << feature_set_name(set);
      alive = static_cast<std::size_t>(stage.hit * stage.positives + 0.5);
    }
    Detector detector(result.cascade, {BackendKind::kReference});
    std::size_t passed = 0;
    for (std::size_t i = 0; i < pack.positive_count(); ++i) {
      DetectOptions raw;
      raw.raw = true;
      passed += detector.detect(pack.positive(i), raw).objects.size();
    }
    EXPECT_EQ(passed, alive) << feature_set_name(set);
    EXPECT_LT(passed, pack.positive_count()) << "so that a rejected one is among them";
  }
}

// Limits of a soft cascade lose no more than they may, and use what they may.
TEST(Trainer, ASoftCascadeKeepsItsWord) {
  const Pack pack = pack_with_doubts();
  for (const WeakKind weak : {WeakKind::kTree, WeakKind::kTable}) {
    SCOPED_TRACE(weak_kind_name(weak));
    TrainOptions options = small_options();
    options.weak = weak;
    options.soft = true;
    options.stages = 3;
    options.max_weak = 30;
    options.min_hit = 0.9;
    const TrainResult result = train_cascade(pack, options);
    EXPECT_EQ(result.cascade.model().weak_count(), 30u);
    EXPECT_EQ(result.cascade.model().stages.size(), 30u);
    for (const TrainedStage& stage : result.stages) EXPECT_GE(stage.hit, 0.9);
    Detector detector(result.cascade, {BackendKind::kReference});
    DetectOptions raw;
    raw.raw = true;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < pack.positive_count(); ++i)
      passed += detector.detect(pack.positive(i), raw).objects.size();
    EXPECT_EQ(passed, static_cast<std::size_t>(result.stages.back().hit * 80 + 0.5));
    EXPECT_LT(passed, pack.positive_count());
  }
}

// OpenCV reads decimal thresholds and takes a little off: no sum is that near.
TEST(Trainer, XmlKeepsEveryBit) {
  const TrainResult result = train_cascade(small_pack(), small_options());
  const auto xml = result.cascade.to_bytes(CascadeFormat::kOpenCvXml);
  EXPECT_TRUE(Cascade::parse(xml, "").model().same_as(result.cascade.model()));
}

// A draw that has nothing useful in it is no reason to stop.
TEST(Trainer, OneFeatureARound) {
  TrainOptions options = small_options();
  options.stages = 2;
  for (const int features : {1, 2}) {
    options.features_per_round = features;
    const TrainResult result = train_cascade(small_pack(), options);
    EXPECT_EQ(result.ended_early, "");
    EXPECT_LE(result.stages[0].false_alarm, options.max_false);
  }
}

TEST(Trainer, SaysWhyItCannotGoOn) {
  TrainOptions options = small_options();
  options.stages = 40;
  options.negatives = 100;
  const TrainResult result = train_cascade(make_sample_pack({16, 16}, 60, 2, 5), options);
  EXPECT_THAT(result.ended_early,
              ::testing::MatchesRegex("stage [0-9]+: [0-9]+ false alarms found in .* windows of 2 pictures; "
                                      "more or larger negatives are needed"));
  EXPECT_EQ(result.stages.size(), result.cascade.model().stages.size());
}

TEST(Trainer, MoreThanACascadeMayHave) {
  TrainOptions options = small_options();
  options.stages = 1000;
  options.max_weak = 500;
  options.depth = 2;
  expect_refused(small_pack(), options, "1000 stages might have 1500000");
  options.depth = 1;
  options.weak = WeakKind::kTable;
  expect_refused(small_pack(), options, "1000 stages might have 500000");
}

TEST(Trainer, WrongInput) {
  Pack none = make_sample_pack({16, 16}, 0, 3, 1), without = make_sample_pack({16, 16}, 10, 0, 1);
  expect_refused(none, small_options(), "there are no positives");
  expect_refused(without, small_options(), "there are no negatives");
  Pack small = make_sample_pack({16, 16}, 10, 1, 1);
  small.negatives[0].size = {15, 300};
  expect_refused(small, small_options(), "smaller than the window");
  Pack even = make_sample_pack({16, 16}, 10, 3, 1);
  std::fill(even.positives.begin(), even.positives.end(), std::uint8_t{90});
  expect_refused(even, small_options(), "no contrast");
  TrainOptions options = small_options();
  options.min_hit = 1.5;
  expect_refused(small_pack(), options, "hit rate");
  options = small_options();
  options.depth = 9;
  expect_refused(small_pack(), options, "depth");
  options = small_options();
  options.weak = WeakKind::kTable;
  options.features = FeatureSet::kLbp;
  expect_refused(small_pack(), options, "tables are of Haar features");
  options.features = FeatureSet::kHaar;
  options.depth = 2;
  expect_refused(small_pack(), options, "tables have no depth");
  options = small_options();
  options.soft = true;
  options.max_weak = 4;
  expect_refused(small_pack(), options, "a weak classifier for each stage");
  options = small_options();
  options.negative_noise = -0.1;
  expect_refused(small_pack(), options, "noise");
  options = small_options();
  options.memory = 1000;
  expect_refused(small_pack(), options, "more than the memory allowed");
  options = small_options();
  options.threads = 100'000;
  expect_refused(small_pack(), options, "threads");
  options = small_options();
  options.resume = true;
  expect_refused(small_pack(), options, "folder");
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
