#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <algorithm>

#include "base/device/device_for_test.h"
#include "learn/samples_for_test.h"
#include "train/trainer_for_test.h"

namespace winnow {
namespace {

using sample::bytes_of;
using sample::expect_refused;
using sample::make_noise;
using sample::make_sample_pack;
using sample::small_options;
using sample::small_pack;
using sample::small_run;

// Options that cover every kind of features, boosting, weak classifiers and sums.
std::vector<CascadeOptions> kinds_of_options() {
  std::vector<CascadeOptions> kinds;
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    for (const BoostKind boost : {BoostKind::kGentle, BoostKind::kReal, BoostKind::kDiscrete}) {
      CascadeOptions options = small_options();
      options.features = set;
      options.boost = boost;
      options.form = StageOptions{.stages = 3};
      options.depth = boost == BoostKind::kReal ? 2 : 1;
      kinds.push_back(options);
      if (boost == BoostKind::kDiscrete) continue;
      options.form = SoftOptions{.rounds = 3, .min_hit = 0.95, .max_weak = 21};
      options.negative_noise = 0.03;
      kinds.push_back(options);
      if (set == FeatureSet::kLbp) continue;
      options.weak = WeakKind::kTable;
      options.depth = 1;
      kinds.push_back(options);
      options.form = StageOptions{.stages = 3, .min_hit = 0.95, .max_weak = 21};
      kinds.push_back(options);
    }
  }
  return kinds;
}

std::string words_of(const CascadeOptions& options) {
  return std::string(feature_set_name(options.features)) + ", " + boost_kind_name(options.boost) + ", " +
         weak_kind_name(options.weak) + (options.soft() ? ", soft" : "");
}

TEST(Trainer, TheSameFromEveryBackendThreadAndMemory) {
  RunOptions one = small_run(), reference = small_run(), tight = small_run();
  one.machine.threads = 1;
  reference.machine.backend = BackendKind::kReference;
  tight.memory = 1 << 20;
  for (const CascadeOptions& options : kinds_of_options()) {
    SCOPED_TRACE(words_of(options));
    const auto wanted = bytes_of(train_cascade(small_pack(), options, small_run()));
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), options, one)), wanted);
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), options, reference)), wanted);
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), options, tight)), wanted);
  }
}

// A training on the device, whose mining also uses the device's sieve, gives the same model as on the CPU.
TEST(TrainerCuda, TheSameAsFromTheCpu) {
  WINNOW_NEEDS_DEVICE();
  for (const CascadeOptions& options : kinds_of_options()) {
    SCOPED_TRACE(words_of(options));
    RunOptions run = small_run();
    const auto wanted = bytes_of(train_cascade(small_pack(), options, run));
    run.machine.backend = BackendKind::kCuda;
    const TrainResult result = train_cascade(small_pack(), options, run);
    EXPECT_EQ(result.backend, "cuda");
    EXPECT_EQ(bytes_of(result), wanted);
    run.memory = 1 << 20;
    EXPECT_EQ(bytes_of(train_cascade(small_pack(), options, run)), wanted) << "with little memory";
  }
}

TEST(Trainer, ReportsEveryStage) {
  CascadeOptions options = small_options();
  options.negatives = 10;  // the least number allowed
  options.form = StageOptions{.stages = 3};
  std::vector<TrainStep> done;
  int weak = 0;
  const TrainResult result = train_cascade(small_pack(), options, small_run(), [&](const TrainStep& step) {
    if (step.what == TrainStep::What::kStageDone) done.push_back(step);
    weak += step.what == TrainStep::What::kWeak ? 1 : 0;
    return true;
  });
  ASSERT_EQ(done.size(), 3u);
  ASSERT_EQ(result.stages.size(), 3u);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(done[s].stage, static_cast<int>(s));
    EXPECT_EQ(done[s].so_far.weak, result.stages[s].weak);
    EXPECT_EQ(done[s].so_far.negatives, 10);
    weak += 1;  // a stage's last weak classifier is reported as kStageDone
    weak -= result.stages[s].weak;
  }
  EXPECT_EQ(weak, 0);
}

// Some positives show noise and no object, so stages lose some of the positives.
Pack pack_with_doubts() {
  Pack pack = make_sample_pack({16, 16}, 80, 20, 1);
  for (unsigned i = 0; i < 10; ++i) {
    const GrayImage noise = make_noise(pack.window, 4000 + i);
    std::copy_n(noise.row(0), pack.positive_bytes(),
                pack.positives.begin() + static_cast<std::ptrdiff_t>(i * 8 * pack.positive_bytes()));
  }
  return pack;
}

