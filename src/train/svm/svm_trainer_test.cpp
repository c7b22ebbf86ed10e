// Checks the training of linear SVMs over HOG: the solver's optimum, the same model on all backends and after
// breaks, colour, mirrored weights, and options that are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <winnow/describe.h>
#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "base/device/device_for_test.h"
#include "base/folder_for_test.h"
#include "base/random.h"
#include "image/files/encode.h"
#include "image/texture_for_test.h"
#include "learn/samples_for_test.h"
#include "train/svm/linear_svm.h"
#include "train/svm/mirror.h"

namespace winnow {
namespace {

// Two clouds of points that overlap.
std::vector<std::int16_t> clouds(std::size_t positives, std::size_t count, std::size_t length) {
  Random random(4);
  std::vector<std::int16_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < length; ++k) {
      const double middle = k == 0 ? (i < positives ? 9000 : 3000) : 4000;
      values.push_back(static_cast<std::int16_t>(middle + 3000 * random.bell()));
    }
  }
  return values;
}

double cost_of(const SvmRows& rows, const SvmRules& rules, const std::vector<float>& weights, double bias) {
  double sum = bias * bias / 2;
  for (const float weight : weights) sum += static_cast<double>(weight) * weight / 2;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const bool positive = i < rows.positives;
    const double score = (row_score(rows.row(i), weights) + bias) * (positive ? 1 : -1);
    const double error = std::max(0.0, 1 - score);
    sum += (positive ? rules.positive_cost : rules.cost) * (rules.squared ? error * error : error);
  }
  return sum;
}

TEST(LinearSvm, NoNearbyWeightsAreBetter) {
  const std::vector<std::int16_t> values = clouds(60, 200, 20);
  const SvmRows rows{values, 20, 60};
  for (const bool squared : {false, true}) {
    const SvmRules rules{1, 3, 1e-4, squared, 2000, 1};
    const SvmSolution solution = solve_svm(rows, rules, [](int) { return true; });
    EXPECT_TRUE(solution.done);
    const double least = cost_of(rows, rules, solution.weights, solution.bias);
    Random random(5);
    for (int i = 0; i < 200; ++i) {
      std::vector<float> other = solution.weights;
      const double step = std::pow(10.0, random.real(-3, 0));
      for (float& weight : other) weight += static_cast<float>(step * random.bell());
      EXPECT_GE(cost_of(rows, rules, other, solution.bias + step * random.bell()), least - 1e-3 * least);
    }
    EXPECT_GT(solution.weights[0], 5 * std::abs(solution.weights[7]));
    const SvmSolution again = solve_svm(rows, rules, [](int) { return true; });
    EXPECT_EQ(again.weights, solution.weights);
    EXPECT_EQ(solve_svm(rows, rules, [](int passes) { return passes < 3; }).passes, 3);
  }
}

const Pack& small_pack() {
  static const Pack pack = sample::make_sample_pack({24, 24}, 50, 6, 3);
  return pack;
}

HogSvmOptions small_options() {
  HogSvmOptions options;
  options.shape.window = {24, 24};
  options.rounds = 2;
  options.negatives = 100;
  options.hard = -2;  // so that the second round has something to learn
  return options;
}

// With `false_alarms`, at most the wanted fraction of the windows in the pack's negatives scores 0 or more.
TEST(SvmTrainer, TheBiasFollowsFalseAlarms) {
  RunOptions run;
  run.machine = {BackendKind::kCpu, 2, {0}};
  for (const double rate : {0.2, 0.02, 0.001}) {
    HogSvmOptions options = small_options();
    options.false_alarms = rate;
    const HogSvmResult result = train_hog_svm(small_pack(), options, run);
    Detector detector(result.svm, run.machine);
    DetectOptions every;
    every.raw = true;
    every.scale_factor = 1.2;
    every.min_score = 0;
    every.gray = true;
    double windows = 0, alarms = 0, next = 0;
    for (const Pack::Negative& negative : small_pack().negatives) {
      const Picture picture = decode_picture(negative.file);
      every.min_score = 0;
      const Detections found = detector.detect(picture.view(), every);
      windows += static_cast<double>(found.counters.windows);
      alarms += static_cast<double>(found.objects.size());
      every.min_score = -0.01;
      next += static_cast<double>(detector.detect(picture.view(), every).objects.size());
    }
    EXPECT_LE(alarms, rate * windows) << rate;
    EXPECT_GE(next, std::floor(rate * windows)) << "no lower than needed, " << rate;
    EXPECT_EQ(result.svm.model().card.search->merge, Merge::kSupport);
  }
}

