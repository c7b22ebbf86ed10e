// winnow_stump_search: compares the exact search of a stump, which sorts responses, with the library's search
// by 256 bins. The program measures the time of a round, and the error of the stump that each search finds,
// on faces and on windows of scenes.
//
// Discrete AdaBoost runs its rounds with the exact stumps. In each round both searches get the same weights.
// Faces and scenes are split into halves. Stumps are searched on one half, and judged on both halves.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "backend/backend.h"
#include "backend/training.h"
#include "base/simd.h"
#include "learn/steps.h"
#include "model/model_kinds.h"
#include "pairs.h"
#include "results_file.h"
#include "sorted_stump.h"
#include "train/mine.h"

namespace {

using namespace winnow;
using bench::ResultList;

constexpr Size kWindow{24, 24};

struct Settings {
  std::string data = "../shared/data";
  int positives = 4000, negatives = 6000, rounds = 20;
  std::int64_t features = 0;
  bench::ResultOptions out;
};

// Samples of one half: positives, then negatives.
struct Samples {
  SamplePlanes planes;
  std::size_t positives = 0, count = 0;
};

Samples samples_of(const Pack& pack, std::size_t positives, std::size_t negatives) {
  MineTask task;
  task.window = kWindow;
  Mined mined;
  Miner(pack, task, {BackendKind::kCpu, 1, {0}}, 1)
      .mine(
          std::nullopt, negatives, {}, [](const Mined&) { return true; }, mined);
  Samples samples;
  samples.positives = std::min(positives, pack.positive_count());
  samples.count = samples.positives + mined.places.size();
  samples.planes = SamplePlanes(kWindow, false, samples.count);
  for (std::size_t chunk = 0; chunk < samples.planes.chunks(); ++chunk) {
    samples.planes.fill_chunk(chunk * kSampleChunk, [&](std::size_t i) {
      if (i < samples.positives) return pack.positive(i);
      return GrayView{mined.pixels.data() + (i - samples.positives) * task.bytes(), kWindow.width,
                      kWindow.height, kWindow.width};
    });
  }
  return samples;
}

// Returns one half of a pack. Positives are split in the middle of their list, so that pictures of one person
// stay together. Negatives go to both halves in turn.
Pack half_of(const Pack& pack, bool second) {
  Pack half;
  half.window = pack.window;
  const std::size_t middle = pack.positive_count() / 2;
  for (std::size_t i = second ? middle : 0; i < (second ? pack.positive_count() : middle); ++i) {
    half.names.push_back(pack.names[i]);
    const auto first = pack.positives.begin() + static_cast<std::ptrdiff_t>(i * pack.positive_bytes());
    half.positives.insert(half.positives.end(), first,
                          first + static_cast<std::ptrdiff_t>(pack.positive_bytes()));
  }
  for (std::size_t i = second ? 1 : 0; i < pack.negatives.size(); i += 2)
    half.negatives.push_back(pack.negatives[i]);
  return half;
}

std::vector<float> responses_of(const BinFeature& feature, const Samples& samples) {
  std::vector<float> all(samples.planes.chunks() * kSampleChunk);
  for (std::size_t chunk = 0; chunk < samples.planes.chunks(); ++chunk) {
    float responses[kSampleChunk];
    responses_ref(feature, samples.planes, chunk, responses);
    std::copy_n(responses, kSampleChunk, all.begin() + static_cast<std::ptrdiff_t>(chunk * kSampleChunk));
  }
  all.resize(samples.count);
  return all;
}

// The first weights of the samples. Both classes have the same sum of weights.
std::vector<double> first_weights(const Samples& samples) {
  std::vector<double> weights(samples.count, 0.5 / static_cast<double>(samples.count - samples.positives));
  std::fill_n(weights.begin(), samples.positives, 0.5 / static_cast<double>(samples.positives));
  return weights;
}
std::vector<std::uint32_t> in_whole_numbers(const std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint32_t> whole;
  for (const double weight : weights)
    whole.push_back(static_cast<std::uint32_t>(weight / sum * (1 << 30)) + 1);
  return whole;
}
double percent(std::int64_t error, const std::vector<std::uint32_t>& weights) {
  return 100 * static_cast<double>(error) /
         static_cast<double>(std::accumulate(weights.begin(), weights.end(), std::int64_t{0}));
}

// Runs discrete AdaBoost with the stumps of one search. Keeps the weights of the half that is searched, and
// the votes on the other half.
class Course {
 public:
  Course(const Samples& learned, const Samples& kept)
      : learned_(learned), kept_(kept), weights_(first_weights(learned)), votes_(kept.count) {}