// The detector passes exactly the samples that training counted as passed.
TEST(Trainer, TheDetectorSeesTheSamplesAsTrainingDid) {
  const Pack pack = pack_with_doubts();
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    CascadeOptions options = small_options();
    options.features = set;
    options.form = StageOptions{.stages = 5, .min_hit = 0.9};
    const TrainResult result = train_cascade(pack, options, small_run());
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

// The limits of a soft cascade reject as many positives as the options allow, and no more.
TEST(Trainer, ASoftCascadeKeepsItsWord) {
  const Pack pack = pack_with_doubts();
  for (const WeakKind weak : {WeakKind::kTree, WeakKind::kTable}) {
    SCOPED_TRACE(weak_kind_name(weak));
    CascadeOptions options = small_options();
    options.weak = weak;
    options.form = SoftOptions{.rounds = 3, .min_hit = 0.9, .max_weak = 30};
    const TrainResult result = train_cascade(pack, options, small_run());
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

// OpenCV reads thresholds as decimal text and subtracts 1e-5. No sum of a window lies that near to a
// threshold.
TEST(Trainer, XmlKeepsEveryBit) {
  const TrainResult result = train_cascade(small_pack(), small_options(), small_run());
  const auto xml = result.cascade.to_bytes(CascadeFormat::kOpenCvXml);
  EXPECT_TRUE(Cascade::parse(xml, "").model().same_as(result.cascade.model()));
}

// If none of the drawn features is useful, training must try all other features before it ends.
TEST(Trainer, OneFeatureARound) {
  constexpr StageOptions kForm{.stages = 2};
  CascadeOptions options = small_options();
  options.form = kForm;
  for (const int features : {1, 2}) {
    options.features_per_round = features;
    const TrainResult result = train_cascade(small_pack(), options, small_run());
    EXPECT_EQ(result.ended_early, "");
    EXPECT_LE(result.stages[0].false_alarm, kForm.max_false);
  }
}

TEST(Trainer, SaysWhyItCannotGoOn) {
  CascadeOptions options = small_options();
  options.form = StageOptions{.stages = 40};
  options.negatives = 100;
  const TrainResult result = train_cascade(make_sample_pack({16, 16}, 60, 2, 5), options, small_run());
  EXPECT_THAT(result.ended_early,
              ::testing::MatchesRegex("stage [0-9]+: [0-9]+ false alarms found in .* windows of 2 pictures; "
                                      "more or larger negatives are needed"));
  EXPECT_EQ(result.stages.size(), result.cascade.model().stages.size());
}

// The negatives equal the positives.
TEST(Trainer, NothingDistinguishes) {
  Pack pack = make_sample_pack({16, 16}, 24, 0, 1);
  for (std::size_t i = 0; i < pack.positive_count(); ++i) {
    const std::string head = "P5\n16 16\n255\n";
    Pack::Negative negative{"negative", {16, 16}, {}};
    const auto add = [&](const void* bytes, std::size_t count) {
      const auto* from = static_cast<const std::byte*>(bytes);
      negative.file.insert(negative.file.end(), from, from + count);
    };
    add(head.data(), head.size());
    add(pack.positive(i).row(0), pack.positive_bytes());
    pack.negatives.push_back(std::move(negative));
  }
  for (const WeakKind weak : {WeakKind::kTree, WeakKind::kTable}) {
    CascadeOptions options = small_options();
    options.negatives = 24;
    options.weak = weak;
    expect_refused(pack, options, "stage 1: no feature tells positives from negatives");
  }
}

TEST(Trainer, MoreThanACascadeMayHave) {
  CascadeOptions options = small_options();
  options.form = StageOptions{.stages = 1000, .max_weak = 500};
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
  std::fill_n(even.positives.begin(), 16 * 8, std::uint8_t{0});  // now one positive has contrast
  expect_refused(even, small_options(), "no contrast");
  CascadeOptions options = small_options();
  options.form = StageOptions{.stages = 5, .min_hit = 1.5};
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
  options.form = SoftOptions{.rounds = 5, .min_hit = 0.995, .max_weak = 4};
  expect_refused(small_pack(), options, "a weak classifier for each stage");
  options = small_options();
  options.negative_noise = -0.1;
  expect_refused(small_pack(), options, "noise");
  RunOptions run = small_run();
  run.memory = 1000;
  expect_refused(small_pack(), small_options(), "more than the memory allowed", run);
  run = small_run();
  run.machine.threads = 100'000;
  expect_refused(small_pack(), small_options(), "threads", run);
  run = small_run();
  run.resume = true;
  expect_refused(small_pack(), small_options(), "folder", run);
}

}  // namespace
}  // namespace winnow