TEST(SvmTrainer, BackendsAndThreadsGiveOneModelThatFinds) {
  RunOptions run;
  run.machine = {BackendKind::kReference, 1, {0}};
  const HogSvmResult wanted = train_hog_svm(small_pack(), small_options(), run);
  ASSERT_EQ(wanted.rounds.size(), 2u);
  EXPECT_GT(wanted.rounds[1].carried_over, 0);
  for (const int threads : {1, 3}) {
    run.machine = {BackendKind::kCpu, threads, {0}};
    const HogSvmResult got = train_hog_svm(small_pack(), small_options(), run);
    EXPECT_TRUE(got.svm.model().same_as(wanted.svm.model())) << threads;
  }
  EXPECT_FALSE(wanted.svm.to_bytes(HogFormat::kOpenCvXml).empty()) << "the bias is a float";
  std::mt19937 random(8);
  GrayImage picture = sample::make_noise({96, 80}, 5);
  sample::draw_object(picture.view(), {40, 32, 24, 24}, random);
  DetectOptions options;
  options.raw = true;
  options.min_score = -1;
  const Detections found = Detector(wanted.svm).detect(picture.view(), options);
  ASSERT_FALSE(found.objects.empty());
  const auto best =
      std::max_element(found.objects.begin(), found.objects.end(),
                       [](const Detection& a, const Detection& b) { return a.score < b.score; });
  EXPECT_NEAR(best->box.x, 40, 8);
  EXPECT_NEAR(best->box.y, 32, 8);
}

#ifdef WINNOW_HAVE_CUDA

TEST(SvmTrainerCuda, GivesTheModelOfTheReference) {
  WINNOW_NEEDS_DEVICE();
  RunOptions run;
  run.machine = {BackendKind::kReference, 1, {0}};
  const HogSvmResult wanted = train_hog_svm(small_pack(), small_options(), run);
  run.machine = {BackendKind::kCuda, 3, {0}};
  const HogSvmResult got = train_hog_svm(small_pack(), small_options(), run);
  EXPECT_EQ(got.backend, "cuda");
  EXPECT_TRUE(got.svm.model().same_as(wanted.svm.model()));
}

#endif  // WINNOW_HAVE_CUDA

// The small pack in colour. Green and blue show other pictures than red.
const Pack& colored_pack() {
  static const Pack pack = [] {
    Pack made = small_pack();
    made.color = true;
    for (std::size_t i = 0; i < made.positives.size(); ++i) {
      const std::uint8_t other = made.positives[made.positives.size() - 1 - i];
      made.colors.insert(made.colors.end(),
                         {made.positives[i], other, static_cast<std::uint8_t>(255 - other / 2)});
    }
    for (std::size_t i = 0; i < made.negatives.size(); ++i) {
      const RgbImage color = sample::colored(made.negatives[i].size, i + 1);
      made.negatives[i].file = encode_png(color.view());
    }
    return made;
  }();
  return pack;
}

TEST(SvmTrainer, LearnsInColour) {
  RunOptions run;
  run.machine = {BackendKind::kReference, 1, {0}};
  const HogSvmResult wanted = train_hog_svm(colored_pack(), small_options(), run);
  EXPECT_GT(wanted.rounds.back().carried_over, 0);
  for (const int threads : {1, 3}) {
    run.machine = {BackendKind::kCpu, threads, {0}};
    const HogSvmResult got = train_hog_svm(colored_pack(), small_options(), run);
    EXPECT_TRUE(got.svm.model().same_as(wanted.svm.model())) << threads;
  }
  // Without its colours, this is a grey pack.
  Pack gray = colored_pack();
  gray.color = false;
  gray.colors.clear();
  HogSvmOptions options = small_options();
  const HogSvmModel of_gray = train_hog_svm(gray, options, run).svm.model();
  EXPECT_FALSE(of_gray.same_as(wanted.svm.model()));
  options.colors = HogColors::kLeave;
  EXPECT_TRUE(train_hog_svm(colored_pack(), options, run).svm.model().same_as(of_gray));
}