  const std::vector<double>& weights() const { return weights_; }
  // Adds a stump: lowers the weights of samples that the stump assigns to the right class. `error`: the
  // fraction of the weight that the stump assigns wrongly. `responses` and `others`: the responses to the
  // stump's feature on the searched half and on the other half.
  void add(const bench::Stump& stump, double error, const std::vector<float>& responses,
           const std::vector<float>& others) {
    const double beta = std::clamp(error / (1 - error), 1e-6, 1.0), alpha = std::log(1 / beta);
    for (std::size_t i = 0; i < weights_.size(); ++i)
      if (stump.takes(responses[i]) == (i < learned_.positives)) weights_[i] *= beta;
    for (std::size_t i = 0; i < votes_.size(); ++i) votes_[i] += stump.takes(others[i]) ? alpha : 0;
    half_ += alpha / 2;
  }
  // How often the added stumps together err on the other half: the mean of both classes' error rates, in
  // percent.
  double error_of_vote() const {
    double missed = 0, false_alarms = 0;
    for (std::size_t i = 0; i < votes_.size(); ++i) {
      if (i < kept_.positives) missed += votes_[i] < half_ ? 1 : 0;
      if (i >= kept_.positives) false_alarms += votes_[i] >= half_ ? 1 : 0;
    }
    return 50 * (missed / static_cast<double>(kept_.positives) +
                 false_alarms / static_cast<double>(kept_.count - kept_.positives));
  }

 private:
  const Samples &learned_, &kept_;
  std::vector<double> weights_, votes_;
  double half_ = 0;
};

bench::Stump stump_of(const Split& split, const BinRule& rule) {
  bench::Stump stump;
  stump.threshold = threshold_after(rule, split.last);
  stump.low_is_positive = split.left.positive > split.left.negative;
  return stump;
}

std::vector<ResultList> search(const Settings& settings, const Pack& pack) {
  const Samples learned = samples_of(half_of(pack, false), static_cast<std::size_t>(settings.positives),
                                     static_cast<std::size_t>(settings.negatives)),
                kept = samples_of(half_of(pack, true), static_cast<std::size_t>(settings.positives),
                                  static_cast<std::size_t>(settings.negatives));
  if (learned.count > bench::kMostSortedSamples) throw std::runtime_error("more than 32,768 samples");
  const TrainSteps& steps = find_training<TrainSteps>(BackendKind::kCpu, kCascadeKind);
  RunFeatures features;
  features.list = list_features(FeatureSet::kHaar, kWindow, settings.features, 1);
  features.compiled = bin_features(features.list);
  choose_rules(steps, learned.planes, 1, WeakKind::kTree, features);
  const auto count = features.compiled.size();

  std::unique_ptr<BinTable> table;
  const double bytes_ms = bench::processor_milliseconds([&] {
    table = steps.make_table({&features, &learned.planes, learned.positives,
                              static_cast<std::int64_t>(count * (learned.count + kSampleChunk)), 1, 0});
  });
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);

  // The orders of the samples for all features, one feature after the other.
  std::vector<std::uint16_t> orders(count * learned.count);
  std::vector<std::uint64_t> scratch;
  bench::SampleOrder order;
  const auto order_of = [&](std::size_t feature) {
    return std::span<const std::uint16_t>(orders).subspan(feature * learned.count, learned.count);
  };
  const double sort_ms = bench::processor_milliseconds([&] {
    for (std::size_t i = 0; i < count; ++i) {
      bench::sort_samples(responses_of(features.compiled[i], learned), scratch, order);
      std::copy(order.begin(), order.end(), orders.begin() + static_cast<std::ptrdiff_t>(i * learned.count));
    }
  });