TEST(SvmTrainer, LearnsInColourAndGrey) {
  HogSvmOptions options = small_options();
  options.colors = HogColors::kBoth;
  RunOptions run;
  run.machine = {BackendKind::kReference, 1, {0}};
  const HogSvmResult wanted = train_hog_svm(colored_pack(), options, run);
  EXPECT_EQ(wanted.rounds[0].positives, 50);
  EXPECT_EQ(wanted.rounds[0].negatives, 100);
  run.machine = {BackendKind::kCpu, 3, {0}};
  EXPECT_TRUE(train_hog_svm(colored_pack(), options, run).svm.model().same_as(wanted.svm.model()));
  for (const HogColors one : {HogColors::kUse, HogColors::kLeave}) {
    options.colors = one;
    EXPECT_FALSE(train_hog_svm(colored_pack(), options, run).svm.model().same_as(wanted.svm.model()));
  }
  options.colors = HogColors::kBoth;
  try {
    train_hog_svm(small_pack(), options, run);
    ADD_FAILURE() << "a pack of grey was taken";
  } catch (const Error& error) {
    EXPECT_EQ(
        error.sentence(),
        "to learn samples in colour and in grey, the pack needs colours (--color of winnow train pack)");
  }
}

TEST(SvmTrainer, ThePageJudgesInTheColoursThatWereLearned) {
  HogSvmOptions options = small_options();
  const HogSvmResult result = train_hog_svm(colored_pack(), options);
  const std::string color = training_page(colored_pack(), options, {}, result);
  EXPECT_NE(color.find("searched in colour"), std::string::npos);
  options.colors = HogColors::kLeave;
  const std::string gray = training_page(colored_pack(), options, {}, result);
  EXPECT_NE(gray.find("searched in grey"), std::string::npos);
  const auto curve = [](const std::string& page) { return page.substr(page.find("<svg")); };
  EXPECT_NE(curve(color), curve(gray));
}

TEST(SvmTrainer, NamesOfColorsAreReadAsTheyAreWritten) {
  for (const HogColors colors : {HogColors::kUse, HogColors::kLeave, HogColors::kBoth})
    EXPECT_EQ(parse_hog_colors(hog_colors_name(colors)), colors);
  EXPECT_THROW(parse_hog_colors("red"), Error);
}

// Coloured samples whose channels are equal give the same model as grey samples.
TEST(SvmTrainer, EqualChannelsAreGrey) {
  Pack pack = small_pack();
  pack.color = true;
  for (const std::uint8_t pixel : pack.positives) pack.colors.insert(pack.colors.end(), 3, pixel);
  const HogSvmResult color = train_hog_svm(pack, small_options()),
                     gray = train_hog_svm(small_pack(), small_options());
  EXPECT_TRUE(color.svm.model().same_as(gray.svm.model()));
  EXPECT_EQ(color.rounds.back().mined_windows, gray.rounds.back().mined_windows);
  pack.colors.pop_back();
  EXPECT_THROW(train_hog_svm(pack, small_options()), Error);
}

TEST(SvmTrainer, SymmetricWeightsAreTheirMirrorImage) {
  HogSvmOptions options = small_options();
  options.symmetric = true;
  options.squared = true;
  options.shape.sigma = 1000;  // so wide a Gaussian that mirrored windows have mirrored values
  const HogSvm svm = train_hog_svm(small_pack(), options).svm;
  // The sum of differences between the scores of windows and of their mirror images.
  const auto difference = [](const HogSvm& model) {
    const auto score = [&](const GrayImage& of) {
      const WindowValues values = describe_windows(of.view(), model.model().shape);
      return std::inner_product(values.values.begin(), values.values.end(), model.model().weights.begin(),
                                0.0);
    };
    double sum = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
      const GrayImage picture = sample::make_noise({24, 24}, seed);
      GrayImage mirrored(24, 24);
      for (int y = 0; y < 24; ++y) std::reverse_copy(picture.row(y), picture.row(y) + 24, mirrored.row(y));
      sum += std::abs(score(picture) - score(mirrored));
    }
    return sum;
  };
  options.symmetric = false;
  EXPECT_LT(difference(svm), 0.01 * difference(train_hog_svm(small_pack(), options).svm));
}

TEST(MirrorFold, ScoresAreThoseOfAllValues) {
  for (const HogShape& shape : {HogShape(), HogShape{{24, 24}, {8, 16}, {4, 8}, {4, 8}, 12, true},
                                HogShape{{8, 8}, {8, 8}, {8, 8}, {8, 8}, 5}}) {
    const MirrorFold fold(shape);
    Random random(6);
    std::vector<std::int16_t> row(shape.values()), folded(fold.length());
    for (std::int16_t& value : row) value = static_cast<std::int16_t>(random.below(9000));
    std::vector<float> weights(fold.length());
    for (float& weight : weights) weight = static_cast<float>(random.bell());
    fold.fold(row.data(), folded.data());
    const std::vector<float> all = fold.unfold(weights);
    double squares = 0, folded_squares = 0;
    for (const float weight : all) squares += static_cast<double>(weight) * weight;
    for (const float weight : weights) folded_squares += static_cast<double>(weight) * weight;
    EXPECT_NEAR(squares, folded_squares, 1e-4 * squares);
    EXPECT_NEAR(row_score(row.data(), all), row_score(folded.data(), weights), 2e-3);
  }
  EXPECT_FALSE(has_mirrored_bins({{8, 8}, {8, 8}, {8, 8}, {8, 8}, 5, true}));
  std::vector<std::int16_t> high(4, 32767), cut(2);
  MirrorFold({{16, 8}, {16, 8}, {8, 8}, {8, 8}, 2}).fold(high.data(), cut.data());
  EXPECT_EQ(cut, std::vector<std::int16_t>(2, 32767));
}

TEST(SvmTrainer, ABreakChangesNothing) {
  for (const Pack* pack : {&small_pack(), &colored_pack()}) {
    const TestFolder folder;
    const HogSvmResult wanted = train_hog_svm(*pack, small_options());
    RunOptions run;
    run.checkpoint = folder.path();
    run.resume = true;
    bool stopped = false;
    const HogSvmResult first = train_hog_svm(*pack, small_options(), run, [&](const TrainStep& step) {
      stopped = stopped || step.what == TrainStep::What::kStageDone;
      return !(stopped && step.what == TrainStep::What::kWeak);
    });
    EXPECT_TRUE(first.stopped);
    const HogSvmResult whole = train_hog_svm(*pack, small_options(), run);
    EXPECT_FALSE(whole.stopped);
    EXPECT_TRUE(whole.svm.model().same_as(wanted.svm.model()));
    run.resume = false;
    EXPECT_THROW(train_hog_svm(*pack, small_options(), run), Error);
  }
}

TEST(SvmTrainer, RefusesWhatMakesNoSense) {
  const auto refusal = [](auto change) -> std::string {
    HogSvmOptions options = small_options();
    change(options);
    try {
      train_hog_svm(small_pack(), options);
    } catch (const Error& error) {
      return error.sentence();
    }
    return "no error";
  };
  EXPECT_EQ(refusal([](auto& o) { o.cost = 0; }), "the cost must be from 1e-6 to 1e6");
  EXPECT_EQ(refusal([](auto& o) { o.symmetric = o.shape.directed = true; }),
            "symmetric weights over directed gradients need an even number of bins");
  EXPECT_EQ(refusal([](auto& o) { o.rounds = 21; }), "the number of rounds must be from 1 to 20");
  EXPECT_EQ(refusal([](auto& o) { o.negatives = 5; }), "a round needs 10 negatives at least");
  EXPECT_EQ(refusal([](auto& o) {
              o.shape.window = {32, 32};
            }),
            "the pack's samples of 24x24 are smaller than the window of 32x32");
  EXPECT_NE(refusal([](auto& o) { o.shape.cell = {5, 5}; }).find("whole cells"), std::string::npos);
}

}  // namespace
}  // namespace winnow