  ResultList errors{
      "stump_errors",
      "Errors of the stumps of both searches",
      "percent",
      "winnow_stump_search",
      "Discrete AdaBoost with exact stumps: in each round both searches get the same weights. An error is "
      "the weight of the samples that the stump judges wrongly, in percent of all weight. The last two "
      "columns come from two trainings, one with each search. They hold the error of the vote of all stumps "
      "so far, on the half of faces and scenes that was not trained on. This error is the mean of both "
      "classes.",
      {"round", "exact", "bins", "same feature", "vote exact", "vote bins"},
      {{"round", "round"}},
      {{"exact", "exact stump", 3},
       {"bins", "256 bins", 3},
       {"vote exact", "vote of exact stumps, other half", 2},
       {"vote bins", "vote of stumps by bins, other half", 2}}};
  Course exact_course(learned, kept), bin_course(learned, kept);
  std::vector<double> pass_ms, bins_ms;
  double worst = 0, sum = 0;
  for (int round = 1; round <= settings.rounds; ++round) {
    const std::vector<std::uint32_t> whole = in_whole_numbers(exact_course.weights());
    bench::SortedStump best;
    std::size_t best_feature = 0;
    pass_ms.push_back(bench::processor_milliseconds([&] {
      const bench::SignedWeights with_signs(whole, learned.positives);
      for (std::size_t i = 0; i < count; ++i) {
        const bench::SortedStump found = bench::best_stump(order_of(i), with_signs);
        if (found.error < best.error) best = found, best_feature = i;
      }
    }));
    Split split;
    bins_ms.push_back(
        bench::processor_milliseconds([&] { split = table->best_split(all, whole, BoostKind::kDiscrete); }));
    const std::vector<float> responses = responses_of(features.compiled[best_feature], learned);
    const bench::Stump exact = bench::with_threshold(best, order_of(best_feature), responses);
    const std::int64_t exact_error = bench::stump_error(exact, responses, whole, learned.positives);
    const auto error_of = [&](const Split& found, const std::vector<std::uint32_t>& weights) {
      const auto feature = static_cast<std::size_t>(found.feature);
      return bench::stump_error(stump_of(found, features.rules[feature]),
                                responses_of(features.compiled[feature], learned), weights,
                                learned.positives);
    };
    const std::int64_t bin_error = error_of(split, whole);
    if (exact_error != best.error || bin_error < best.error)
      throw std::runtime_error("the exact search did not find the least error");
    const double exact_percent = percent(exact_error, whole), bin_percent = percent(bin_error, whole);
    worst = std::max(worst, bin_percent - exact_percent);
    sum += bin_percent - exact_percent;
    exact_course.add(exact, exact_percent / 100, responses,
                     responses_of(features.compiled[best_feature], kept));

    const std::vector<std::uint32_t> own = in_whole_numbers(bin_course.weights());
    const Split next = table->best_split(all, own, BoostKind::kDiscrete);
    const auto next_feature = static_cast<std::size_t>(next.feature);
    bin_course.add(stump_of(next, features.rules[next_feature]), percent(error_of(next, own), own) / 100,
                   responses_of(features.compiled[next_feature], learned),
                   responses_of(features.compiled[next_feature], kept));
    errors.rows.push_back({round, exact_percent, bin_percent,
                           best_feature == static_cast<std::size_t>(split.feature) ? "yes" : "no",
                           exact_course.error_of_vote(), bin_course.error_of_vote()});
  }
  char text[120];
  std::snprintf(text, sizeof text, " The bins' error is %.3f points higher on average, and %.3f at most.",
                sum / settings.rounds, worst);
  errors.about += text;

  const double each = static_cast<double>(count) * static_cast<double>(learned.count);
  ResultList times{
      "stump_search",
      "The exact search of a stump beside 256 bins",
      "milliseconds, processor time",
      "winnow_stump_search",
      std::to_string(count) + " features of 24x24, " + std::to_string(learned.positives) + " faces and " +
          std::to_string(learned.count - learned.positives) +
          " windows of scenes. One thread. The work of the column \"before\" is done once; a round is the "
          "median of " +
          std::to_string(settings.rounds) +
          ". The papers sort in each round. Orders kept in memory take two bytes a response, and bins take "
          "one.",
      {"search", "before", "round", "ns", "bytes"},
      {{"search", "search"}},
      {{"before", "before", 0},
       {"round", "a round", 0},
       {"ns", "ns a response, a round", 3},
       {"bytes", "bytes kept a response", 0}}};
  const double pass = bench::median(pass_ms), bins = bench::median(bins_ms);
  times.rows.push_back({"exact, sorted in each round", 0, sort_ms + pass, (sort_ms + pass) * 1e6 / each, 0});
  times.rows.push_back({"exact, orders kept", sort_ms, pass, pass * 1e6 / each, 2});
  times.rows.push_back({"256 bins", bytes_ms, bins, bins * 1e6 / each, 1});
  return {times, errors};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares the exact search of a stump with the search by 256 bins.");
  Settings settings;
  app.add_option("--data", settings.data, "the folder with faces/lfw and scenes");
  app.add_option("--positives", settings.positives, "faces of each half")->check(CLI::PositiveNumber);
  app.add_option("--negatives", settings.negatives, "windows of scenes of each half")
      ->check(CLI::PositiveNumber);
  app.add_option("--features", settings.features, "features, drawn at random; 0: all");
  app.add_option("--rounds", settings.rounds, "rounds of boosting")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::string faces = settings.data + "/faces/lfw", scenes = settings.data + "/scenes";
    for (const std::string& folder : {faces, scenes}) {
      if (std::filesystem::is_directory(folder)) continue;
      std::printf("winnow_stump_search: skipped, since %s is not there\n", folder.c_str());
      return 0;
    }
    PackOptions options;
    options.window = kWindow;
    options.crop = {11, 14, 106, 106};
    const Pack pack = make_pack({faces}, {scenes}, options);
    const std::vector<ResultList> all = search(settings, pack);
    for (const ResultList& results : all) bench::print_results(results);
    const std::string device =
        settings.out.device.empty() ? bench::host_in_words() + "; " + simd_target() : settings.out.device;
    if (!settings.out.file.empty())
      bench::write_results(
          settings.out.file,
          {"The exact search of a stump",
           "Papers on the training of Viola and Jones' detectors sort the responses of each feature. "
           "Winnow puts responses into 256 bins.",
           device, settings.out.commit},
          all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_stump_search: %s\n", error.what());
    return 1;
  }
  return 0;
}
